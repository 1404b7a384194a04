// control: branches, tuples, tokens, probes, and the checks themselves.
func.func @if() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.if"(%yes) ({
    %t = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %t : tensor<2xi32>
  }, {
    stablehlo.return %x : tensor<2xi32>
  }) : (tensor<i1>) -> tensor<2xi32>
  %1 = "stablehlo.if"(%no) ({
    stablehlo.return %0 : tensor<2xi32>
  }, {
    %t = stablehlo.negate %x : tensor<2xi32>
    stablehlo.return %t : tensor<2xi32>
  }) : (tensor<i1>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[2, 4]> : tensor<2xi32>
  check.expect_eq_const %1, dense<[-1, -2]> : tensor<2xi32>
  func.return
}

func.func @tuples() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.constant dense<2.5> : tensor<f32>
  %0 = stablehlo.tuple %x, %y : tuple<tensor<i32>, tensor<f32>>
  %1 = stablehlo.tuple %0, %y : tuple<tuple<tensor<i32>, tensor<f32>>, tensor<f32>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tuple<tensor<i32>, tensor<f32>>, tensor<f32>>) -> tuple<tensor<i32>, tensor<f32>>
  %3 = "stablehlo.get_tuple_element"(%2) <{index = 1 : i32}> : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
  check.expect_eq_const %3, dense<2.5> : tensor<f32>
  func.return
}

func.func @tokens() {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %0, %0 : !stablehlo.token
  %x = stablehlo.constant dense<3> : tensor<i32>
  %2 = "stablehlo.optimization_barrier"(%x) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %2, dense<3> : tensor<i32>
  func.return
}

func.func @broadcast() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.broadcast %x, sizes = [2, 1] : (tensor<2xi32>) -> tensor<2x1x2xi32>
  check.expect_eq_const %0, dense<[[[1, 2]], [[1, 2]]]> : tensor<2x1x2xi32>
  func.return
}

func.func @probes() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %0 = interpreter.probe %x, probe_id = "a" : tensor<2xi32>
  %1 = interpreter.probe %y, probe_id = "a" : tensor<2xi32>
  check.expect_serialized_eq %x, probe_id = "a" : tensor<2xi32>
  check.expect_serialized_eq %y, probe_id = "a", iter = 1 : tensor<2xi32>
  func.return
}

func.func @checks() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[1.00005, 2.0]> : tensor<2xf32>
  check.expect_eq %x, %x : tensor<2xf32>
  check.expect_almost_eq %x, %y : tensor<2xf32>
  stablehlo.custom_call @check.expect_eq(%x, %x) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_almost_eq(%x, %y) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  %0 = stablehlo.custom_call @check.eq(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  func.return
}
