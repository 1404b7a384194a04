// narrow: what is refused of narrow types, and their derivatives. Their numbers stand in
// tests/data/stablehlo/narrow.mlir.
#include <gtest/gtest.h>

#include <cmath>

#include "arrays.h"
#include "baton/stablehlo.h"
#include "interop/derivative.h"
#include "interop/mlir/narrow.h"
#include "interop/runner.h"
#include "interop/stablehlo/verdict.h"

namespace baton::stablehlo {
namespace {

std::string reason(const std::string& body) {
  return check_text("func.func @main() {\n" + body + "\n  return\n}", "f.mlir").reason;
}
const std::string x4 = "  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi4>\n";
const std::string x8 = "  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E5M2>\n";
std::string refused(const std::string& type, const std::string& carrier) {
  return " of " + type + " is not supported.\n  Use " + carrier + " there and convert.";
}

TEST(Narrow, OperationsOnBitsAreRefused) {
  EXPECT_EQ(reason(x4 + "  %0 = chlo.mulhi %x, %x : tensor<2xi4>"),
            "f.mlir:3:8: chlo.mulhi" + refused("i4", "i8"));
  EXPECT_EQ(reason(x8 + "  %0 = chlo.next_after %x, %x : tensor<2xf8E5M2>"),
            "f.mlir:3:8: chlo.next_after" + refused("f8E5M2", "f32"));
  EXPECT_EQ(reason(x8 + "  %0 = stablehlo.bitcast_convert %x : (tensor<2xf8E5M2>) -> tensor<2xui8>"),
            "f.mlir:3:8: stablehlo.bitcast_convert" + refused("f8E5M2", "f32"));
  EXPECT_EQ(reason("  %x = stablehlo.constant dense<1> : tensor<2xui8>\n"
                   "  %0 = stablehlo.bitcast_convert %x : (tensor<2xui8>) -> tensor<2xf8E5M2>"),
            "f.mlir:3:8: stablehlo.bitcast_convert" + refused("f8E5M2", "f32"));
  EXPECT_EQ(reason(x4 + "  %0 = stablehlo.bitcast_convert %x : (tensor<2xi4>) -> tensor<i8>"),
            "f.mlir:3:8: stablehlo.bitcast_convert" + refused("i4", "i8"));
  EXPECT_EQ(reason("  %x = stablehlo.constant dense<1> : tensor<2xui64>\n"
                   "  %0:2 = stablehlo.rng_bit_generator %x, algorithm = THREE_FRY : (tensor<2xui64>) -> "
                   "(tensor<2xui64>, tensor<2xui4>)"),
            "f.mlir:3:10: stablehlo.rng_bit_generator" + refused("ui4", "ui8"));
  EXPECT_EQ(reason(x8 + "  check.expect_close %x, %x, max_ulp_difference = 1 : tensor<2xf8E5M2>, "
                        "tensor<2xf8E5M2>"),
            "f.mlir:3:3: check.expect_close" + refused("f8E5M2", "f32"));
}

TEST(Narrow, TypesThatDoNotFitAreRefused) {
  EXPECT_EQ(reason(x4 + "  %0 = stablehlo.add %x, %x : tensor<2xi8>"),
            "f.mlir:3:8: `stablehlo.add`: operand 0 is declared as tensor<2xi8>, but its elements are i4.");
  EXPECT_EQ(reason("  %x = stablehlo.constant dense<100> : tensor<2xi8>\n"
                   "  %0 = stablehlo.add %x, %x : tensor<2xi4>"),
            "f.mlir:3:8: `stablehlo.add`: operand 0 is declared as tensor<2xi4>, but its elements are s8.");
  EXPECT_EQ(reason(x4 + "  %0 = stablehlo.negate %x : (tensor<2xi4>) -> tensor<2xui4>"),
            "f.mlir:3:8: `stablehlo.negate`: the result is declared as tensor<2xui4>, carried by u8[2], but "
            "it is s8[2].");
  EXPECT_EQ(
      reason("  %x = stablehlo.constant dense<100> : tensor<2xi32>\n"
             "  %p = stablehlo.constant dense<true> : tensor<2xi1>\n"
             "  %0 = stablehlo.select %p, %x, %x : tensor<2xi1>, tensor<2xi4>"),
      "f.mlir:4:8: `stablehlo.select`: the result is declared as tensor<2xi4>, but its elements are s32.");
  EXPECT_EQ(reason(x4 + "  %0 = stablehlo.add %x, %x : tensor<?xi4>"),
            "f.mlir:3:8: `stablehlo.add` of a narrow type: a result of type tensor<?xi4> is not supported.");
  EXPECT_EQ(reason(x8 + "  %0 = stablehlo.complex %x, %x : (tensor<2xf8E5M2>, tensor<2xf8E5M2>) -> "
                        "tensor<2xcomplex<f8E5M2>>"),
            "f.mlir:3:8: `stablehlo.complex` of a narrow type: a result of type tensor<2xcomplex<f8E5M2>> is "
            "not supported.");
  EXPECT_EQ(reason("  %x = stablehlo.constant dense<1> : tensor<2xi8>\n"
                   "  %i = stablehlo.constant dense<0> : tensor<i8>\n"
                   "  %0 = \"stablehlo.reduce\"(%x, %i) <{dimensions = array<i64: 0>}> ({\n"
                   "  ^bb0(%a: tensor<i4>, %b: tensor<i4>):\n    stablehlo.return %a : tensor<i4>\n"
                   "  }) : (tensor<2xi8>, tensor<i8>) -> tensor<i8>"),
            "f.mlir:4:8: stablehlo.reduce: argument %a of region 0 is declared as tensor<i4>, which is no "
            "operand's type.");
  EXPECT_EQ(reason(x4 + "  check.expect_eq_const %x, dense<[1, 2]> : tensor<2xi8>"),
            "f.mlir:3:3: check.expect_eq_const: two operands of one type are required.");
}

TEST(Narrow, ConstantsThatDoNotFitAreRefused) {
  const auto constant = [](const std::string& value, const std::string& type) {
    return reason("  %0 = stablehlo.constant dense<" + value + "> : tensor<" + type + ">");
  };
  EXPECT_EQ(constant("[7, -8, 15]", "3xi4"), "no check ran");  // 15: the bits of -1
  EXPECT_EQ(constant("[16]", "1xi4"), "f.mlir:2:34: a number is required, found `16` in dense<...>.");
  EXPECT_EQ(constant("[-9]", "1xi4"), "f.mlir:2:34: a number is required, found `-9` in dense<...>.");
  EXPECT_EQ(constant("[-1]", "1xui4"), "f.mlir:2:34: a number is required, found `-1` in dense<...>.");
  EXPECT_EQ(constant("0x40", "1xf6E2M3FN"), "f.mlir:2:33: a number is required, found `0x40` in dense<...>.");
  EXPECT_EQ(constant("0x100", "1xf8E5M2"), "f.mlir:2:33: a number is required, found `0x100` in dense<...>.");
  EXPECT_EQ(constant("\"0x2143\"", "4xi4"), "f.mlir:2:27: the constant s8[4] takes 4 elements, found 2.");
  EXPECT_EQ(constant("\"0x3C\"", "4xf8E5M2"), "no check ran");  // a splat
}

TEST(Narrow, ReductionsOfProcessesAreRefused) {
  const std::string f =
      "func.func @f(%x: tensor<2xi4>) -> tensor<2xi4> {\n"
      "  %0 = \"stablehlo.all_reduce\"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({\n"
      "  ^bb0(%a: tensor<i4>, %b: tensor<i4>):\n    %s = stablehlo.add %a, %b : tensor<i4>\n"
      "    stablehlo.return %s : tensor<i4>\n  }) : (tensor<2xi4>) -> tensor<2xi4>\n"
      "  return %0 : tensor<2xi4>\n}\n";
  const Verdict v = check_text(
      f + "func.func @main() {\n" + x4 +
          "  %0:2 = \"interpreter.run_parallel\"(%x, %x) {programs = [[@f], [@f]]} : (tensor<2xi4>, "
          "tensor<2xi4>) -> (tensor<2xi4>, tensor<2xi4>)\n  return\n}",
      "f.mlir");
  EXPECT_EQ(v.kind, Verdict::Kind::unsupported);
  EXPECT_EQ(v.reason, "f.mlir:2:8: stablehlo.all_reduce: this reduction is not supported.");
}

TEST(Narrow, ProgramsDoNotTakeOrGiveThem) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      import_stablehlo(text, "main", "f.mlir");
    } catch (const UnsupportedError& e) {
      return e.what();
    }
    return "read";
  };
  EXPECT_EQ(refusal("func.func @main(%x: tensor<2xui4>) -> tensor<2xui4> { return %x : tensor<2xui4> }"),
            "f.mlir:1:1: the argument %x of @main is of the narrow type ui4, which stays inside a program.\n"
            "  Let the function take or return ui8 and convert inside.");
  EXPECT_EQ(refusal("func.func @main() -> tensor<2xf8E5M2> {\n" + x8 + "  return %x : tensor<2xf8E5M2>\n}"),
            "f.mlir:1:1: a result of @main is of the narrow type f8E5M2, which stays inside a program.\n"
            "  Let the function take or return f32 and convert inside.");
  const StableHloModule m =
      parse_stablehlo("func.func @main(%x: tensor<2xi4>) -> tensor<f32> {\n  return %x : tensor<2xi4>\n}");
  EXPECT_TRUE(m.functions()[0].inputs.empty());
}

/// On arrays and one by one, the same numbers: all of a format go to themselves.
TEST(Narrow, EachNumberIsItsOwnNearest) {
  for (const char* name : {"f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ",
                           "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU"}) {
    const mlir::Narrow& n = *mlir::narrow_type(name);
    double largest = 0;
    for (unsigned bits = 0; bits < 1u << n.bits; ++bits) {
      const double x = mlir::value_of(n, bits), y = mlir::nearest(n, x);
      EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y))) << name << " " << bits;
      EXPECT_EQ(std::signbit(x), std::signbit(y)) << name << " " << bits;
      if (std::isfinite(x)) largest = std::max(largest, x);
    }
    EXPECT_EQ(largest, n.largest) << name;
  }
}

/// The derivative of a rounding is one, as JAX has it, also below the normal numbers.
TEST(Narrow, RoundingsHandDerivativesThrough) {
  const Program p = import_stablehlo(R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  %1 = stablehlo.multiply %0, %0 : tensor<4xf8E4M3FN>
  %2 = stablehlo.convert %1 : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
})");
  const Arrays out =
      run_program(vjp_program(p), {Array({3.1f, 0.001f, -0.01f, 0.0f}), Array({1.f, 1.f, 1.f, 1.f})});
  EXPECT_EQ(text(out[0]), "f32[4] {9, 0, 0, 0}");
  EXPECT_EQ(text(out[1]), "f32[4] {6, 0.00390625, -0.0195312, 0}");
}

}  // namespace
}  // namespace baton::stablehlo
