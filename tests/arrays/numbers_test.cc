// Numbers beside arrays, memory of others, and values that are not there.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "baton/baton.h"
#include "error_of.h"

namespace baton {
namespace {

constexpr Where train{"train.cc", 41};

TEST(Numbers, ThatTheDtypeDoesNotHoldAreRefused) {
  const Array x({1, 2, 3});
  EXPECT_EQ(
      error_of([&] { lax::full_like(x, Operand(2.7, train)); }),
      "the number 2.7 is not a value of s32, the dtype of the array beside it.\n  called at train.cc:41\n"
      "  Convert the array with astype, or write a number of its dtype.");
  EXPECT_NE(error_of([&] { x.at(0).set(std::nan("")); }), "no error");
  EXPECT_NE(error_of([&] { lax::full_like(x, 1e30); }), "no error");
  EXPECT_NE(error_of([&] { lax::full_like(x, 2147483648.0); }), "no error");
  EXPECT_NE(error_of([&] { lax::full_like(Array({1.f}), std::complex<double>(1, 2)); }), "no error");
  EXPECT_EQ(lax::full_like(x, -2147483648.0).read<int>()[0], std::numeric_limits<int>::min());
  EXPECT_EQ(lax::full_like(x, 2.0).read<int>()[0], 2);
}

TEST(Numbers, AreConvertedAsArraysAre) {
  EXPECT_EQ(lax::convert_element_type(2.7, s32).item<int>(), 2);
  EXPECT_EQ(lax::convert_element_type(1e19, s64).item<std::int64_t>(),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(lax::convert_element_type(std::nan(""), s32).item<int>(), 0);
  EXPECT_EQ(lax::convert_element_type(0.1, f64).item<double>(), 0.1);
}

TEST(Numbers, AreRoundedOnceToHalf) {
  const double above_tie = 1.00048828125 + 1e-10;  // of 1 and 1 + 2^-10; a float is on the tie itself
  const Array half = lax::convert_element_type(Array(above_tie), f16);
  const Array sum = lax::mul(lax::convert_element_type(Array(1.f), f16), above_tie);
  EXPECT_EQ(sum.item(), half.item());
  EXPECT_EQ(sum.item(), 1.0009765625f);
  const std::int64_t odd = (std::int64_t{1} << 60) + (std::int64_t{1} << 52) + 1;  // just above a tie of bf16
  const Array big = lax::mul(lax::convert_element_type(Array(1.f), bf16), odd);
  EXPECT_EQ(big.item(), std::ldexp(1.f, 60) + std::ldexp(1.f, 53));
}

TEST(Numbers, OfF64AreRoundedOnce) {
  const volatile double x = -0.74999994, y = 1.5 * 0x1p51;  // a wider sum is a tie of its own
  EXPECT_EQ(lax::add(Array(double(x)), Array(double(y))).item<double>(), x + y);
  EXPECT_EQ(lax::sub(Array(double(y)), Array(double(-x))).item<double>(), y + x);
  const volatile double a = 1 + 0x1p-30, b = 1 + 0x1p-23 - 0x1p-52;
  EXPECT_EQ(lax::mul(Array(double(a)), Array(double(b))).item<double>(), a * b);
  EXPECT_EQ(lax::div(Array(double(a)), Array(double(b))).item<double>(), a / b);
}

TEST(Memory, OfOthersHoldsTruthValues) {
  const unsigned char bytes[] = {0, 1, 255};
  EXPECT_EQ(
      error_of([&] {
        Array::borrow({boolean, {3}}, bytes, train);
      }),
      "Array::borrow: the elements of bool[3] must be 0 or 1, found 255 at 2.\n  called at train.cc:41\n"
      "  Use Array::copy, which takes any memory.");
  const std::int64_t strides[] = {1};
  EXPECT_TRUE(Array::copy({boolean, {3}}, bytes, strides).read<bool>()[2]);
}

TEST(Memory, WriteTakesValuesFromTheArrayItself) {
  std::vector<float> own = {1, 2, 3};
  Array a = Array::borrow({f32, {3}}, own.data());
  a.write(std::span<const float>(a.read<float>().data(), 3));
  EXPECT_EQ(a.read<float>()[2], 3.f);
}

TEST(Values, ThatAreNotThereSayWhy) {
  Array kept;
  jit([&kept](const Array& x) { return kept = lax::sin(x); }, {.captures = Captures::frozen})(Array(1.f));
  EXPECT_NE(error_of([&] {
              kept.item<float>(train);
            }).find("has escaped: that trace has ended.\n  called at train.cc:41"),
            std::string::npos)
      << error_of([&] { kept.item<float>(train); });
  EXPECT_EQ(
      error_of([&] {
        abstract({f32, {2}}).read<float>(train);
      }),
      "read: the value of a traced array f32[2] was asked for. It has a type and no value: it comes from "
      "abstract or eval_shape.\n  called at train.cc:41");
}

}  // namespace
}  // namespace baton
