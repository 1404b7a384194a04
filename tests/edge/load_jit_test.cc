// load_jit: an exported training step with a C++ signature.
#include "baton/load_jit.h"

#include <gtest/gtest.h>

#include <fstream>

#include "baton/baton.h"

namespace baton {
namespace {

struct State {
  Array w, step;
};
struct Batch {
  Array x;
};
struct Out {
  State state;
  Array loss;
};

std::string file() {
  const std::string path = testing::TempDir() + "step.mlir";
  std::ofstream(path) << R"(module @jit_step {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<i32>, %arg2: tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>, tensor<f32>) {
    %0 = stablehlo.subtract %arg0, %arg2 : tensor<2xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %arg1, %c : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    return %0, %1, %2 : tensor<2xf32>, tensor<i32>, tensor<f32>
  }
}
)";
  return path;
}

TEST(LoadJit, BindsAndDonates) {
  auto step = load_jit<Out(State, Batch)>(file());
  State s{Array({5.f, 6.f}), Array(0)};
  const Batch b{Array({1.f, 2.f})};
  const void* w = s.w.data();
  EXPECT_EQ(step.update(s, b).item(), 8.f);
  EXPECT_EQ(step.update(s, b).item(), 5.f);
  EXPECT_EQ(s.step.item<int>(), 2);
  EXPECT_EQ(s.w.data(), w);
}

TEST(LoadJit, NamesTheFirstLeafThatDiffers) {
  auto step = load_jit<Out(State, Batch)>(file());
  State s{Array({5.f, 6.f, 7.f}), Array(0)};
  try {
    step.update(s, Batch{Array({1.f, 2.f})});
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("argument 0 must be f32[2], found leaf args[0].w f32[3]."),
              std::string::npos)
        << e.what();
  }
  EXPECT_EQ(s.w.size(), 3);
}

}  // namespace
}  // namespace baton
