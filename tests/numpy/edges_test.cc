// edges: empty axes, masks that leave nothing, singular matrices, numbers that no result can hold. The
// expected numbers are those of jax 0.10.2, or of numpy where JAX has none.
#include <gtest/gtest.h>

#include <cmath>

#include "baton/baton.h"
#include "error_of.h"

namespace baton {
namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Ints = std::vector<std::int32_t>;
using Longs = std::vector<std::int64_t>;

template <class T>
std::vector<T> values(const Array& a) {
  return a.read<T>().vector();
}
Array none(Shape shape, Dtype d = f32) { return zeros(shape, d); }

TEST(NumpyEdges, PowersOfIntegersAreExact) {
  EXPECT_EQ(values<std::int32_t>(power(Array({0, 2, -1, 3, 0, -1}), Array({64, 64, 65, 2, 0, -3}))),
            (Ints{0, 0, -1, 9, 1, -1}));
  EXPECT_EQ(values<std::int32_t>(power(Array({0, 2}), 64)), (Ints{0, 0}));
}

TEST(NumpyEdges, SoftmaxOfNothingIsZero) {
  const Array x({1.f, 2.f, 3.f, 4.f}, {2, 2}), mask({false, false, true, false}, {2, 2});
  EXPECT_EQ(values<float>(softmax(x, -1, {.where = mask})), (Floats{0, 0, 1, 0}));
  const Array slope = grad([&](const Array& a) { return sum(square(softmax(a, -1, {.where = mask}))); })(x);
  EXPECT_EQ(values<float>(slope), (Floats{0, 0, 0, 0}));
  EXPECT_EQ(values<float>(log_softmax(x, -1, {.where = mask}))[0], -INFINITY);
}

TEST(NumpyEdges, TakingNothingFromEmptyAxes) {
  const Array i = none({0}, s32);
  EXPECT_EQ(take(none({0}), i, 0).shape(), (Shape{0}));
  EXPECT_EQ(take(none({2, 0}), none({0, 3}, s32), 1).shape(), (Shape{2, 0, 3}));
  EXPECT_EQ(take(none({0, 0}), Array({1, 2}), 0).shape(), (Shape{2, 0}));
  EXPECT_EQ(take_along_axis(none({0, 2}), none({0, 2}, s32), 0).shape(), (Shape{0, 2}));
  EXPECT_EQ(Array(none({0}).at(i)).shape(), (Shape{0}));
  EXPECT_EQ(Array(none({0, 4}).at(i)).shape(), (Shape{0, 4}));
  EXPECT_EQ(values<std::int32_t>(searchsorted(none({0}), Array({1.f, 2.f}))), (Ints{0, 0}));
  EXPECT_EQ(linalg::inv(none({0, 0})).shape(), (Shape{0, 0}));
  EXPECT_EQ(linalg::solve(none({0, 0}), none({0, 2})).shape(), (Shape{0, 2}));
  EXPECT_EQ(linalg::det(none({0, 0})).item(), 1.f);
  EXPECT_EQ(linalg::slogdet(none({0, 0})).logabsdet.item(), 0.f);
  EXPECT_EQ(grad([](const Array& a) { return linalg::det(a); })(none({0, 0})).shape(), (Shape{0, 0}));
}

/// Unsigned indices above s64 lie beyond every axis; as s64 they would be negative.
TEST(NumpyEdges, IndicesAboveS64) {
  using D = IndexMode;
  const Array x({1.f, 2.f}), i({UINT64_MAX, std::uint64_t{0}});
  const std::uint64_t last = UINT64_MAX;
  EXPECT_EQ(values<float>(x.at(i).get()), (Floats{2, 1}));
  EXPECT_EQ(values<float>(x.at(i).get({.mode = D::fill, .fill_value = 7})), (Floats{7, 1}));
  EXPECT_EQ(values<float>(x.at(i).add(10)), (Floats{11, 2}));  // dropped
  EXPECT_EQ(values<float>(x.at(i).add(10, {.mode = D::clip})), (Floats{11, 12}));
  EXPECT_EQ(Array(x.at(Array(last))).item(), 2.f);
  EXPECT_EQ(values<float>(x.at(Array(last)).add(10)), (Floats{1, 2}));
  EXPECT_EQ(values<float>(take(x, i, 0, {.mode = D::wrap})), (Floats{2, 1}));
  EXPECT_EQ(values<float>(take(x, i, 0, {.mode = D::clip})), (Floats{2, 1}));
  EXPECT_TRUE(std::isnan(values<float>(take(x, i, 0))[0]));
  EXPECT_EQ(values<float>(take_along_axis(x, i, 0, {.mode = D::wrap})), (Floats{2, 1}));
  EXPECT_TRUE(std::isnan(values<float>(take_along_axis(x, i, 0))[0]));
  const Array three({1.f, 2.f, 3.f});  // 2^64 - 1 and 2^64 - 3 are 0 and 1 modulo 3
  EXPECT_EQ(values<float>(take(three, Array({last, last - 2}), 0, {.mode = D::wrap})), (Floats{1, 2}));
  // The same for one number.
  EXPECT_EQ(Array(x.at(last)).item(), 2.f);
  EXPECT_EQ(values<float>(x.at(last).set(10)), (Floats{1, 2}));
  EXPECT_EQ(values<float>(x.at(last).set(10, {.mode = D::clip})), (Floats{1, 10}));
  EXPECT_EQ(Array(x.at(last).get({.mode = D::fill, .fill_value = 7})).item(), 7.f);
  for (std::int64_t far : {std::int64_t{1} << 32, INT64_MAX, -(std::int64_t{1} << 32), INT64_MIN})
    EXPECT_EQ(Array(x.at(far).get({.mode = D::fill, .fill_value = 7})).item(), 7.f) << far;
}

TEST(NumpyEdges, TheLastElementOfLinspaceIsTheStop) {
  const auto ends = values<float>(linspace(Array(INFINITY), Array(1.f), 3));
  EXPECT_EQ(ends, (Floats{INFINITY, INFINITY, 1}));
  EXPECT_EQ(values<float>(linspace(0, 0.1f, 7)).back(), 0.1f);
  EXPECT_EQ(values<float>(linspace(3, 5, 1)), Floats{3});
  EXPECT_EQ(linspace(3, 5, 0).shape(), Shape{0});
  EXPECT_EQ(values<float>(linspace(Array({1.f, 2.f}), 4, 2)), (Floats{1, 2, 4, 4}));
  const Array slope = grad([](const Array& stop) { return sum(linspace(0, stop, 5)); })(Array(4.f));
  EXPECT_EQ(slope.item(), 2.5f);
}

TEST(NumpyEdges, SortingLongLanesThatAreNotThere) {
  EXPECT_EQ(sort(none({std::int64_t{1} << 40, 0}), 0).shape(), (Shape{std::int64_t{1} << 40, 0}));
}

TEST(NumpyEdges, TakingSomethingFromAnEmptyAxisIsRefused) {
  EXPECT_EQ(message([] { take(none({0}), Array({0}), 0); }),
            "take: axis 0 of f32[0] has no elements to take, found indices for f32[1].\n  Give indices "
            "without elements, or an axis with some.");
  EXPECT_EQ(message([] {
              take_along_axis(none({0, 2}), none({1, 2}, s32), 0);
            }),
            "take_along_axis: axis 0 of f32[0,2] has no elements to take, found indices for f32[1,2].\n  "
            "Give indices without elements, or an axis with some.");
  EXPECT_EQ(message([] { Array(none({0}).at(Array({0})).get({.mode = IndexMode::fill})); }),
            "at: axis 0 of f32[0] has no elements to read.");
}

TEST(NumpyEdges, DerivativesOfDeterminants) {
  auto det = [](const Array& a) { return linalg::det(a); };
  const auto slope = [&](const Array& m) { return values<double>(grad(det)(m)); };
  auto line = [](const Doubles& d) { return diag(Array(d, {4})); };
  Doubles last(16), second(16);
  last[15] = second[5] = 6;
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_NEAR(slope(line({1, 2, 3, 0}))[i], last[i], 1e-12) << i;
    EXPECT_NEAR(slope(line({1, 0, 3, 2}))[i], second[i], 1e-12) << i;
    EXPECT_NEAR(slope(line({1, 0, 0, 2}))[i], 0, 1e-12) << i;
  }
  EXPECT_EQ(slope(Array({0.0}, {1, 1})), Doubles{1});
  // Of the identity, whose singular values are all equal: d2 det / da_ii da_jj = 1, da_ij da_ji = -1.
  const auto second_order = values<double>(hessian(det)(eye(4, -1, 0, f64)));
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_NEAR(second_order[(i * 4 + i) * 16 + j * 4 + j], i == j ? 0 : 1, 1e-12);
      if (i != j) EXPECT_NEAR(second_order[(i * 4 + j) * 16 + j * 4 + i], -1, 1e-12);
    }
}

TEST(NumpyEdges, TheSignOfAComplexDeterminantTurns) {
  using C = std::complex<double>;
  const Array a({C(1, 2), C(3, 0), C(4, -1), C(2, 0)}, {2, 2});
  struct Both {
    Array sign, log;
  };
  auto f = [](const Array& m) {
    const auto [sign, log] = linalg::slogdet(m);
    return Both{sign, log};
  };
  const auto [out, moved] = jvp(f, std::tuple(a), std::tuple(multiply(a, Array(C(0, 1)))));
  EXPECT_NEAR(std::abs(moved.sign.item<C>() - C(-1.1469246887266566, -1.638463841038081)), 0, 1e-12);
  EXPECT_NEAR(moved.log.item<double>(), 0, 1e-12);
  EXPECT_NEAR(out.log.item<double>(), 2.5019731529727296, 1e-12);
}

TEST(NumpyEdges, RangesThatAreNone) {
  EXPECT_EQ(message([] { arange(0, INFINITY); }),
            "arange: finite numbers are required, found start 0, stop inf and step 1.");
  EXPECT_EQ(message([] { arange(0, std::nan("")); }),
            "arange: finite numbers are required, found start 0, stop nan and step 1.");
  EXPECT_NE(message([] { arange(1e30); }).find("has too many elements"), std::string::npos);
  EXPECT_EQ(values<std::int64_t>(arange(9007199254740993, 9007199254740996, 1, s64)),
            (Longs{9007199254740993, 9007199254740994, 9007199254740995}));
  EXPECT_EQ(arange(INT64_MIN, INT64_MAX, INT64_MAX, s64).size(), 3);
  EXPECT_EQ(arange(5, 0).size(), 0);
  EXPECT_EQ(values<std::int32_t>(arange(5, 0, -2)), (Ints{5, 3, 1}));
}

TEST(NumpyEdges, RoundingToDecimalsThatNoNumberHas) {
  EXPECT_EQ(values<double>(round(Array({1.5, -2.25, 0.0}), 400)), (Doubles{1.5, -2.25, 0}));
  EXPECT_EQ(values<float>(round(Array({1.5f, -2.25f}), 39)), (Floats{1.5f, -2.25f}));
  EXPECT_EQ(values<double>(round(Array({1.5, -2.25}), -400)), (Doubles{0, 0}));
  EXPECT_EQ(values<double>(round(Array({1e300, 1.25}), 10)), (Doubles{1e300, 1.25}));
  EXPECT_EQ(values<std::int64_t>(round(Array(Longs{15, 25, -15, 9007199254740995}, {4}), -1)),
            (Longs{20, 20, -20, 9007199254741000}));
  EXPECT_EQ(values<std::int64_t>(round(Array(Longs{15, INT64_MAX}, {2}), -30)), (Longs{0, 0}));
  using C = std::complex<double>;
  EXPECT_NEAR(std::abs(round(Array(C(1.25, 2.75)), 1).item<C>() - C(1.2, 2.8)), 0, 1e-12);
}

TEST(NumpyEdges, MeansOfIntegers) {
  EXPECT_EQ(mean(Array({1, 2, 4}), {}, {.dtype = s32}).item<std::int32_t>(), 2);
  EXPECT_EQ(mean(Array({-1, -2, -4}), {}, {.dtype = s32}).item<std::int32_t>(), -2);
  EXPECT_EQ(
      mean(Array({1, 2, 4}), {}, {.dtype = s32, .where = Array({true, true, false})}).item<std::int32_t>(),
      1);
}

}  // namespace
}  // namespace baton
