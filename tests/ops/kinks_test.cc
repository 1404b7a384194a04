// kinks: derivatives where differences say nothing: at ties, at bounds, at 0. The numbers are JAX's.
#include <gtest/gtest.h>

#include <cmath>

#include "baton/lax.h"
#include "row.h"
#include "trace/trace.h"
#include "transforms/transforms.h"

namespace baton::testing {
namespace {

/// The derivative of a function of f64 vectors in its i-th argument, element by element.
std::vector<double> slope(FunctionRef<Array(const Arrays&)> f, const Arrays& x, std::size_t i) {
  Types types;
  for (const Array& a : x) types.push_back(a.type());
  const Program program = make_program("f", types, [&](const Arrays& in) -> Arrays { return {f(in)}; });
  Mask in(x.size());
  in[i] = true;
  Arrays arguments = x;
  arguments.push_back(Array(std::vector<double>(static_cast<std::size_t>(x[i].size()), 1.0), x[i].shape()));
  return run(transformer().jvp(program, in, {true}).program, arguments)[1].read<double>().vector();
}
using Doubles = std::vector<double>;

TEST(Kinks, EqualsShare) {
  const Array x({1.0, 2.0, 3.0}), y({2.0, 2.0, 2.0});
  for (std::size_t i : {0u, 1u}) {
    const Doubles low = i == 0 ? Doubles{0, 0.5, 1} : Doubles{1, 0.5, 0};
    const Doubles high = i == 0 ? Doubles{1, 0.5, 0} : Doubles{0, 0.5, 1};
    EXPECT_EQ(slope([](const Arrays& in) { return lax::max(in[0], in[1]); }, {x, y}, i), low);
    EXPECT_EQ(slope([](const Arrays& in) { return lax::min(in[0], in[1]); }, {x, y}, i), high);
  }
}

TEST(Kinks, BoundsHoldStill) {
  const Array low({0.0, 0.0, 0.0, 0.0, 0.0}), x({-1.0, 0.0, 0.5, 1.0, 2.0}), high({1.0, 1.0, 1.0, 1.0, 1.0});
  auto clamp = [](const Arrays& in) { return lax::clamp(in[0], in[1], in[2]); };
  EXPECT_EQ(slope(clamp, {low, x, high}, 0), (Doubles{1, 0, 0, 0, 0}));
  EXPECT_EQ(slope(clamp, {low, x, high}, 1), (Doubles{0, 0, 1, 0, 0}));
  EXPECT_EQ(slope(clamp, {low, x, high}, 2), (Doubles{0, 0, 0, 0, 1}));
}

TEST(Kinks, AtZero) {
  const Array x({-1.0, 0.0, -0.0, 1.0});
  EXPECT_EQ(slope([](const Arrays& in) { return lax::abs(in[0]); }, {x}, 0), (Doubles{-1, 1, 1, 1}));
  EXPECT_EQ(slope([](const Arrays& in) { return lax::bessel_i1e(in[0]); }, {Array({0.0, 1e-20})}, 0),
            (Doubles{0.5, 0.5}));
  EXPECT_EQ(slope([](const Arrays& in) { return lax::integer_pow(in[0], 1); }, {x}, 0),
            (Doubles{1, 1, 1, 1}));
  EXPECT_EQ(slope([](const Arrays& in) { return lax::stop_gradient(in[0]); }, {x}, 0), (Doubles{0, 0, 0, 0}));
}

TEST(Kinks, PowersOfZero) {
  const Array base({0.0, 0.0, 2.0}), y({2.0, 1.0, 0.0});
  auto power = [](const Arrays& in) { return lax::pow(in[0], in[1]); };
  EXPECT_EQ(slope(power, {base, y}, 0), (Doubles{0, 1, 0}));
  EXPECT_EQ(slope(power, {base, y}, 1), (Doubles{0, 0, std::log(2.0)}));
  const Array n({2, 1, 0, 0});
  EXPECT_EQ(slope(power, {Array({0.0, 0.0, 0.0, 3.0}), n}, 0), (Doubles{0, 1, 0, 0}));
}

TEST(Kinks, TailsOfTheGammaFunctions) {
  // Thirty deviations above a large mean: the normal law has log -454.32 there.
  const Array a(1e12), x(1e12 + 3e7);
  EXPECT_NEAR(std::log(lax::igammac(a, x).item<double>()), -454.32, 0.05);
  EXPECT_EQ(lax::igamma(a, x).item<double>(), 1);
  EXPECT_NEAR(lax::igamma(a, Array(1e12)).item<double>(), 0.5, 1e-6);
}

TEST(Kinks, TheLowestPower) {
  const int lowest = std::numeric_limits<int>::min();
  EXPECT_EQ(slope([&](const Arrays& in) { return lax::integer_pow(in[0], lowest); }, {Array({1.0, 2.0})}, 0),
            (Doubles{static_cast<double>(lowest), 0}));
}

}  // namespace
}  // namespace baton::testing
