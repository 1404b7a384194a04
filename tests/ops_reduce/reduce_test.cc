// reduce: reductions, running combinations and argmax against numbers worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "baton/error.h"
#include "baton/lax.h"

namespace baton {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

template <class T>
std::vector<T> values(const Array& a) {
  return a.read<T>().vector();
}
using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

template <class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const UsageError& e) {
    const std::string text = e.what();
    const auto at = text.find("\n  called at");
    return at == std::string::npos ? text : text.substr(0, at) + text.substr(std::min(text.find('\n', at + 1), text.size()));
  }
  return "no error";
}

TEST(Reduce, Products) {
  const Array x({1.f, 2.f, 3.f, 4.f, 5.f, 0.f}, {2, 3});
  EXPECT_EQ(values<float>(lax::reduce_prod(x, {1})), (Floats{6, 0}));
  EXPECT_EQ(values<float>(lax::reduce_prod(x, {0})), (Floats{4, 10, 0}));
  EXPECT_EQ(lax::reduce_prod(x, {1, 0}).item(), 0.f);
  EXPECT_EQ(lax::reduce_prod(lax::zeros({f32, {0}}), {0}).item(), 1.f);
  EXPECT_EQ(lax::reduce_prod(Array({2, 3, 7}), {0}).item<std::int32_t>(), 42);
}

TEST(Reduce, LargestAndSmallest) {
  const Array x({1.f, 7.f, nan, -4.f, 5.f, 0.f}, {2, 3});
  EXPECT_EQ(values<float>(lax::reduce_max(x, {0}))[1], 7.f);
  EXPECT_TRUE(std::isnan(values<float>(lax::reduce_max(x, {1}))[0]));
  EXPECT_TRUE(std::isnan(values<float>(lax::reduce_min(x, {1}))[0]));
  EXPECT_EQ(values<float>(lax::reduce_min(x, {1}))[1], -4.f);
  EXPECT_EQ(lax::reduce_max(lax::zeros({f32, {0}}), {0}).item(), -inf);
  EXPECT_EQ(lax::reduce_min(lax::zeros({s8, {0}}), {0}).item<std::int8_t>(), 127);
  EXPECT_EQ(lax::reduce_max(Array({false, true}), {0}).item<bool>(), true);
  using C = std::complex<float>;
  EXPECT_EQ(lax::reduce_max(Array({C(1, 5), C(1, 7), C(0, 9)}), {0}).item<C>(), C(1, 7));
}

TEST(Reduce, Bits) {
  const Array x({12, 10, 6});
  EXPECT_EQ(lax::reduce_and(x, {0}).item<std::int32_t>(), 0);
  EXPECT_EQ(lax::reduce_or(x, {0}).item<std::int32_t>(), 14);
  EXPECT_EQ(lax::reduce_xor(x, {0}).item<std::int32_t>(), 0);
  const Array none = lax::zeros({boolean, {0}});
  EXPECT_TRUE(lax::reduce_and(none, {0}).item<bool>());
  EXPECT_FALSE(lax::reduce_or(none, {0}).item<bool>());
  EXPECT_EQ(lax::reduce_and(lax::zeros({u8, {0}}), {0}).item<std::uint8_t>(), 255);
}

TEST(Reduce, IndexOfTheLargest) {
  const Array x({1.f, 3.f, 3.f, nan, 5.f, nan}, {2, 3});
  EXPECT_EQ(values<std::int32_t>(lax::argmax(x, 1)), (Ints{1, 0}));
  EXPECT_EQ(values<std::int32_t>(lax::argmin(x, -1)), (Ints{0, 0}));
  EXPECT_EQ(values<std::int64_t>(lax::argmin(x, 0, s64)), (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_EQ(lax::argmax(Array({false, true, true}), 0, u8).item<std::uint8_t>(), 1);
}

TEST(Reduce, RunningCombinations) {
  const Array x({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {2, 3});
  EXPECT_EQ(values<float>(lax::cumsum(x, 1)), (Floats{1, 3, 6, 4, 9, 15}));
  EXPECT_EQ(values<float>(lax::cumsum(x, 0, true)), (Floats{5, 7, 9, 4, 5, 6}));
  EXPECT_EQ(values<float>(lax::cumprod(x, -1, true)), (Floats{6, 6, 3, 120, 30, 6}));
  EXPECT_EQ(values<std::int32_t>(lax::cummax(Array({1, 5, 2, 7, 3}))), (Ints{1, 5, 5, 7, 7}));
  EXPECT_EQ(values<std::int32_t>(lax::cummin(Array({4, 5, 2, 7, 3}), 0, true)), (Ints{2, 2, 2, 3, 3}));
  EXPECT_EQ(values<std::int8_t>(lax::cumsum(Array({std::int8_t{100}, std::int8_t{100}}))),
            (std::vector<std::int8_t>{100, -56}));
  const Array y({1000.f, 1000.f, -inf});
  EXPECT_EQ(values<float>(lax::cumlogsumexp(y)), (Floats{1000.f, 1000.f + std::log(2.f), 1000.f + std::log(2.f)}));
  EXPECT_EQ(values<float>(lax::cumlogsumexp(y, 0, true))[2], -inf);
}

TEST(Reduce, Errors) {
  const Array x = lax::zeros({f32, {2, 3}});
  EXPECT_EQ(message([&] { lax::reduce_max(x, {2}); }), "reduce_max: axis 2 is out of range for f32[2,3].");
  EXPECT_EQ(message([&] { lax::reduce_prod(x, {1, 1}); }), "reduce_prod: axis 1 is given twice in (1,1).");
  EXPECT_EQ(message([&] { lax::reduce_or(x, {0}); }),
            "reduce_or: operand 0 must be an integer or bool, found f32[2,3].");
  EXPECT_EQ(message([&] { lax::argmax(lax::zeros({f32, {2, 0}}), 1); }),
            "argmax: axis 1 of f32[2,0] has no elements to choose from.");
  EXPECT_EQ(message([&] { lax::argmax(x, 0, f32); }), "argmax: the index dtype must be an integer, found f32.");
  EXPECT_EQ(message([&] { lax::argmin(lax::zeros({f32, {300}}), 0, u8); }),
            "argmin: axis 0 of f32[300] is too long for indices of u8.");
  EXPECT_EQ(message([&] { lax::cumsum(x, 5); }), "cumsum: axis 5 is out of range for f32[2,3].");
}

}  // namespace
}  // namespace baton
