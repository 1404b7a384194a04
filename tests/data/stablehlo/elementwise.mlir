// stablehlo: operations on single elements.

func.func @popcnt() {
  %0 = stablehlo.constant dense<[0, 1, -1, 255, 1073741824]> : tensor<5xi32>
  %1 = "stablehlo.popcnt"(%0) : (tensor<5xi32>) -> tensor<5xi32>
  check.expect_eq_const %1, dense<[0, 1, 32, 8, 1]> : tensor<5xi32>
  func.return
}

func.func @count_leading_zeros() {
  %0 = stablehlo.constant dense<[0, 1, -1, 255, 1073741824]> : tensor<5xi32>
  %1 = "stablehlo.count_leading_zeros"(%0) : (tensor<5xi32>) -> tensor<5xi32>
  check.expect_eq_const %1, dense<[32, 31, 0, 24, 1]> : tensor<5xi32>
  func.return
}

func.func @shift_right_arithmetic() {
  %0 = stablehlo.constant dense<[-8, 8, -1, 7]> : tensor<4xi32>
  %1 = stablehlo.constant dense<[1, 2, 40, 32]> : tensor<4xi32>
  %2 = "stablehlo.shift_right_arithmetic"(%0, %1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %2, dense<[-4, 2, -1, 0]> : tensor<4xi32>
  func.return
}

func.func @round_nearest_afz() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, 0.5, 1.5, 2.4]> : tensor<5xf32>
  %1 = "stablehlo.round_nearest_afz"(%0) : (tensor<5xf32>) -> tensor<5xf32>
  check.expect_eq_const %1, dense<[-3.0, -1.0, 1.0, 2.0, 2.0]> : tensor<5xf32>
  func.return
}

func.func @logistic() {
  %0 = stablehlo.constant dense<[-3.0, 0.0, 2.0]> : tensor<3xf32>
  %1 = "stablehlo.logistic"(%0) : (tensor<3xf32>) -> tensor<3xf32>
  %2 = stablehlo.constant dense<[0.047425874, 0.5, 0.8807971]> : tensor<3xf32>
  check.expect_close %1, %2, max_ulp_difference = 3 : tensor<3xf32>, tensor<3xf32>
  func.return
}

func.func @cbrt() {
  %0 = stablehlo.constant dense<[-27.0, 8.0, 2.0]> : tensor<3xf32>
  %1 = "stablehlo.cbrt"(%0) : (tensor<3xf32>) -> tensor<3xf32>
  %2 = stablehlo.constant dense<[-3.0, 2.0, 1.2599211]> : tensor<3xf32>
  check.expect_close %1, %2, max_ulp_difference = 3 : tensor<3xf32>, tensor<3xf32>
  func.return
}

func.func @reduce_precision() {
  %0 = stablehlo.constant dense<[3.1415927, 1.0e-08, 70000.0, -1.0009766]> : tensor<4xf32>
  %1 = "stablehlo.reduce_precision"(%0) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %1, dense<[3.140625, 0.0, 0x7F800000, -1.0009766]> : tensor<4xf32>
  func.return
}

func.func @reduce_precision_format() {
  %0 = stablehlo.constant dense<3.14159265> : tensor<f32>
  %1 = stablehlo.reduce_precision %0, format = e8m7 : tensor<f32>
  check.expect_eq_const %1, dense<3.140625> : tensor<f32>
  func.return
}

func.func @map() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %1 = stablehlo.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi32>
  %2 = "stablehlo.map"(%0, %1) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %k = stablehlo.constant dense<2> : tensor<i32>
    %t = stablehlo.multiply %a, %k : tensor<i32>
    %u = stablehlo.add %t, %b : tensor<i32>
    stablehlo.return %u : tensor<i32>
  }) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %2, dense<[[12, 24], [36, 48]]> : tensor<2x2xi32>
  func.return
}

// A complex number is converted by its real part, also to a truth value.
func.func @convert_complex() {
  %0 = stablehlo.constant dense<[(-1.0, 0.0), (0.0, 1.0), (2.5, 3.0)]> : tensor<3xcomplex<f32>>
  %1 = stablehlo.convert %0 : (tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %1, dense<[true, false, true]> : tensor<3xi1>
  %2 = stablehlo.convert %0 : (tensor<3xcomplex<f32>>) -> tensor<3xf64>
  check.expect_eq_const %2, dense<[-1.0, 0.0, 2.5]> : tensor<3xf64>
  func.return
}
