// numpy: what tables of numbers do not show: operators and promotion, ties, higher derivatives, traces,
// errors.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "baton/baton.h"

namespace baton {
namespace {

std::vector<float> values(const Array& a) { return astype(a, f32).read<float>().vector(); }
using Floats = std::vector<float>;

/// The derivative of order n of a function of a scalar.
float derivative(const std::function<Array(const Array&)>& f, float x, int order) {
  std::function<Array(const Array&)> g = f;
  for (int i = 0; i < order; ++i)
    g = [inner = g](const Array& at) { return grad([inner](Array a) -> Array { return inner(a); })(at); };
  return g(Array(x)).item();
}

TEST(Operators, KeepIntegersAndTakeTheArraysDtype) {
  static_assert(std::is_same_v<decltype(1 + 2), int>);
  const Array half = astype(Array({1.f, 2.f}), f16), bytes(std::vector<std::uint8_t>{1, 2}, {2});
  EXPECT_EQ((half * 2.5).dtype(), f16);
  EXPECT_EQ((2.5f + bytes).dtype(), f32);
  EXPECT_EQ((bytes + 1).dtype(), u8);
  EXPECT_EQ((bytes / 2).dtype(), f32);
  EXPECT_EQ((bytes + half).dtype(), f16);
  EXPECT_EQ((half + astype(half, bf16)).dtype(), f32);
  EXPECT_EQ((greater(half, 1) + 1).dtype(), s32);
  EXPECT_EQ((half * std::complex<float>(0, 1)).dtype(), c64);
  EXPECT_EQ(values(1 - Array({1.f, 2.f})), (Floats{0, -1}));
  EXPECT_EQ(values(-Array({1.f, 2.f})), (Floats{-1, -2}));
  EXPECT_EQ(values(2 < Array({1, 2, 3})), (Floats{0, 0, 1}));
}

TEST(Operators, TakeWhatConvertsToAnArray) {
  Stat mean{Array({1.f, 2.f})};
  const Array x({3.f, 5.f});
  EXPECT_EQ(values(0.5f * mean + x), (Floats{3.5, 6}));
  EXPECT_EQ(values(x - mean), (Floats{2, 3}));
  EXPECT_EQ(values(mean * mean), (Floats{1, 4}));
  EXPECT_EQ(values(x.at(0) + x.at(1)), (Floats{8}));
  EXPECT_EQ(values(1 + x.at(range(1, {}))), (Floats{6}));
  mean += x;
  EXPECT_EQ(values(mean), (Floats{4, 7}));
  Array y = x;
  y += 1, y *= 2, y -= x, y /= 2;
  EXPECT_EQ(values(y), (Floats{2.5, 3.5}));
  EXPECT_EQ(values(x), (Floats{3, 5}));
}

TEST(Operators, EveryLineIsTheUsers) {
  const Array x({1.f, 2.f}), y({1.f, 2.f, 3.f});
  const std::string here = "numpy_test.cc:" + std::to_string(__LINE__ + 2);
  try {
    const Array z = x + y;
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find(here), std::string::npos) << e.what();
  }
}

TEST(Derivatives, ReluIsFlatAtZeroAtEveryOrder) {
  for (int order : {1, 2, 3})
    EXPECT_EQ(derivative([](const Array& x) { return relu(x); }, 0, order), 0) << order;
  EXPECT_EQ(derivative([](const Array& x) { return relu(x) * relu(x); }, 0, 2), 0);
  EXPECT_EQ(derivative([](const Array& x) { return relu(x) * x; }, 1, 2), 2);
  EXPECT_TRUE(std::isnan(relu(Array(NAN)).item()));
  EXPECT_EQ(relu(Array({-1, 2})).dtype(), s32);
}

TEST(Derivatives, AtTies) {
  EXPECT_FLOAT_EQ(derivative([](const Array& x) { return maximum(x, 0.0); }, 0, 1), 0.5f);
  EXPECT_FLOAT_EQ(derivative([](const Array& x) { return softplus(x); }, 0, 1), 0.5f);
  EXPECT_FLOAT_EQ(derivative([](const Array& x) { return softplus(x); }, 0, 2), 0.25f);
  EXPECT_FLOAT_EQ(derivative([](const Array& x) { return logaddexp(x, x); }, 1, 1), 1);
  const auto most = [](Array x) -> Array { return max(x); };
  EXPECT_EQ(values(grad(most)(Array({2.f, 1.f, 2.f}))), (Floats{0.5, 0, 0.5}));
}

TEST(Derivatives, SoftmaxAndItsKinAtSecondOrder) {
  // Along the first element of (x, 0): softmax is the logistic function s, and logsumexp has s for its
  // derivative.
  const float s = 1 / (1 + std::exp(-0.3f)), ds = s * (1 - s);
  const auto pair = [](const Array& x) { return stack({x, 0.0}); };
  const auto first = [&](const Array& x) -> Array { return softmax(pair(x)).at(0); };
  EXPECT_NEAR(derivative(first, 0.3f, 1), ds, 1e-6);
  EXPECT_NEAR(derivative(first, 0.3f, 2), ds * (1 - 2 * s), 1e-6);
  const auto total = [&](const Array& x) { return logsumexp(pair(x)); };
  EXPECT_NEAR(derivative(total, 0.3f, 1), s, 1e-6);
  EXPECT_NEAR(derivative(total, 0.3f, 2), ds, 1e-6);
  EXPECT_NEAR(derivative(total, 0.3f, 3), ds * (1 - 2 * s), 1e-6);
}

TEST(Derivatives, OfRowsWithNothingInThem) {
  const Array x({-INFINITY, -INFINITY});
  EXPECT_EQ(logsumexp(x).item(), -INFINITY);
  EXPECT_EQ(logsumexp(Array({INFINITY, 1.f})).item(), INFINITY);
  EXPECT_EQ(logaddexp(Array(-INFINITY), Array(-INFINITY)).item(), -INFINITY);
}

TEST(Numpy, ComputesHalfPrecisionSumsInSingle) {
  const Array many = full({4096}, 1, f16);
  EXPECT_EQ(sum(many).dtype(), f16);
  EXPECT_EQ(sum(many).item(), 4096);
  EXPECT_EQ(mean(full({70000}, 3, f16)).item(), 3);
  EXPECT_EQ(softmax(many).dtype(), f16);
}

TEST(Numpy, WorksInTracesAndUnderVmap) {
  const Array x = reshape(arange(12.0), {3, 4});
  const auto f =
      jit([](Array a, Array i) -> Array { return relu(a.at(i).set(-1)) + softmax(a) * take(a, i, 0); });
  const Array i({2, 0});
  const Array row = x.at(1);
  EXPECT_EQ(values(f(row, Array(2))), values(relu(row.at(2).set(-1)) + softmax(row) * take(row, 2, 0)));
  const auto rows = vmap([](Array a, Array at) -> Array { return a.at(at).add(10).at(range(1, {})); });
  EXPECT_EQ(values(rows(x, Array({0, 1, 3}))), (Floats{1, 2, 3, 15, 6, 7, 9, 10, 21}));
  const Program p = trace([](Array a) -> Array { return a.at(1, all).set(0); }, x);
  EXPECT_NE(show(p).find("dynamic_update_slice"), std::string::npos) << show(p);
}

TEST(Numpy, ReadsAndUpdatesNothing) {
  const Array x({1.f, 2.f, 3.f});
  const Array none = astype(zeros({0}), s32);
  EXPECT_EQ(x.at(none).get().shape(), Shape{0});
  EXPECT_EQ(values(x.at(none).set(5)), (Floats{1, 2, 3}));
  EXPECT_EQ(values(x.at(range(2, 1)).add(5)), (Floats{1, 2, 3}));
  EXPECT_EQ(zeros({0, 3}).at(all, 1).get().shape(), Shape{0});
  EXPECT_EQ(sum(zeros({0, 3}), 0).shape(), Shape{3});
  EXPECT_EQ(x.at(ellipsis).get().shape(), Shape{3});
  EXPECT_EQ(Array(2.f).at().set(3).item(), 3);
}

TEST(Numpy, MaskedReadsClampAndUpdatesDrop) {
  const Array x({1.f, 2.f, 3.f});
  EXPECT_EQ(x.at(7).item(), 3);
  EXPECT_EQ(x.at(-9).item(), 1);
  EXPECT_EQ(values(x.at(7).set(0)), (Floats{1, 2, 3}));
  EXPECT_TRUE(std::isnan(x.at(7).get({.mode = IndexMode::fill}).item()));
  EXPECT_EQ(x.at(7).get({.mode = IndexMode::fill, .fill_value = 0}).item(), 0);
}

TEST(Numpy, HasNamesForMaskedChoices) {
  const Array x({1.f, -2.f, 3.f});
  EXPECT_EQ(sum(x, {}, {.where = x > 0}).item(), 4);
  EXPECT_TRUE(all(x < 5).item<bool>());
  EXPECT_FALSE(allclose(x, x + 1).item<bool>());
  EXPECT_TRUE(allclose(x, x).item<bool>());
  EXPECT_EQ(broadcast_shapes({{2, 1}, {3}, {}}), (Shape{2, 3}));
  EXPECT_EQ(broadcast_arrays({x, 1})[1].shape(), Shape{3});
}

TEST(Linalg, IsDifferentiableThroughSolve) {
  // d/db of sum(a^-1 b) is a^-T 1.
  const Array a({2.f, 1.f, 0.f, 4.f}, {2, 2});
  const auto f = [a](Array b) -> Array { return sum(linalg::solve(a, b)); };
  EXPECT_EQ(values(grad(f)(Array({1.f, 1.f}))), values(linalg::solve(transpose(a), ones({2}))));
  EXPECT_EQ(linalg::matrix_power(a, 0).shape(), (Shape{2, 2}));
  EXPECT_FLOAT_EQ(linalg::det(a).item(), 8);
}

}  // namespace
}  // namespace baton
