// transform: the typed edge, from C++ functions to numbers that are known by calculus.
#include <gtest/gtest.h>

#include <cmath>

#include "baton/baton.h"

namespace baton {
namespace {

float at(const Array& a, std::size_t i) { return a.read<float>()[i]; }

struct Pair {
  Array w, b;
};
struct Model {
  Pair layer;
  Stat count;
  float rate = 2.0f;
};

TEST(Grad, HasTheTypeOfTheArgument) {
  auto loss = [](const Model& m, const Array& x) {
    return lax::reduce_sum(lax::mul(lax::sin(lax::mul(m.layer.w, x)), m.rate), {0});
  };
  const Model m{{Array({1.f, 2.f}), Array(3.f)}, {Array(1.f)}, 2.0f};
  const Array x({0.5f, -1.f});
  auto [value, grad] = value_and_grad(loss)(m, x);
  EXPECT_NEAR(value.item(), 2 * (std::sin(.5f) + std::sin(-2.f)), 1e-6);
  EXPECT_NEAR(at(grad.layer.w, 0), 2 * std::cos(.5f) * .5f, 1e-6);
  EXPECT_NEAR(at(grad.layer.w, 1), 2 * std::cos(2.f) * -1.f, 1e-6);
  EXPECT_EQ(grad.layer.b.item(), 0.f);
  EXPECT_TRUE(grad.count.value.empty());
}

TEST(Grad, NestsToSecondAndThirdOrder) {
  auto f = [](const Array& x) { return lax::mul(lax::sin(x), x); };
  auto d1 = grad(f);
  auto d2 = grad(d1);
  auto d3 = grad(d2);
  const float x = 0.7f;
  EXPECT_NEAR(d1(Array(x)).item(), std::cos(x) * x + std::sin(x), 1e-6);
  EXPECT_NEAR(d2(Array(x)).item(), -std::sin(x) * x + 2 * std::cos(x), 1e-6);
  EXPECT_NEAR(d3(Array(x)).item(), -std::cos(x) * x - 3 * std::sin(x), 1e-5);
}

TEST(Grad, OfCompiledFunctions) {
  auto f = jit([](const Array& x, const Array& y) { return lax::mul(lax::sin(x), y); });
  EXPECT_NEAR(grad(f)(Array(0.7f), Array(3.f)).item(), 3 * std::cos(.7f), 1e-6);
  EXPECT_NEAR(grad<1>(checkpoint(f))(Array(0.7f), Array(3.f)).item(), std::sin(.7f), 1e-6);
  EXPECT_NEAR(at(vmap(jit(f))(Array({.7f, 1.f}), Array({3.f, 2.f})), 1), 2 * std::sin(1.f), 1e-6);
}

TEST(Grad, AuxComesBack) {
  auto loss = [](const Array& x) { return WithAux{lax::reduce_sum(lax::mul(x, x), {0}), lax::sin(x)}; };
  auto [value, aux, grad] = value_and_grad(loss)(Array({1.f, 2.f}));
  EXPECT_EQ(value.item(), 5.f);
  EXPECT_NEAR(at(aux, 1), std::sin(2.f), 1e-6);
  EXPECT_EQ(at(grad, 1), 4.f);
}

TEST(Grad, MaskByPath) {
  auto loss = [](const Model& m) {
    return lax::add(lax::reduce_sum(lax::mul(m.layer.w, m.layer.w), {0}), lax::mul(m.layer.b, m.layer.b));
  };
  const Model m{{Array({1.f, 2.f}), Array(3.f)}, {Array(1.f)}, 2.0f};
  const Model g = grad(loss, {.trainable = {"*.b"}})(m);
  EXPECT_TRUE(g.layer.w.empty());
  EXPECT_EQ(g.layer.b.item(), 6.f);
}

TEST(Jvp, ForwardMode) {
  auto [out, tangent] = jvp([](const Array& x) { return lax::sin(x); }, Array(1.f), Array(2.f));
  EXPECT_NEAR(out.item(), std::sin(1.f), 1e-6);
  EXPECT_NEAR(tangent.item(), 2 * std::cos(1.f), 1e-6);
}

TEST(Vjp, PullbackMayBeCalledAgain) {
  auto [out, pullback] =
      vjp([](const Array& x, const Array& y) { return lax::mul(lax::sin(x), y); }, Array(1.f), Array(3.f));
  for (float ct : {1.f, 2.f}) {
    auto [dx, dy] = pullback(Array(ct));
    EXPECT_NEAR(dx.item(), ct * 3 * std::cos(1.f), 1e-5);
    EXPECT_NEAR(dy.item(), ct * std::sin(1.f), 1e-6);
  }
  std::move(pullback)(Array(1.f));
  EXPECT_THROW(pullback(Array(1.f)), UsageError);
}

TEST(Linearize, IsTheDerivativeAtThePoint) {
  auto [out, linear] = linearize([](const Array& x) { return lax::sin(x); }, Array(1.f));
  for (float t : {1.f, -2.f}) EXPECT_NEAR(linear(Array(t)).item(), t * std::cos(1.f), 1e-6);
}

TEST(LinearTranspose, IsTheAdjoint) {
  const Array w({1.f, 2.f, 3.f});
  auto f = [w](const Array& x) { return lax::mul(lax::broadcast_in_dim(x, {3}, {}), w); };
  const Array ct = linear_transpose(f, abstract({f32, {}}))(Array({1.f, 1.f, 1.f}));
  EXPECT_EQ(ct.item(), 6.f);
}

TEST(Jacobian, ForwardEqualsReverse) {
  const Array w({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {3, 2});
  auto f = [w](const Array& x) {
    return lax::sin(lax::dot_general(w, x, {.lhs_contract = {1}, .rhs_contract = {0}}));
  };
  const Array x({0.1f, -0.2f});
  const Array a = jacfwd(f)(x), b = jacrev(f)(x);
  EXPECT_EQ(a.shape(), (Shape{3, 2}));
  EXPECT_EQ(b.shape(), (Shape{3, 2}));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(at(a, i), at(b, i), 1e-6);
  const Array h =
      hessian([](const Array& v) { return lax::reduce_sum(lax::mul(lax::mul(v, v), v), {0}); })(x);
  EXPECT_NEAR(at(h, 0), 0.6f, 1e-6);
  EXPECT_NEAR(at(h, 1), 0.f, 1e-6);
}

TEST(Vmap, EqualsALoop) {
  auto f = [](const Array& x, const Array& w) { return lax::reduce_sum(lax::mul(lax::sin(x), w), {0}); };
  const Array xs({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {3, 2}), w({1.f, -1.f});
  const Array y = vmap(f, {.in = {axis(0), whole}})(xs, w);
  ASSERT_EQ(y.shape(), Shape{3});
  EXPECT_NEAR(at(y, 2), std::sin(5.f) - std::sin(6.f), 1e-6);
  const Array z = vmap(f, {.in = {axis(1), whole}})(lax::transpose(xs, {1, 0}), w);
  EXPECT_NEAR(at(z, 2), at(y, 2), 1e-7);
}

TEST(Vmap, NamedAxis) {
  auto f = [](const Array& x) { return lax::sub(x, lax::pmean(x, "lanes")); };
  const Array y = vmap(f, {.axis_name = "lanes"})(Array({1.f, 2.f, 6.f}));
  EXPECT_EQ(y.read<float>().vector(), (std::vector<float>{-2, -1, 3}));
}

TEST(Scan, LoopsAndDifferentiates) {
  auto f = [](const Array& w) {
    auto [carry, ys] = scan(
        [&](Array c, Array x) {
          Array next = lax::sin(lax::add(lax::mul(c, w), x));
          return Step{next, lax::mul(next, x)};
        },
        Array(0.1f), Array({1.f, 2.f, 3.f}));
    return lax::add(carry, lax::reduce_sum(ys, {0}));
  };
  auto g = [](float w) {
    float c = 0.1f, total = 0;
    for (float x : {1.f, 2.f, 3.f}) c = std::sin(c * w + x), total += c * x;
    return c + total;
  };
  EXPECT_NEAR(f(Array(0.5f)).item(), g(0.5f), 1e-6);
  const float numeric = (g(0.501f) - g(0.499f)) / 0.002f;
  EXPECT_NEAR(grad(f)(Array(0.5f)).item(), numeric, 1e-3);
  EXPECT_NEAR(jvp(f, Array(0.5f), Array(1.f)).tangent.item(), numeric, 1e-3);
}

TEST(ControlFlow, WhileForiCondSwitch) {
  const Array n = while_loop([](const Array& x) { return lax::lt(x, 100.f); },
                             [](const Array& x) { return lax::mul(x, 2.f); }, Array(3.f));
  EXPECT_EQ(n.item(), 192.f);
  auto power = [](const Array& x) {
    return fori_loop(
        0, 3, [&](const Array&, Array c) { return lax::mul(c, x); }, Array(1.f));
  };
  EXPECT_EQ(power(Array(2.f)).item(), 8.f);
  EXPECT_EQ(grad(power)(Array(2.f)).item(), 12.f);
  auto bounded = [](const Array& x) {
    return while_loop([](const Array& c) { return lax::lt(c, 10.f); },
                      [&](const Array& c) { return lax::mul(c, x); }, Array(1.f), {.max_steps = 8});
  };
  EXPECT_EQ(bounded(Array(3.f)).item(), 27.f);
  EXPECT_EQ(grad(bounded)(Array(3.f)).item(), 27.f);
  auto branch = [](const Array& x) {
    return cond(
        lax::gt(x, 0.f), [](const Array& v) { return lax::mul(v, v); },
        [](const Array& v) { return lax::neg(v); }, x);
  };
  EXPECT_EQ(branch(Array(3.f)).item(), 9.f);
  EXPECT_EQ(grad(branch)(Array(3.f)).item(), 6.f);
  EXPECT_EQ(grad(branch)(Array(-3.f)).item(), -1.f);
  EXPECT_EQ(vmap(grad(branch))(Array({3.f, -3.f})).read<float>().vector(), (std::vector<float>{6, -1}));
  using F = Array (*)(Array);
  const std::vector<F> branches = {[](Array v) { return lax::sin(v); },
                                   [](Array v) { return lax::mul(v, v); }, [](Array v) { return v; }};
  EXPECT_EQ(switch_case(1, branches, Array(3.f)).item(), 9.f);
  EXPECT_EQ(switch_case(7, branches, Array(3.f)).item(), 3.f);
}

TEST(Checkpoint, SameNumbersAnyPolicyAnyOrder) {
  auto block = [](const Array& x) { return lax::sin(lax::mul(lax::sin(x), x)); };
  for (const SavePolicy& policy : {save::nothing, save::everything, save::dots}) {
    auto f = checkpoint(block, {.save = policy});
    EXPECT_NEAR(grad(f)(Array(0.7f)).item(), grad(block)(Array(0.7f)).item(), 1e-6);
    EXPECT_NEAR(grad(grad(f))(Array(0.7f)).item(), grad(grad(block))(Array(0.7f)).item(), 1e-5);
  }
}

TEST(Checkpoint, AroundLoopsAndBranches) {
  auto loop = [](const Array& w) {
    return scan(
        [&](Array c, Array x) {
          Array next = lax::sin(lax::add(lax::mul(c, w), x));
          Array chosen = cond(
              lax::gt(next, 0.f), [](const Array& v) { return lax::mul(v, v); },
              [](const Array& v) { return lax::sin(v); }, next);
          return Step{chosen, next};
        },
        Array(0.1f), Array({1.f, 2.f, 3.f}));
  };
  auto loss = [loop](const Array& w) {
    auto [carry, ys] = loop(w);
    return lax::add(carry, lax::reduce_sum(lax::mul(ys, ys), {0}));
  };
  const float first = grad(loss)(Array(0.5f)).item(), second = grad(grad(loss))(Array(0.5f)).item();
  for (const SavePolicy& policy : {save::nothing, save::everything, save::dots}) {
    auto f = checkpoint(loss, {.save = policy});
    EXPECT_NEAR(grad(f)(Array(0.5f)).item(), first, 1e-6);
    EXPECT_NEAR(grad(grad(f))(Array(0.5f)).item(), second, 1e-4);
    EXPECT_NEAR(vmap(grad(f))(Array({0.5f, 0.7f})).read<float>()[0], first, 1e-6);
    auto twice = checkpoint([f](const Array& w) { return lax::sin(f(w)); }, {.save = policy});
    EXPECT_NEAR(grad(twice)(Array(0.5f)).item(), std::cos(loss(Array(0.5f)).item()) * first, 1e-5);
  }
}

TEST(Nesting, GradientOfVmapOfScanOfCheckpointOfJitToSecondOrder) {
  auto cell = jit([](const Array& c, const Array& x) { return lax::sin(lax::add(lax::mul(c, x), c)); });
  auto kept = checkpoint([cell](const Array& c, const Array& x) { return cell(c, x); });
  auto lane = [kept](const Array& c, const Array& xs) {
    return scan(
               [&](Array carry, Array x) {
                 Array next = kept(carry, x);
                 return Step{next, next};
               },
               c, xs)
        .carry;
  };
  const Array xs({0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f}, {2, 3});
  auto loss = [&](const Array& c) { return lax::reduce_sum(vmap(lane)(c, xs), {0}); };
  auto plain = [](double a, double b) {
    double c[2] = {a, b}, x[2][3] = {{.1, .2, .3}, {.4, .5, .6}};
    for (int l = 0; l < 2; ++l)
      for (int i = 0; i < 3; ++i) c[l] = std::sin(c[l] * x[l][i] + c[l]);
    return c[0] + c[1];
  };
  const Array c({0.5f, 0.7f});
  const double h = 1e-4;
  EXPECT_NEAR(at(grad(loss)(c), 0), (plain(.5 + h, .7) - plain(.5 - h, .7)) / (2 * h), 1e-4);
  auto second = [&](const Array& v) {
    return lax::reduce_sum(lax::mul(grad(loss)(v), Array({1.f, 2.f})), {0});
  };
  const double h2 = 1e-3;
  const double d00 = (plain(.5 + h2, .7) - 2 * plain(.5, .7) + plain(.5 - h2, .7)) / (h2 * h2);
  EXPECT_NEAR(at(grad(second)(c), 0), d00, 1e-3);
}

TEST(CustomRules, JvpAndVjp) {
  auto f = custom_jvp([](const Array& x) { return lax::mul(x, x); },
                      [](const std::tuple<Array>& x, const std::tuple<Array>& dx) {
                        const Array v = std::get<0>(x);
                        return Jvp<Array>{lax::mul(v, v), lax::mul(lax::mul(v, 10.f), std::get<0>(dx))};
                      });
  EXPECT_EQ(grad(f)(Array(3.f)).item(), 30.f);
  EXPECT_EQ(vmap(grad(f))(Array({1.f, 2.f})).read<float>().vector(), (std::vector<float>{10, 20}));
  struct Kept {
    Array out, residuals;
  };
  auto g = custom_vjp([](const Array& x) { return lax::mul(x, x); },
                      [](const Array& x) {
                        return Kept{lax::mul(x, x), x};
                      },
                      [](const Array& x, const Array& ct) { return lax::mul(lax::mul(x, ct), 7.f); });
  EXPECT_EQ(grad(g)(Array(3.f)).item(), 21.f);
  EXPECT_EQ(vmap(grad(g))(Array({1.f, 2.f})).read<float>().vector(), (std::vector<float>{7, 14}));
  EXPECT_THROW(jvp(g, Array(1.f), Array(1.f)), UsageError);
}

TEST(StopGradient, IsZero) {
  EXPECT_EQ(grad([](const Array& x) { return lax::mul(x, stop_gradient(x)); })(Array(3.f)).item(), 3.f);
}

TEST(Trace, GivesTheProgram) {
  const Program p = trace([](const Array& x) { return lax::sin(x); }, abstract({f32, {4}}));
  EXPECT_EQ(p.text(), "{ a:f32[4] ->\n  b:f32[4] = sin a\n  return b }");
  const Array y = eval_shape([](const Array& x) { return lax::reduce_sum(x, {0}); }, abstract({f32, {4, 2}}));
  EXPECT_EQ(y.type(), (Type{f32, {2}}));
}

}  // namespace
}  // namespace baton
