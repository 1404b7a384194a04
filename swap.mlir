func.func public @main(%w: tensor<2xf32>, %i: tensor<i32>) -> (tensor<i32>, tensor<2xf32>) {
    return %i, %w : tensor<i32>, tensor<2xf32>
  }
