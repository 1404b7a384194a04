// chlo: functions of single elements, and constants.

func.func @tan() {
  %0 = stablehlo.constant dense<[-0.9, -0.5, 0.0, 0.25, 0.75]> : tensor<5xf32>
  %1 = "chlo.tan"(%0) : (tensor<5xf32>) -> tensor<5xf32>
  %2 = stablehlo.constant dense<[-1.2601582, -0.5463025, 0.0, 0.25534192, 0.93159646]> : tensor<5xf32>
  check.expect_close %1, %2, max_ulp_difference = 3 : tensor<5xf32>, tensor<5xf32>
  func.return
}

func.func @atan() {
  %0 = stablehlo.constant dense<[-0.9, -0.5, 0.0, 0.25, 0.75]> : tensor<5xf32>
  %1 = "chlo.atan"(%0) : (tensor<5xf32>) -> tensor<5xf32>
  %2 = stablehlo.constant dense<[-0.7328151, -0.4636476, 0.0, 0.24497867, 0.6435011]> : tensor<5xf32>
  check.expect_close %1, %2, max_ulp_difference = 3 : tensor<5xf32>, tensor<5xf32>
  func.return
}

func.func @atanh() {
  %0 = stablehlo.constant dense<[-0.9, -0.5, 0.0, 0.25, 0.75]> : tensor<5xf32>
  %1 = "chlo.atanh"(%0) : (tensor<5xf32>) -> tensor<5xf32>
  %2 = stablehlo.constant dense<[-1.4722193, -0.54930615, 0.0, 0.25541282, 0.97295505]> : tensor<5xf32>
  check.expect_close %1, %2, max_ulp_difference = 3 : tensor<5xf32>, tensor<5xf32>
  func.return
}

func.func @erfc() {
  %0 = stablehlo.constant dense<[-0.9, -0.5, 0.0, 0.25, 0.75]> : tensor<5xf32>
  %1 = "chlo.erfc"(%0) : (tensor<5xf32>) -> tensor<5xf32>
  %2 = stablehlo.constant dense<[1.7969083, 1.5204998, 1.0, 0.7236736, 0.28884438]> : tensor<5xf32>
  check.expect_close %1, %2, max_ulp_difference = 3 : tensor<5xf32>, tensor<5xf32>
  func.return
}

func.func @is_inf() {
  %0 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 1.0]> : tensor<4xf32>
  %1 = "chlo.is_inf"(%0) : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %1, dense<[true, true, false, false]> : tensor<4xi1>
  func.return
}

func.func @is_pos_inf() {
  %0 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 1.0]> : tensor<4xf32>
  %1 = "chlo.is_pos_inf"(%0) : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %1, dense<[true, false, false, false]> : tensor<4xi1>
  func.return
}

func.func @is_neg_inf() {
  %0 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 1.0]> : tensor<4xf32>
  %1 = "chlo.is_neg_inf"(%0) : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %1, dense<[false, true, false, false]> : tensor<4xi1>
  func.return
}

func.func @conj() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-3.0, -0.5)]> : tensor<2xcomplex<f32>>
  %1 = "chlo.conj"(%0) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %1, dense<[(1.0, -2.0), (-3.0, 0.5)]> : tensor<2xcomplex<f32>>
  func.return
}

func.func @mulhi() {
  %0 = stablehlo.constant dense<[2147483647, -2147483648, 123456789]> : tensor<3xi32>
  %1 = stablehlo.constant dense<[2147483647, 2, -987654321]> : tensor<3xi32>
  %2 = "chlo.mulhi"(%0, %1) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %2, dense<[1073741823, -1, -28389653]> : tensor<3xi32>
  func.return
}

func.func @next_after() {
  %0 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %1 = stablehlo.constant dense<[2.0, 2.0, 0.0]> : tensor<3xf32>
  %2 = "chlo.next_after"(%0, %1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %2, dense<[1.0000001, 2.0, 3.9999998]> : tensor<3xf32>
  func.return
}

func.func @zeta() {
  %0 = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %2 = "chlo.zeta"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = stablehlo.constant dense<[1.644934, 1.0823232]> : tensor<2xf32>
  check.expect_close %2, %3, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  func.return
}

func.func @constant() {
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
  func.return
}

func.func @constant_like() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = "chlo.constant_like"(%0) {value = 3.5 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<3.5> : tensor<2xf32>
  func.return
}

// Running sums of a column, and their products in the carry.
func.func @scan() {
  %x = stablehlo.constant dense<[[1, 2, 3], [10, 20, 30]]> : tensor<2x3xi32>
  %c = stablehlo.constant dense<[100, 200]> : tensor<2xi32>
  %r:2 = "chlo.scan"(%x, %c) <{dimension = 1 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<2xi32>, %s: tensor<2xi32>):
    %t = stablehlo.add %a, %s : tensor<2xi32>
    stablehlo.return %t, %t : tensor<2xi32>, tensor<2xi32>
  }) : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[[101, 103, 106], [210, 230, 260]]> : tensor<2x3xi32>
  check.expect_eq_const %r#1, dense<[106, 260]> : tensor<2xi32>
  func.return
}
