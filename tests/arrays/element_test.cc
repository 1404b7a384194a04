// element: conversions of single elements, rounded once, saturating where XLA saturates.
#include "base/element.h"

#include <gtest/gtest.h>

#include <bit>

namespace baton {
namespace {

template <class H>
class Halves : public testing::Test {};
using HalfTypes = testing::Types<float16, bfloat16>;
TYPED_TEST_SUITE(Halves, HalfTypes);

TYPED_TEST(Halves, EveryValueComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    TypeParam h;
    h.bits = static_cast<std::uint16_t>(bits);
    const auto f = static_cast<float>(h);
    const TypeParam back(f), through_double = convert_element<TypeParam>(static_cast<double>(f));
    if (std::isnan(f)) {
      ASSERT_TRUE(std::isnan(static_cast<float>(back)));
      ASSERT_EQ(back.bits & 0x8000, h.bits & 0x8000);
    } else {
      ASSERT_EQ(back.bits, h.bits);
    }
    if (!std::isnan(f)) ASSERT_EQ(through_double.bits, h.bits);
  }
}

// The neighbours of every midpoint between two values: ties go to even, and the smallest step beside decides.
TYPED_TEST(Halves, RoundsToNearestEvenFromFloatAndDouble) {
  const std::uint32_t infinity = std::is_same_v<TypeParam, float16> ? 0x7c00 : 0x7f80;
  for (std::uint32_t bits = 0; bits + 1 < infinity; ++bits) {
    TypeParam low, high;
    low.bits = static_cast<std::uint16_t>(bits);
    high.bits = static_cast<std::uint16_t>(bits + 1);
    const double middle =
        (static_cast<double>(static_cast<float>(low)) + static_cast<double>(static_cast<float>(high))) / 2;
    const std::uint16_t even = (bits & 1) ? high.bits : low.bits;
    ASSERT_EQ(convert_element<TypeParam>(middle).bits, even);
    ASSERT_EQ(convert_element<TypeParam>(std::nextafter(middle, 0)).bits, low.bits);
    ASSERT_EQ(convert_element<TypeParam>(std::nextafter(middle, 1e300)).bits, high.bits);
    ASSERT_EQ(convert_element<TypeParam>(-middle).bits, even | 0x8000);
    const auto f = static_cast<float>(middle);
    if (static_cast<double>(f) != middle) continue;
    ASSERT_EQ(TypeParam(f).bits, even);
    ASSERT_EQ(TypeParam(std::nextafter(f, 0.f)).bits, low.bits);
    ASSERT_EQ(TypeParam(std::nextafter(f, INFINITY)).bits, high.bits);
  }
}

TEST(Element, HalvesOverflowToInfinity) {
  EXPECT_EQ(convert_element<float16>(65519.99).bits, 0x7bff);
  EXPECT_EQ(convert_element<float16>(65520.0).bits, 0x7c00);
  EXPECT_EQ(convert_element<float16>(1e300).bits, 0x7c00);
  EXPECT_EQ(convert_element<bfloat16>(-1e300).bits, 0xff80);
  EXPECT_EQ(convert_element<float16>(1e-300).bits, 0);
  EXPECT_EQ(convert_element<float16>(~std::uint64_t{0}).bits, 0x7c00);
  EXPECT_EQ(convert_element<float16>(std::int64_t{-65519}).bits, 0xfbff);
  EXPECT_EQ(convert_element<float16>(true).bits, 0x3c00);
}

TEST(Element, LongIntegersRoundOnce) {
  // One above the midpoint between two values of bf16, where a double has already lost the one.
  const std::uint64_t tie = (std::uint64_t{1} << 63) + (std::uint64_t{1} << 55);
  EXPECT_EQ(static_cast<float>(convert_element<bfloat16>(tie)), 0x1p63f);
  EXPECT_EQ(static_cast<float>(convert_element<bfloat16>(tie + 1)), 0x1.02p63f);
  const std::int64_t negative = -((std::int64_t{1} << 62) + (std::int64_t{1} << 54));
  EXPECT_EQ(static_cast<float>(convert_element<bfloat16>(negative)), -0x1p62f);
  EXPECT_EQ(static_cast<float>(convert_element<bfloat16>(negative - 1)), -0x1.02p62f);
  EXPECT_EQ(static_cast<float>(convert_element<bfloat16>(std::numeric_limits<std::int64_t>::min())),
            -0x1p63f);
}

TEST(Element, RealsTruncateAndSaturateToIntegers) {
  EXPECT_EQ(convert_element<std::int8_t>(-1.9f), -1);
  EXPECT_EQ(convert_element<std::int8_t>(127.9f), 127);
  EXPECT_EQ(convert_element<std::int8_t>(1000.f), 127);
  EXPECT_EQ(convert_element<std::int8_t>(-1000.f), -128);
  EXPECT_EQ(convert_element<std::uint8_t>(-1.f), 0);
  EXPECT_EQ(convert_element<int>(3e9f), 2147483647);
  EXPECT_EQ(convert_element<int>(-3e9), -2147483647 - 1);
  EXPECT_EQ(convert_element<std::int64_t>(1e19), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(convert_element<std::uint64_t>(1e20f), ~std::uint64_t{0});
  EXPECT_EQ(convert_element<std::uint64_t>(0x1p63), std::uint64_t{1} << 63);
  EXPECT_EQ(convert_element<int>(std::nan("")), 0);
  EXPECT_EQ(convert_element<std::uint16_t>(float16(INFINITY)), 65535);
}

TEST(Element, IntegersWrapAndBoolsTest) {
  EXPECT_EQ(convert_element<std::int8_t>(300), 44);
  EXPECT_EQ(convert_element<std::uint32_t>(-1), ~0u);
  EXPECT_TRUE(convert_element<bool>(0.5f));
  EXPECT_TRUE(convert_element<bool>(std::nan("")));
  EXPECT_FALSE(convert_element<bool>(-0.f));
  EXPECT_TRUE(convert_element<bool>(std::complex(0.f, 1.f)));
  EXPECT_FALSE(convert_element<bool>(float16(-0.f)));
}

TEST(Element, ComplexNumbersDropTheImaginaryPart) {
  EXPECT_EQ(convert_element<float>(std::complex(1.5, 2.)), 1.5f);
  EXPECT_EQ(convert_element<int>(std::complex(-1.5f, 2.f)), -1);
  EXPECT_EQ(convert_element<std::complex<double>>(std::complex(1.5f, 2.f)), std::complex(1.5, 2.));
  EXPECT_EQ(convert_element<std::complex<float>>(7), std::complex(7.f, 0.f));
  EXPECT_EQ(convert_element<float16>(std::complex(2048. + 1 + 1e-9, 0.)).bits, float16(2050.f).bits);
}

}  // namespace
}  // namespace baton
