// import: operations whose StableHLO meaning is not that of lax, and forms that are recognised.
#include <gtest/gtest.h>

#include "arrays.h"
#include "baton/stablehlo.h"
#include "interop/derivative.h"
#include "interop/runner.h"
#include "open_loop.h"
#include "program/primitive.h"

namespace baton {
namespace {

Arrays run(const std::string& text, const Arrays& in = {}) { return run_program(import_stablehlo(text), in); }

bool uses(const Program& p, std::string_view primitive) {
  for (const Equation& e : p->equations)
    if (e.primitive->name == primitive) return true;
  return false;
}

TEST(Import, ArithmeticOfTruthValues) {
  const Arrays out = run(R"(
func.func @main() -> (tensor<4xi1>, tensor<4xi1>, tensor<i1>) {
  %a = stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
  %b = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %0 = stablehlo.add %a, %b : tensor<4xi1>
  %1 = stablehlo.multiply %a, %b : tensor<4xi1>
  %c = stablehlo.constant dense<false> : tensor<i1>
  %2 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<i1>
})");
  EXPECT_EQ(text(out[0]), text(Array({true, true, true, false}, {4})));
  EXPECT_EQ(text(out[1]), text(Array({true, false, false, false}, {4})));
  EXPECT_TRUE(out[2].item<bool>());
}

TEST(Import, TotalOrder) {
  const Arrays out = run(R"(
func.func @main() -> tensor<3xi1> {
  %a = stablehlo.constant dense<[-0.0, 0x7FC00000, 0xFFC00000]> : tensor<3xf32>
  %b = stablehlo.constant dense<[0.0, 0x7F800000, 0xFF800000]> : tensor<3xf32>
  %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
})");
  EXPECT_EQ(text(out[0]), text(Array({true, false, true}, {3})));
}

TEST(Import, ReductionsOfOneOperationHaveGradients) {
  for (const char* order : {"%a, %b", "%b, %a"}) {
    const Program p = import_stablehlo(std::string(R"(
func.func @main(%x: tensor<3xf32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum )") + order +
                                       R"( : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
})");
    EXPECT_TRUE(uses(p, "reduce_max")) << p;
    const Arrays g = run_program(vjp_program(p), {Array({1.f, 5.f, 2.f}), Array(2.f)});
    EXPECT_EQ(text(g[1]), text(Array({0.f, 2.f, 0.f})));
  }
}

TEST(Import, InitialValuesTakePart) {
  const Arrays out = run(R"(
func.func @main() -> tensor<i32> {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %c = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
})");
  EXPECT_EQ(out[0].item<std::int32_t>(), 16);
}

const char* const loop = R"(
func.func @main(%x: tensor<4x2xf32>, %s: tensor<2xf32>) -> (tensor<2xf32>, tensor<4x2xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %ys = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %r:4 = stablehlo.while(%xs = %x, %i = %c, %h = %s, %y = %ys) : tensor<4x2xf32>, tensor<i32>, tensor<2xf32>, tensor<4x2xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %0 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %0 = func.call @at(%xs, %INDEX) : (tensor<4x2xf32>, tensor<i32>) -> tensor<2xf32>
    %1 = stablehlo.multiply %h, %0 : tensor<2xf32>
    %2 = stablehlo.reshape %h : (tensor<2xf32>) -> tensor<1x2xf32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %y, %2, %i, %c0 : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %xs, %4, %1, %3 : tensor<4x2xf32>, tensor<i32>, tensor<2xf32>, tensor<4x2xf32>
  }
  return %r#2, %r#3 : tensor<2xf32>, tensor<4x2xf32>
}
func.func private @at(%a: tensor<4x2xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %i, %c, sizes = [1, 2] : (tensor<4x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
})";

TEST(Import, CountedLoopsAreScans) {
  std::string source = loop;
  source.replace(source.find("%INDEX"), 6, "%i");
  const Program p = import_stablehlo(source);
  EXPECT_TRUE(uses(p, "scan")) << p;
  EXPECT_FALSE(uses(p, "while")) << p;
  for (const Equation& e : p->equations)
    if (e.primitive->name == "scan") {
      EXPECT_EQ(e.inputs.size(), 2u) << p;  // the state, and x row by row
    }
  const Array x({1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f}, {4, 2}), s({1.f, 1.f});
  const Arrays out = run_program(p, {x, s});
  EXPECT_EQ(text(out[0]), text(Array({105.f, 384.f})));
  EXPECT_EQ(text(out[1]), text(Array({1.f, 1.f, 1.f, 2.f, 3.f, 8.f, 15.f, 48.f}, {4, 2})));
  const Arrays g =
      run_program(vjp_program(p), {x, s, Array({1.f, 1.f}), Array(std::vector<float>(8), {4, 2})});
  EXPECT_EQ(text(g[2]), text(Array({105.f, 192.f, 35.f, 96.f, 21.f, 64.f, 15.f, 48.f}, {4, 2})));
  EXPECT_EQ(text(g[3]), text(Array({105.f, 384.f})));
}

TEST(Import, LoopsThatDoNotCountStayLoops) {
  const Program p = import_stablehlo(open_loop);
  EXPECT_TRUE(uses(p, "while")) << p;
  EXPECT_EQ(run_program(p, {Array(3.f)})[0].item(), 192.f);
}

TEST(Import, AnOpenLoopHasForwardModeAndAnErrorWithItsLine) {
  const Program p = import_stablehlo(open_loop, "main", "loop.mlir");
  const Arrays moved = run_program(jvp_program(p), {Array(3.f), Array(1.f)});
  EXPECT_EQ(moved[0].item(), 192.f);
  EXPECT_EQ(moved[1].item(), 64.f);
  try {
    vjp_program(p);
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_EQ(std::string(e.what()),
              "while: reverse mode is not possible through this operation.\n"
              "  for the operation at loop.mlir:2\n"
              "  Give while_loop a bound with {.max_steps = n}, or use scan or fori_loop; in a program of a "
              "file, a "
              "loop of fixed length.");
  }
}

/// A loop over integers alone is in nobody's way.
TEST(Import, AnOpenLoopBesideTheGradientIsRun) {
  const Program p = import_stablehlo(R"(
func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
  %r = stablehlo.while(%a = %n) : tensor<i32>
  cond {
    %m = stablehlo.constant dense<100> : tensor<i32>
    %0 = stablehlo.compare LT, %a, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %0 = stablehlo.add %a, %a : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }
  %f = stablehlo.convert %r : (tensor<i32>) -> tensor<f32>
  %y = stablehlo.multiply %x, %f : tensor<f32>
  return %y : tensor<f32>
})");
  const Arrays g = run_program(vjp_program(p), {Array(2.f), Array(3), Array(1.f)});
  EXPECT_EQ(g[0].item(), 384.f);
  EXPECT_EQ(g[1].item(), 192.f);
}

TEST(Import, BranchesReadFromOutside) {
  const std::string source = R"(
func.func @main(%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
})";
  EXPECT_EQ(run(source, {Array(0), Array(1.f), Array(2.f)})[0].item(), 3.f);
  EXPECT_EQ(run(source, {Array(1), Array(1.f), Array(2.f)})[0].item(), 2.f);
  EXPECT_EQ(run(source, {Array(-1), Array(1.f), Array(2.f)})[0].item(),
            2.f);  // out of range: the last branch
}

TEST(Import, IntegerPowers) {
  const Arrays out = run(R"(
func.func @main() -> tensor<6xi32> {
  %a = stablehlo.constant dense<[2, -3, 0, -1, 1, 5]> : tensor<6xi32>
  %b = stablehlo.constant dense<[10, 3, 0, -3, -2, -1]> : tensor<6xi32>
  %0 = stablehlo.power %a, %b : tensor<6xi32>
  return %0 : tensor<6xi32>
})");
  EXPECT_EQ(text(out[0]), text(Array({1024, -27, 1, -1, 1, 0})));
}

TEST(Import, LinesOfTheFileAreBlamed) {
  try {
    import_stablehlo(
        "func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.add %x, %y : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}",
        "main", "model.mlir");
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("model.mlir:2"), std::string::npos) << e.what();
  }
}

TEST(Import, CompositesOfChloAndDecompositions) {
  const Arrays out = run(R"(
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.composite "chlo.erf" %x {decomposition = @none, version = 1 : i32} : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.composite "my.double" %x {decomposition = @double} : (tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
func.func private @double(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  return %0 : tensor<f32>
})",
                         {Array(0.5f)});
  EXPECT_FLOAT_EQ(out[0].item(), std::erf(0.5f));
  EXPECT_EQ(out[1].item(), 1.f);
}

}  // namespace
}  // namespace baton
