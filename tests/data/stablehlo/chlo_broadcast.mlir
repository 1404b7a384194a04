// chlo.broadcast_*: operands of different shapes and ranks.

func.func @broadcast_add() {
  %0 = stablehlo.constant dense<[[1.5], [-2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_add"(%0, %1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[2.5, 3.5, 5.5], [-1.0, 0.0, 2.0]]> : tensor<2x3xf32>
  func.return
}

func.func @broadcast_subtract() {
  %0 = stablehlo.constant dense<[[1.5], [-2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_subtract"(%0, %1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[0.5, -0.5, -2.5], [-3.0, -4.0, -6.0]]> : tensor<2x3xf32>
  func.return
}

func.func @broadcast_multiply() {
  %0 = stablehlo.constant dense<[[1.5], [-2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_multiply"(%0, %1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[1.5, 3.0, 6.0], [-2.0, -4.0, -8.0]]> : tensor<2x3xf32>
  func.return
}

func.func @broadcast_divide() {
  %0 = stablehlo.constant dense<[[1.5], [-2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_divide"(%0, %1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[1.5, 0.75, 0.375], [-2.0, -1.0, -0.5]]> : tensor<2x3xf32>
  func.return
}

func.func @broadcast_maximum() {
  %0 = stablehlo.constant dense<[[1.5], [-2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_maximum"(%0, %1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[1.5, 2.0, 4.0], [1.0, 2.0, 4.0]]> : tensor<2x3xf32>
  func.return
}

func.func @broadcast_minimum() {
  %0 = stablehlo.constant dense<[[1.5], [-2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_minimum"(%0, %1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[1.0, 1.5, 1.5], [-2.0, -2.0, -2.0]]> : tensor<2x3xf32>
  func.return
}

func.func @broadcast_remainder() {
  %0 = stablehlo.constant dense<[[7.5], [-7.5]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_remainder"(%0, %1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[0.5, 1.5, 3.5], [-0.5, -1.5, -3.5]]> : tensor<2x3xf32>
  func.return
}

func.func @broadcast_power() {
  %0 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %1 = stablehlo.constant dense<2.0> : tensor<f32>
  %2 = "chlo.broadcast_power"(%0, %1) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %2, dense<[1.0, 4.0, 16.0]> : tensor<3xf32>
  func.return
}

func.func @broadcast_atan2() {
  %0 = stablehlo.constant dense<[[1.5], [-2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_atan2"(%0, %1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.constant dense<[[0.9827938, 0.64350116, 0.35877067], [-1.1071488, -0.7853981, -0.46364763]]> : tensor<2x3xf32>
  check.expect_close %2, %3, max_ulp_difference = 3 : tensor<2x3xf32>, tensor<2x3xf32>
  func.return
}

func.func @broadcast_complex() {
  %0 = stablehlo.constant dense<[[1.5], [-2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_complex"(%0, %1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  check.expect_eq_const %2, dense<[[(1.5, 1.0), (1.5, 2.0), (1.5, 4.0)], [(-2.0, 1.0), (-2.0, 2.0), (-2.0, 4.0)]]> : tensor<2x3xcomplex<f32>>
  func.return
}

func.func @broadcast_compare() {
  %0 = stablehlo.constant dense<[[1.5], [-2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_compare"(%0, %1) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  check.expect_eq_const %2, dense<[[false, true, true], [true, true, true]]> : tensor<2x3xi1>
  func.return
}

func.func @broadcast_next_after() {
  %0 = stablehlo.constant dense<[[1.5], [-2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_next_after"(%0, %1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[1.4999999, 1.5000001, 1.5000001], [-1.9999999, -1.9999999, -1.9999999]]> : tensor<2x3xf32>
  func.return
}

func.func @broadcast_polygamma() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_polygamma"(%0, %1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.constant dense<[[1.644934, 0.64493406, 0.28382295], [-2.4041138, -0.4041138, -0.08003973]]> : tensor<2x3xf32>
  check.expect_close %2, %3, max_ulp_difference = 3 : tensor<2x3xf32>, tensor<2x3xf32>
  func.return
}

func.func @broadcast_zeta() {
  %0 = stablehlo.constant dense<[[1.5], [3.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = "chlo.broadcast_zeta"(%0, %1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.constant dense<[[2.6123753, 1.6123753, 1.0663719], [1.202057, 0.20205691, 0.04001987]]> : tensor<2x3xf32>
  check.expect_close %2, %3, max_ulp_difference = 3 : tensor<2x3xf32>, tensor<2x3xf32>
  func.return
}

func.func @broadcast_and() {
  %0 = stablehlo.constant dense<[[12], [-7]]> : tensor<2x1xi32>
  %1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %2 = "chlo.broadcast_and"(%0, %1) : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %2, dense<[[0, 0, 0], [1, 0, 1]]> : tensor<2x3xi32>
  func.return
}

func.func @broadcast_or() {
  %0 = stablehlo.constant dense<[[12], [-7]]> : tensor<2x1xi32>
  %1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %2 = "chlo.broadcast_or"(%0, %1) : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %2, dense<[[13, 14, 15], [-7, -5, -5]]> : tensor<2x3xi32>
  func.return
}

func.func @broadcast_xor() {
  %0 = stablehlo.constant dense<[[12], [-7]]> : tensor<2x1xi32>
  %1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %2 = "chlo.broadcast_xor"(%0, %1) : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %2, dense<[[13, 14, 15], [-8, -5, -6]]> : tensor<2x3xi32>
  func.return
}

func.func @broadcast_shift_left() {
  %0 = stablehlo.constant dense<[[12], [-7]]> : tensor<2x1xi32>
  %1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %2 = "chlo.broadcast_shift_left"(%0, %1) : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %2, dense<[[24, 48, 96], [-14, -28, -56]]> : tensor<2x3xi32>
  func.return
}

func.func @broadcast_shift_right_arithmetic() {
  %0 = stablehlo.constant dense<[[12], [-7]]> : tensor<2x1xi32>
  %1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %2 = "chlo.broadcast_shift_right_arithmetic"(%0, %1) : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %2, dense<[[6, 3, 1], [-4, -2, -1]]> : tensor<2x3xi32>
  func.return
}

func.func @broadcast_shift_right_logical() {
  %0 = stablehlo.constant dense<[[12], [-7]]> : tensor<2x1xi32>
  %1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %2 = "chlo.broadcast_shift_right_logical"(%0, %1) : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %2, dense<[[6, 3, 1], [2147483644, 1073741822, 536870911]]> : tensor<2x3xi32>
  func.return
}

func.func @broadcast_select() {
  %0 = stablehlo.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %1 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %2 = stablehlo.constant dense<-1.0> : tensor<f32>
  %3 = "chlo.broadcast_select"(%0, %1, %2) : (tensor<2x1xi1>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %3, dense<[[1.0, 2.0, 4.0], [-1.0, -1.0, -1.0]]> : tensor<2x3xf32>
  func.return
}

func.func @broadcast_dimensions() {
  %0 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %1 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %2 = chlo.broadcast_add %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %2, dense<[[11, 12, 13], [24, 25, 26]]> : tensor<2x3xi32>
  func.return
}
