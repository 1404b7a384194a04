// text: what Program::parse takes and refuses, number by number.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "baton/baton.h"

namespace baton {
namespace {

std::string error(const std::string& text) {
  try {
    Program::parse(text);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "no error";
}
std::string returning(const std::string& literal) { return "{ -> \n  return " + literal + " }"; }

TEST(Text, NaNsOfAnyBitsReadBack) {
  for (std::uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7fc00001u, 0x7f800001u}) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    const Program p = trace(
        [x](const Array& a) {
          return std::tuple(a, Array(x), Array(std::complex<float>(1.f, x)),
                            Array(std::complex<double>(x, -0.0)));
        },
        Array(1.f));
    EXPECT_EQ(Program::parse(p.text()).hash(), p.hash()) << p;
  }
}

TEST(Text, ParametersThatAreNaNReadBack) {
  for (double fill : {std::nan(""), -std::nan("")}) {
    const Program p = trace(
        [fill](const Array& x) {
          return lax::gather(x, Array({0}, {1, 1}), {.collapsed_slice_dims = {0}, .start_index_map = {0}},
                             {1}, {.fill_value = fill});
        },
        Array({1.f, 2.f}));
    EXPECT_EQ(Program::parse(p.text()).hash(), p.hash()) << p;
  }
}

TEST(Text, NumbersMustBeValuesOfTheirDtype) {
  EXPECT_EQ(error(returning("-128:s8")), "no error");
  EXPECT_EQ(error(returning("18446744073709551615:u64")), "no error");
  EXPECT_EQ(error(returning("-9223372036854775808:s64")), "no error");
  for (const char* literal :
       {"300:u8", "-1:u8", "128:s8", "-129:s8", "9223372036854775808:s64", "18446744073709551616:u64",
        "(1,2):f32", "(1,2):s32", "1:c64", "0xzz:f32", "0x7fc00000:c128", "0x1:s32", "1e:f32", "2:bool"})
    EXPECT_NE(error(returning(literal)), "no error") << literal;
}

TEST(Text, IntegersOfParametersAreNotCut) {
  EXPECT_NE(error("{ a:f32[2] ->\n  b:f32[2] = integer_pow a {exponent=4294967298}\n  return b }"),
            "no error");
}

TEST(Text, AVariableIsDefinedOnce) {
  const std::string wanted = "Program::parse: expected a name that no variable has yet, found ";
  EXPECT_EQ(error("{ a:f32[], a:f32[] ->\n  return a }"), wanted + "`a:f32[] ->` at line 1, column 12.");
  EXPECT_EQ(error("{ a:f32[] ->\n  a:f32[] = sin a\n  return a }"),
            wanted + "`a:f32[] = sin a` at line 2, column 3.");
  EXPECT_EQ(error("{ a:f32[3] ->\n  b:f32[3], b:s32[3] = sort a, a {dimension=0}\n  return b }").find(wanted),
            0u);
  // A Program inside of another has names of its own.
  const Program p = trace(
      [](const Array& x) {
        return fori_loop(
            0, 2, [](const Array&, const Array& c) { return lax::sin(c); }, x);
      },
      Array(1.f));
  EXPECT_EQ(Program::parse(p.text()).hash(), p.hash()) << p;
}

TEST(Text, ShapesMustBeShapes) {
  for (const char* shape :
       {"-1", "4611686018427387904,4", "1099511627776,1099511627776", "99999999999999999999"})
    EXPECT_NE(error("{ a:f32[" + std::string(shape) + "] -> \n  return a }"), "no error") << shape;
}

}  // namespace
}  // namespace baton
