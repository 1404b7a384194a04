#pragma once
// open_loop: a program that doubles its input until it is no longer below 100: its loop has no count, and so
// no reverse mode.

namespace baton {

inline const char* const open_loop = R"(func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    %n = stablehlo.constant dense<100.0> : tensor<f32>
    %0 = stablehlo.compare LT, %a, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %0 = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }
  return %r : tensor<f32>
}
)";

}  // namespace baton
