// load_jit_errors: files and C++ signatures that do not fit each other, one test each, with the exact
// message.
#include <filesystem>
#include <fstream>

#include "baton/load_jit.h"
#include "errors.h"

namespace baton {
namespace {

/// Messages name files as they were given, so the files lie in the current folder: one for tests.
class LoadJitErrors : public ::testing::Test {
 protected:
  LoadJitErrors() : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(::testing::TempDir());
  }
  ~LoadJitErrors() override { std::filesystem::current_path(before_); }

 private:
  const std::filesystem::path before_;
};

struct State {
  Array w, step;
};
/// Writes `step.mlir`: (f32[2], s32[]) -> the same, the second one plus one.
void write_file() {
  std::ofstream("step.mlir")
      << R"(func.func public @main(%w: tensor<2xf32>, %i: tensor<i32>) -> (tensor<2xf32>, tensor<i32>) {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    return %w, %next : tensor<2xf32>, tensor<i32>
  }
)";
}
/// Writes `swap.mlir`: (f32[2], s32[]) -> (s32[], f32[2]).
void write_swap() {
  std::ofstream("swap.mlir")
      << R"(func.func public @main(%w: tensor<2xf32>, %i: tensor<i32>) -> (tensor<i32>, tensor<2xf32>) {
    return %i, %w : tensor<i32>, tensor<2xf32>
  }
)";
}

TEST_F(LoadJitErrors, LoadedFileIsMissing) {
  EXPECT_MESSAGE(load_jit<State(State)>("none.mlir", {}, train),
                 R"(stablehlo: none.mlir cannot be opened: No such file or directory.
  called at train.cc:41
  Check the path.)");
}

TEST_F(LoadJitErrors, LoadedFunctionTakesOtherArguments) {
  write_file();
  auto step = load_jit<Array(Array)>("step.mlir", {}, train);
  EXPECT_MESSAGE(step(Array(1.f)),
                 R"(load_jit: step.mlir takes 2 arguments, and the C++ arguments have 1 leaves.
  called at load_jit_errors_test.cc:LINE)");
}

TEST_F(LoadJitErrors, LoadedArgumentHasAnotherType) {
  write_file();
  auto step = load_jit<State(State)>("step.mlir", {}, train);
  EXPECT_MESSAGE(step(State{Array({1.f, 2.f, 3.f}), Array(0)}),
                 R"(load_jit: step.mlir: argument 0 must be f32[2], found leaf args[0].w f32[3].
  called at load_jit_errors_test.cc:LINE)");
}

TEST_F(LoadJitErrors, LoadedFunctionGivesOtherResults) {
  write_file();
  auto step = load_jit<Array(State)>("step.mlir", {}, train);
  EXPECT_MESSAGE(step(State{Array({1.f, 2.f}), Array(0)}),
                 R"(load_jit: step.mlir gives 2 results, and the C++ result has 1 leaves.
  called at load_jit_errors_test.cc:LINE)");
}

TEST_F(LoadJitErrors, LoadedResultHasAnotherType) {
  write_swap();
  auto swap = load_jit<State(State)>("swap.mlir", {}, train);
  EXPECT_MESSAGE(swap(State{Array({1.f, 2.f}), Array(0)}),
                 R"(load_jit: swap.mlir: result 0 is s32[], and leaf result.w must be f32[2].
  called at load_jit_errors_test.cc:LINE)");
}

}  // namespace
}  // namespace baton
