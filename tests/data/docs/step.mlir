module @jit_step {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<i32>, %arg2: tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>, tensor<f32>) {
    %0 = stablehlo.subtract %arg0, %arg2 : tensor<2xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %arg1, %c : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    return %0, %1, %2 : tensor<2xf32>, tensor<i32>, tensor<f32>
  }
}
