module @jit_predict attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<2x4xf32>, %arg4: tensor<1xf32>, %arg5: tensor<4x1xf32>, %arg6: tensor<2xui32>, %arg7: tensor<4xf32>, %arg8: tensor<4xf32>, %arg9: tensor<3x2xf32>) -> (tensor<3x1xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg9, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<3x4xf32>
    %3 = stablehlo.add %0, %2 : tensor<3x4xf32>
    %4 = stablehlo.tanh %3 : tensor<3x4xf32>
    %5 = stablehlo.reshape %arg7 : (tensor<4xf32>) -> tensor<1x4xf32>
    %6 = stablehlo.reshape %arg8 : (tensor<4xf32>) -> tensor<1x4xf32>
    %cst = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %8 = stablehlo.add %6, %7 : tensor<1x4xf32>
    %9 = stablehlo.rsqrt %8 : tensor<1x4xf32>
    %10 = stablehlo.reshape %arg1 : (tensor<4xf32>) -> tensor<1x4xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<1x4xf32>
    %12 = stablehlo.negate %5 : tensor<1x4xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<1x4xf32>
    %14 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<1x4xf32>
    %15 = stablehlo.add %13, %14 : tensor<1x4xf32>
    %16 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<3x4xf32>
    %17 = stablehlo.multiply %4, %16 : tensor<3x4xf32>
    %18 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<3x4xf32>
    %19 = stablehlo.add %17, %18 : tensor<3x4xf32>
    %20 = stablehlo.dot_general %19, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x1xf32>) -> tensor<3x1xf32>
    %21 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<3x1xf32>
    %23 = stablehlo.add %20, %22 : tensor<3x1xf32>
    return %23 : tensor<3x1xf32>
  }
}
