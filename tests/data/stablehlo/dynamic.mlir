// dynamic_*: shapes and sizes come as operands, which are constants here.
func.func @dynamic_broadcast_in_dim() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [0] : (tensor<2xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[1, 1, 1], [2, 2, 2]]> : tensor<2x3xi32>
  func.return
}

func.func @dynamic_reshape() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %shape = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<4xi32>, tensor<2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  func.return
}

func.func @dynamic_iota() {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
  func.return
}

func.func @dynamic_pad() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %p = stablehlo.constant dense<9> : tensor<i32>
  %low = stablehlo.constant dense<1> : tensor<1xi64>
  %high = stablehlo.constant dense<2> : tensor<1xi64>
  %interior = stablehlo.constant dense<1> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %x, %p, %low, %high, %interior : (tensor<2xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<6xi32>
  check.expect_eq_const %0, dense<[9, 1, 9, 2, 9, 9]> : tensor<6xi32>
  func.return
}

func.func @dynamic_gather() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %rows = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %sizes = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %rows, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<3x3xi32>, tensor<2x1xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[7, 8, 9], [1, 2, 3]]> : tensor<2x3xi32>
  func.return
}

// A sum of neighbours, with one zero before and none behind.
func.func @dynamic_conv() {
  %x = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %k = stablehlo.constant dense<1.0> : tensor<2x1x1xf32>
  %pad = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %pad) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x3x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi64>) -> tensor<1x3x1xf32>
  check.expect_eq_const %0, dense<[[[1.0], [3.0], [5.0]]]> : tensor<1x3x1xf32>
  func.return
}

func.func @real_dynamic_slice() {
  %x = stablehlo.constant dense<[0, 10, 20, 30, 40]> : tensor<5xi32>
  %start = stablehlo.constant dense<1> : tensor<1xi64>
  %limit = stablehlo.constant dense<5> : tensor<1xi64>
  %stride = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %stride : (tensor<5xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[10, 30]> : tensor<2xi32>
  func.return
}

func.func @get_dimension_size() {
  %x = stablehlo.constant dense<0.0> : tensor<4x7xf32>
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x7xf32>) -> tensor<i32>
  check.expect_eq_const %0, dense<7> : tensor<i32>
  func.return
}
