// programs: random functions under random transforms, judged by finite differences, the adjoint identity,
// loops and each other. BATON_FUZZ_ROUNDS=N tries N functions instead of the few of the fast suite.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/element.h"
#include "fuzz/function.h"

namespace baton::testing {
namespace {

std::uint64_t rounds() {
  const char* n = std::getenv("BATON_FUZZ_ROUNDS");
  return n ? std::strtoull(n, nullptr, 10) : 25;
}

double dot(const Array& a, const Array& b) {
  const auto x = a.read<double>(), y = b.read<double>();
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}
Array moved_by(const Array& x, const Array& dx, double h) { return lax::add(x, lax::mul(dx, h)); }

void expect_near(const Array& found, const Array& wanted, double tolerance, const char* what) {
  ASSERT_EQ(found.type(), wanted.type()) << what;
  const auto x = found.read<double>(), y = wanted.read<double>();
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(x[i], y[i], tolerance * (1 + std::abs(y[i]))) << what << " at " << i;
}

struct Case {
  std::uint64_t seed;
  Array x, y, dx, dy, ct;
  explicit Case(std::uint64_t s) : seed(s) {
    SeededNumbers random(s * 977 + 5);
    x = random_array({f64, {3}}, random), y = random_array({f64, {2, 3}}, random);
    dx = random_array({f64, {3}}, random), dy = random_array({f64, {2, 3}}, random);
    ct = random_array({f64, {3}}, random);
  }
  auto function() const {
    return [seed = seed](const Array& a, const Array& b) { return random_function(seed, a, b); };
  }
};

class Programs : public ::testing::Test {
 protected:
  template <class F>
  void each(F f) {
    for (std::uint64_t seed = 1; seed <= rounds(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      f(Case(seed));
      if (HasFatalFailure()) return;
    }
  }
};

TEST_F(Programs, TextReadsBack) {
  each([](const Case& c) {
    const Program p = trace(c.function(), c.x, c.y);
    EXPECT_EQ(Program::parse(p.text()).hash(), p.hash()) << p;
  });
}

TEST_F(Programs, JitGivesTheSameBits) {
  // Single operations run by the reference; compiled ones sum in an order of their own.
  const double tolerance = default_engine() == Engine::reference ? 0 : 1e-12;
  each([&](const Case& c) {
    expect_near(jit(c.function())(c.x, c.y), c.function()(c.x, c.y), tolerance, "jit");
  });
}

TEST_F(Programs, ForwardModeIsTheFiniteDifference) {
  each([](const Case& c) {
    const auto f = c.function();
    const double h = 1e-6;
    const Array found = jvp(f, std::tuple(c.x, c.y), std::tuple(c.dx, c.dy)).tangent;
    const Array above = f(moved_by(c.x, c.dx, h), moved_by(c.y, c.dy, h)),
                below = f(moved_by(c.x, c.dx, -h), moved_by(c.y, c.dy, -h));
    expect_near(found, lax::div(lax::sub(above, below), 2 * h), 1e-6, "jvp");
  });
}

TEST_F(Programs, ReverseModeIsTheAdjointOfForwardMode) {
  each([](const Case& c) {
    const auto f = c.function();
    const Array tangent = jvp(f, std::tuple(c.x, c.y), std::tuple(c.dx, c.dy)).tangent;
    auto [out, pullback] = vjp(f, c.x, c.y);
    auto [gx, gy] = pullback(c.ct);
    EXPECT_NEAR(dot(c.ct, tangent), dot(gx, c.dx) + dot(gy, c.dy), 1e-9 * (1 + std::abs(dot(c.ct, tangent))));
  });
}

TEST_F(Programs, CheckpointAndJitChangeNoGradient) {
  each([](const Case& c) {
    const auto f = c.function();
    const auto loss = [f, ct = c.ct](const Array& x, const Array& y) {
      return lax::reduce_sum(lax::mul(f(x, y), ct), {0});
    };
    const Array want = grad(loss)(c.x, c.y);
    expect_near(grad(checkpoint(loss))(c.x, c.y), want, 1e-12, "checkpoint");
    expect_near(grad(checkpoint(loss, {.save = save::dots}))(c.x, c.y), want, 1e-12, "checkpoint of dots");
    expect_near(grad(jit(loss))(c.x, c.y), want, 1e-12, "gradient of a jit");
    expect_near(jit(grad(loss))(c.x, c.y), want, 1e-12, "jit of a gradient");
  });
}

TEST_F(Programs, VmapIsALoop) {
  each([](const Case& c) {
    const auto f = c.function();
    const auto both = [f, ct = c.ct](const Array& x, const Array& y) {
      return lax::add(f(x, y),
                      grad([&](const Array& v) { return lax::reduce_sum(lax::mul(f(v, y), ct), {0}); })(x));
    };
    const auto stacked = [](const Array& a, const Array& b) {
      Shape one = a.shape();
      one.insert(one.begin(), 1);
      return lax::concatenate({lax::reshape(a, one), lax::reshape(b, one)}, 0);
    };
    const Array xs = stacked(c.x, c.dx), ys = stacked(c.y, c.dy);
    const Array found = vmap(both, {.in = {axis(0), whole}})(xs, c.y);
    expect_near(found, stacked(both(c.x, c.y), both(c.dx, c.y)), 1e-9, "vmap");
    const Array last = vmap(both, {.in = {axis(1), axis(-1)}, .out = axis(1)})(lax::transpose(xs, {1, 0}),
                                                                               lax::transpose(ys, {1, 2, 0}));
    expect_near(lax::transpose(last, {1, 0}), stacked(both(c.x, c.y), both(c.dx, c.dy)), 1e-9,
                "vmap of other axes");
  });
}

TEST_F(Programs, SecondDerivativesAreFiniteDifferencesOfFirstOnes) {
  each([](const Case& c) {
    const auto f = c.function();
    const auto loss = [f, ct = c.ct, y = c.y](const Array& x) {
      return lax::reduce_sum(lax::mul(f(x, y), ct), {0});
    };
    const auto gradient = grad(loss);
    const double h = 1e-5;
    const Array wanted =
        lax::div(lax::sub(gradient(moved_by(c.x, c.dx, h)), gradient(moved_by(c.x, c.dx, -h))), 2 * h);
    expect_near(jvp(gradient, c.x, c.dx).tangent, wanted, 1e-4, "forward over reverse");
    expect_near(grad([&](const Array& x) { return lax::reduce_sum(lax::mul(gradient(x), c.dx), {0}); })(c.x),
                wanted, 1e-4, "reverse over reverse");
  });
}

}  // namespace
}  // namespace baton::testing
