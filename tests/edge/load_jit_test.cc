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

struct Lists {
  std::vector<Array> w;
};

/// (w, v, x) -> (w - x, v, sum): two leaves of a state, a batch; the state, a loss.
std::string list_file() {
  const std::string path = testing::TempDir() + "lists.mlir";
  std::ofstream(path)
      << R"(func.func public @main(%w: tensor<2xf32>, %v: tensor<f32>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>, tensor<f32>) {
    %0 = stablehlo.subtract %w, %x : tensor<2xf32>
    %1 = stablehlo.add %v, %v : tensor<f32>
    return %0, %v, %1 : tensor<2xf32>, tensor<f32>, tensor<f32>
  }
)";
  return path;
}

TEST(LoadJit, TakesTheStructureOfArgumentsWhereverTheirTypeStands) {
  struct More {
    Array loss;
    Lists again;
  };
  const Batch b{Array({1.f, 2.f})};
  auto step = load_jit<std::pair<Lists, Array>(Lists, Batch)>(list_file());
  Lists s{{Array({5.f, 6.f}), Array(2.f)}};
  EXPECT_EQ(step.update(s, b).item(), 4.f);
  EXPECT_EQ(s.w[0].read<float>()[1], 4.f);
  auto tuple = load_jit<std::tuple<Lists, Array>(Lists, Batch)>(list_file());
  EXPECT_EQ(std::get<0>(tuple(s, b)).w[0].read<float>()[1], 2.f);
  // The file's results in another order: a scalar first, then the state's types.
  const std::string path = testing::TempDir() + "last.mlir";
  std::ofstream(path)
      << R"(func.func public @main(%w: tensor<2xf32>, %v: tensor<f32>) -> (tensor<f32>, tensor<2xf32>, tensor<f32>) {
    return %v, %w, %v : tensor<f32>, tensor<2xf32>, tensor<f32>
  }
)";
  auto last = load_jit<More(Lists)>(path);
  EXPECT_EQ(last(s).again.w.size(), 2u);
  EXPECT_THROW(last(Lists{{Array(2.f), Array({5.f, 6.f})}}), UsageError);
}

TEST(LoadJit, AnArrayMayComeBackWithAnotherType) {
  const std::string path = testing::TempDir() + "sum.mlir";
  std::ofstream(path) << R"(func.func public @main(%x: tensor<2xf32>) -> tensor<2xi32> {
    %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
)";
  EXPECT_EQ(load_jit<Array(Array)>(path)(Array({1.f, 2.f})).dtype(), s32);
}

}  // namespace
}  // namespace baton
