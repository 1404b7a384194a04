// nested_rules: functions with rules of their own inside of each other. A rule calls its function again, so
// traces are counted: they must grow with the depth, and not double at each level.
#include <gtest/gtest.h>

#include <cmath>

#include "baton/baton.h"

namespace baton {
namespace {

/// sin; its gradient is said to be 3 cos.
Array vjp_level(int depth, const Array& x) {
  if (depth == 0) return lax::sin(x);
  return custom_vjp(
      [depth](const Array& y) { return vjp_level(depth - 1, y); },
      [depth](const Array& y) { return std::pair(vjp_level(depth - 1, y), y); },
      [](const Array& y, const Array& ct) { return lax::mul(ct, lax::mul(lax::cos(y), 3.f)); })(x);
}
/// The same with a rule for tangents.
Array jvp_level(int depth, const Array& x) {
  if (depth == 0) return lax::sin(x);
  return custom_jvp(
      [depth](const Array& y) { return jvp_level(depth - 1, y); },
      [depth](const std::tuple<Array>& y, const std::tuple<Array>& dy) {
        const Array slope = lax::mul(lax::cos(std::get<0>(y)), 3.f);
        return Jvp<Array>{jvp_level(depth - 1, std::get<0>(y)), lax::mul(std::get<0>(dy), slope)};
      })(x);
}
/// With a loop around each level.
Array looped_level(int depth, const Array& x) {
  if (depth == 0) return lax::sin(x);
  const auto inner = [depth](const Array& y) {
    return fori_loop(
        0, 1, [depth](const Array&, const Array& c) { return looped_level(depth - 1, c); }, y);
  };
  return custom_vjp(
      inner, [inner](const Array& y) { return std::pair(inner(y), y); },
      [](const Array& y, const Array& ct) { return lax::mul(ct, lax::mul(lax::cos(y), 3.f)); })(x);
}

using Level = Array (*)(int, const Array&);
std::int64_t traces_of_gradient(Level level, int depth) {
  const std::int64_t before = counters().traces;
  const auto both = value_and_grad([=](const Array& x) { return level(depth, x); })(Array(0.5f));
  EXPECT_FLOAT_EQ(both.value.item(), std::sin(0.5f));
  EXPECT_FLOAT_EQ(both.grad.item(), 3 * std::cos(0.5f));
  return counters().traces - before;
}

TEST(NestedRules, TracesGrowWithTheDepth) {
  for (int depth : {1, 2, 10, 40}) {
    // The gradient; at each level the function, forward and backward.
    EXPECT_EQ(traces_of_gradient(vjp_level, depth), 1 + 3 * depth);
    // The gradient; at each level the function and its rule.
    EXPECT_EQ(traces_of_gradient(jvp_level, depth), 1 + 2 * depth);
    // As the first, and the loop in the function and in forward.
    EXPECT_EQ(traces_of_gradient(looped_level, depth), 1 + 5 * depth);
  }
}

TEST(NestedRules, HigherDerivativesUseTheRules) {
  const float c = std::cos(0.5f), s = std::sin(0.5f);
  for (Level level : {vjp_level, jvp_level}) {
    const auto f = [=](const Array& x) { return level(3, x); };
    EXPECT_FLOAT_EQ(grad(grad(f))(Array(0.5f)).item(), -3 * s);
    EXPECT_FLOAT_EQ(grad(grad(grad(f)))(Array(0.5f)).item(), -3 * c);
    EXPECT_FLOAT_EQ(vmap(grad(f))(Array({0.5f})).read<float>()[0], 3 * c);
  }
  const auto f = [](const Array& x) { return jvp_level(3, x); };
  EXPECT_FLOAT_EQ(jvp(f, Array(0.5f), Array(2.f)).tangent.item(), 6 * c);
}

TEST(NestedRules, DerivativesInsideOfAFunctionWithARule) {
  // The function is itself a gradient, which needs the rule of what it differentiates.
  for (Level level : {vjp_level, jvp_level}) {
    const auto slope = [=](const Array& x) { return grad([=](const Array& y) { return level(2, y); })(x); };
    const auto f = custom_vjp(
        slope, [=](const Array& x) { return std::pair(slope(x), x); },
        [](const Array&, const Array& ct) { return lax::mul(ct, 7.f); });
    const auto both = value_and_grad([f](const Array& x) { return f(x); })(Array(0.5f));
    EXPECT_FLOAT_EQ(both.value.item(), 3 * std::cos(0.5f));
    EXPECT_FLOAT_EQ(both.grad.item(), 7);
  }
}

TEST(NestedRules, AJitThatIsFirstTracedInsideKeepsItsRule) {
  const auto inner = jit([](const Array& x) { return vjp_level(1, x); });
  const auto f = custom_vjp([inner](const Array& x) { return inner(x); },
                            [](const Array& x) { return std::pair(lax::sin(x), x); },
                            [](const Array&, const Array& ct) { return ct; });
  EXPECT_FLOAT_EQ(jit([f](const Array& x) { return f(x); })(Array(0.5f)).item(), std::sin(0.5f));
  EXPECT_FLOAT_EQ(grad([inner](const Array& x) { return inner(x); })(Array(0.5f)).item(), 3 * std::cos(0.5f));
}

TEST(NestedRules, ForwardOfAnotherTypeInsideOfARule) {
  struct Out {
    Array y;
  };
  const auto inner = custom_vjp(
      [](const Array& x) { return Out{lax::sin(x)}; },
      [](const Array& x) { return std::pair(lax::sin(x), x); },  // an Array where the function gives an Out
      [](const Array&, const Array& ct) { return lax::mul(ct, 5.f); });
  const auto f = custom_vjp([inner](const Array& x) { return inner(x).y; },
                            [inner](const Array& x) { return std::pair(inner(x).y, x); },
                            [](const Array&, const Array& ct) { return lax::mul(ct, 2.f); });
  const auto both = value_and_grad([f](const Array& x) { return f(x); })(Array(0.5f));
  EXPECT_FLOAT_EQ(both.value.item(), std::sin(0.5f));
  EXPECT_FLOAT_EQ(both.grad.item(), 2);
}

TEST(NestedRules, EmptyLeavesAndCapturesStay) {
  struct Pair {
    Array a, b;
  };
  const Array scale(2.f);
  const auto inner = custom_jvp(
      [scale](const Pair& p) {
        return Pair{lax::mul(p.a, scale), {}};
      },
      [scale](const std::tuple<Pair>& p, const std::tuple<Pair>& dp) {
        return Jvp<Pair>{{lax::mul(std::get<0>(p).a, scale), {}}, {lax::mul(std::get<0>(dp).a, 11.f), {}}};
      });
  const auto f = custom_jvp([inner](const Pair& p) { return inner(p).a; },
                            [inner](const std::tuple<Pair>& p, const std::tuple<Pair>& dp) {
                              return Jvp<Array>{inner(std::get<0>(p)).a, lax::mul(std::get<0>(dp).a, 13.f)};
                            });
  const auto both = value_and_grad([f](const Pair& p) { return f(p); })(Pair{Array(3.f), {}});
  EXPECT_EQ(both.value.item(), 6);
  EXPECT_EQ(both.grad.a.item(), 13);
}

}  // namespace
}  // namespace baton
