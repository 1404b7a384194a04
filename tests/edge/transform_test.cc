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

int occurrences(const std::string& text, std::string_view word) {
  int n = 0;
  for (std::size_t i = text.find(word); i != std::string::npos; i = text.find(word, i + 1)) ++n;
  return n;
}
Array dot(const Array& a, const Array& b) {
  return lax::dot_general(a, b, {.lhs_contract = {1}, .rhs_contract = {0}});
}

TEST(Checkpoint, PoliciesSaveWhatTheySay) {
  // Forward: 4 sines, a product, and one with a batch axis. Backward: 4 cosines and 4 products.
  auto block = [](const Array& x, const Array& w) {
    const Array hidden = lax::checkpoint_name(lax::sin(dot(lax::sin(x), w)), "hidden");
    const Array rows = lax::dot_general(
        hidden, w, {.lhs_contract = {1}, .rhs_contract = {1}, .lhs_batch = {0}, .rhs_batch = {0}});
    return lax::reduce_sum(lax::sin(lax::sin(rows)), {0});
  };
  struct Case {
    SavePolicy save;
    int sines, products;  // of the gradient: of both passes, with what is computed again
    int kept;             // arrays between the passes, but for the result and the arguments
  };
  const Array x = lax::full({3, 3}, .5f), w = lax::full({3, 3}, .25f);
  for (const Case& c :
       {Case{save::everything, 4, 6, 6}, Case{save::nothing, 4 + 3, 6 + 2, 0}, Case{save::dots, 4 + 3, 6, 2},
        Case{save::dots_with_no_batch_dims, 4 + 3, 6 + 1, 1}, Case{save::names({"hidden"}), 4 + 2, 6 + 2, 1},
        Case{save::names({"other"}), 4 + 3, 6 + 2, 0}}) {
    auto f = checkpoint(block, {.save = c.save});
    auto both = [f](const Array& a, const Array& b) {
      auto [out, pullback] = vjp(f, a, b);
      return std::pair(out, pullback(Array(1.f)));
    };
    const std::string text = jit(both).program(x, w).text();
    EXPECT_EQ(occurrences(text, " sin "), c.sines) << text;
    EXPECT_EQ(occurrences(text, " dot_general "), c.products) << text;
    const Counters before = counters();
    const auto kept = vjp(f, x, w);
    EXPECT_EQ((counters().live_bytes - before.live_bytes) / 64 - 1, c.kept);
  }
}

TEST(Grad, ValueAndGradOfALaterArgument) {
  auto f = [](const Array& x, const Pair& p) { return lax::add(lax::mul(x, lax::mul(p.w, p.w)), p.b); };
  const Pair p{Array(3.f), Array(5.f)};
  auto [value, gradient] = value_and_grad<1>(f)(Array(2.f), p);
  static_assert(std::is_same_v<decltype(gradient), Pair>);
  EXPECT_EQ(value.item(), 23.f);
  EXPECT_EQ(gradient.w.item(), 12.f);
  EXPECT_EQ(gradient.b.item(), 1.f);
}

TEST(Vjp, PullbacksHoldResidualsAlone) {
  auto f = [](const Array& x) { return lax::mul(x, 3.f); };  // nothing of x is needed
  auto step =
      jit([](const Array& x, const Array& g) { return lax::sub(x, g); }, {.donation = Donation::required});
  auto no_second = jit([](const Array& x) { return lax::mul(x, 2.f); }, {.donation = Donation::required});
  Array x({1.f, 2.f});
  auto [out, pull] = vjp(f, x);
  x = no_second(std::move(x));
  EXPECT_EQ(at(pull(Array({1.f, 1.f})), 1), 3.f);
  auto [y, linear] = linearize(f, x);
  x = no_second(std::move(x));
  y = no_second(std::move(y));
  EXPECT_EQ(at(linear(Array({1.f, 1.f})), 1), 3.f);
  auto adjoint = linear_transpose(f, x);
  x = no_second(std::move(x));
  EXPECT_EQ(at(adjoint(Array({1.f, 1.f})), 1), 3.f);
}

TEST(Vjp, AFailedCallConsumesNothing) {
  bool fail = true;
  auto fussy = custom_vjp([](const Array& x) { return lax::sin(x); },
                          [](const Array& x) {
                            return Pair{lax::sin(x), x};
                          },
                          [&fail](const Array& x, const Array& ct) {
                            return host_function(
                                [&fail](std::span<const HostArray> in, std::span<const HostArray> out) {
                                  if (fail) throw std::runtime_error("sensor lost");
                                  out[0].as<float>()[0] = in[0].as<float>()[0] * 2;
                                },
                                {x.type()}, {ct})[0];
                          });
  auto [y, pull] = vjp(fussy, Array(1.f));
  EXPECT_THROW(std::move(pull)(Array(1.f)), std::runtime_error);
  fail = false;
  EXPECT_EQ(std::move(pull)(Array(1.f)).item(), 2.f);  // NOLINT(bugprone-use-after-move): what is tested
}

TEST(Jacobian, OfMatricesAndHessians) {
  auto f = [](const Array& x) { return lax::mul(lax::sin(x), x); };
  const Array x({.1f, .2f, .3f, .4f, .5f, .6f}, {2, 3});
  for (const Array& j : {jacfwd(f)(x), jacrev(f)(x)}) {
    ASSERT_EQ(j.shape(), (Shape{2, 3, 2, 3}));
    EXPECT_NEAR(at(j, 4 * 6 + 4), std::cos(.5f) * .5f + std::sin(.5f), 1e-6);
    EXPECT_EQ(at(j, 4 * 6 + 3), 0.f);
  }
  // d2/dx2 of the sum of products of columns' sines.
  auto g = [](const Array& v) {
    return lax::reduce_sum(
        lax::mul(lax::sin(lax::slice_in_dim(v, 0, 1, 1, 0)), lax::slice_in_dim(v, 1, 2, 1, 0)), {0, 1});
  };
  const Array h = hessian(g)(x);
  ASSERT_EQ(h.shape(), (Shape{2, 3, 2, 3}));
  EXPECT_NEAR(at(h, 0), -std::sin(.1f) * .4f, 1e-6);
  EXPECT_NEAR(at(h, 3), std::cos(.1f), 1e-6);
  EXPECT_NEAR(at(h, 3 * 6), std::cos(.1f), 1e-6);
  EXPECT_NEAR(at(h, 3 * 6 + 3), 0.f, 1e-6);
}

TEST(Nesting, OfLinearFunctionsUnderVmapAndGrad) {
  // The derivative of x sin x at w along 2 w.
  auto along = [](const Array& w) {
    return linearize([](const Array& x) { return lax::mul(x, lax::sin(x)); }, w).linear(lax::mul(w, 2.f));
  };
  auto exact = [](double w) { return 2 * w * (std::sin(w) + w * std::cos(w)); };
  const double h = 1e-4;
  EXPECT_NEAR(along(Array(.7f)).item(), exact(.7), 1e-5);
  EXPECT_NEAR(grad(along)(Array(.7f)).item(), (exact(.7 + h) - exact(.7 - h)) / (2 * h), 1e-4);
  const Array many({.3f, .7f});
  EXPECT_NEAR(at(vmap(along)(many), 1), exact(.7), 1e-5);
  EXPECT_NEAR(at(vmap(grad(along))(many), 1), (exact(.7 + h) - exact(.7 - h)) / (2 * h), 1e-4);
  EXPECT_NEAR(at(jit(vmap(grad(along)))(many), 0), (exact(.3 + h) - exact(.3 - h)) / (2 * h), 1e-4);

  // The adjoint of x -> w sin(w) x, at cos(w).
  auto adjoint = [](const Array& w) {
    auto f = [w](const Array& x) { return lax::mul(lax::mul(w, lax::sin(w)), x); };
    return linear_transpose(f, w)(lax::cos(w));
  };
  auto product = [](double w) { return w * std::sin(w) * std::cos(w); };
  EXPECT_NEAR(adjoint(Array(.7f)).item(), product(.7), 1e-6);
  EXPECT_NEAR(at(vmap(grad(adjoint))(many), 1), (product(.7 + h) - product(.7 - h)) / (2 * h), 1e-4);
  EXPECT_NEAR(grad(grad(adjoint))(Array(.7f)).item(),
              (product(.7 + 1e-3) - 2 * product(.7) + product(.7 - 1e-3)) / 1e-6, 1e-3);
}

TEST(Nesting, OfLinearSolvesUnderVmapGradAndCheckpoint) {
  // a x = b: x = b / a, and d x / d a = - b / a^2, whatever the solver does.
  auto solved = [](const Array& a, const Array& b) {
    auto matvec = [a](const Array& x) { return lax::mul(a, x); };
    auto solve = [a](const Array& v) { return lax::div(v, stop_gradient(a)); };
    return custom_linear_solve(matvec, b, solve, solve);
  };
  const Array a({2.f, 4.f}), b({1.f, 3.f});
  EXPECT_NEAR(at(vmap(solved)(a, b), 1), .75f, 1e-6);
  EXPECT_NEAR(at(vmap(grad(solved))(a, b), 1), -3.f / 16, 1e-6);
  EXPECT_NEAR(at(vmap(grad(grad(solved)))(a, b), 1), 2 * 3.f / 64, 1e-6);
  EXPECT_NEAR(at(vmap(grad(checkpoint(solved)))(a, b), 0), -1.f / 4, 1e-6);
  EXPECT_NEAR(at(vmap(solved, {.in = {axis(0), whole}})(a, Array(3.f)), 0), 1.5f, 1e-6);
  EXPECT_NEAR(
      jvp(jit(solved), std::tuple(Array(2.f), Array(1.f)), std::tuple(Array(1.f), Array(0.f))).tangent.item(),
      -.25f, 1e-6);
}

TEST(Nesting, OfWhileUnderVmapAndForwardMode) {
  auto doubled_past = [](const Array& x) {
    return while_loop([](const Array& v) { return lax::lt(v, 10.f); },
                      [](const Array& v) { return lax::mul(v, 2.f); }, x);
  };
  const Array x({1.f, 3.f, 20.f});
  EXPECT_EQ(vmap(doubled_past)(x).read<float>().vector(), (std::vector<float>{16, 12, 20}));
  auto [out, tangent] = jvp(vmap(doubled_past), x, Array({1.f, 1.f, 1.f}));
  EXPECT_EQ(tangent.read<float>().vector(), (std::vector<float>{16, 4, 1}));
  EXPECT_EQ(vmap(jacfwd(doubled_past))(x).read<float>().vector(), (std::vector<float>{16, 4, 1}));
}

TEST(ControlFlow, ForiCountsWhatItsBoundsHold) {
  const std::int64_t far = std::int64_t{3} << 30;
  auto last = [](Operand lower, Operand upper) {
    return fori_loop(
        lower, upper,
        [](const Array& i, const Array& c) { return lax::add(c, lax::convert_element_type(i, s64)); },
        Array(std::int64_t{0}));
  };
  const Array from(far), to(far + 2);
  EXPECT_EQ(last(from, to).item<std::int64_t>(), 2 * far + 1);
  EXPECT_EQ(last(Array(3'000'000'000u), Array(3'000'000'002u)).item<std::int64_t>(), 6'000'000'001);
  EXPECT_EQ(last(Array(std::int8_t{1}), Array(4)).item<std::int64_t>(), 6);
  EXPECT_EQ(last(0, Array(std::int64_t{3})).item<std::int64_t>(), 3);
  EXPECT_EQ(fori_loop(
                from, to, [](const Array& i, const Array&) { return i; }, from)
                .dtype(),
            s64);
}

}  // namespace
}  // namespace baton
