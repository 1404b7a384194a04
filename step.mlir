func.func public @main(%w: tensor<2xf32>, %i: tensor<i32>) -> (tensor<2xf32>, tensor<i32>) {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    return %w, %next : tensor<2xf32>, tensor<i32>
  }
