// host: C++ code with values inside compiled functions, and the implicit derivative of linear solves.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "error_of.h"

namespace baton {
namespace {

Array doubled(const Array& x, int* calls, HostKind kind = HostKind::pure) {
  return host_function(
      [calls](std::span<const HostArray> in, std::span<const HostArray> out) {
        ++*calls;
        for (std::size_t i = 0; i < in[0].as<float>().size(); ++i)
          out[0].as<float>()[i] = 2 * in[0].as<float>()[i];
      },
      {x.type()}, {x}, {.kind = kind, .name = "doubled"})[0];
}

TEST(HostFunction, RunsOnEachCallAndAFreshOneCompilesNothing) {
  int calls = 0;
  auto once = [&] {
    return jit([&calls](const Array& x) { return lax::mul(doubled(x, &calls), 3.f); })(Array({1.f, 2.f}));
  };
  EXPECT_EQ(once().read<float>()[1], 12.f);
  const Counters before = counters();
  for (int i = 0; i < 3; ++i) once();
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(counters().compiles, before.compiles);
}

TEST(HostFunction, VmapGoesLaneByLane) {
  int calls = 0;
  auto f = [&calls](const Array& x) { return doubled(x, &calls); };
  EXPECT_EQ(vmap(f)(Array({1.f, 2.f, 3.f})).read<float>().vector(), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(calls, 3);
}

TEST(HostFunction, HasNoDerivativeButMayBeGivenOne) {
  int calls = 0;
  auto f = [&calls](const Array& x) { return doubled(x, &calls); };
  const std::string error = error_of([&] { grad(f)(Array(1.f)); });
  EXPECT_NE(error.find("host_function `doubled`: C++ code has no derivative."), std::string::npos) << error;
  struct Kept {
    Array out, residuals;
  };
  auto ruled = custom_vjp(
      f,
      [f](const Array& x) {
        return Kept{f(x), x};
      },
      [](const Array&, const Array& ct) { return lax::mul(ct, 2.f); });
  EXPECT_EQ(grad(ruled)(Array(1.f)).item(), 2.f);
}

TEST(HostFunction, EffectsAreKeptInOrderAndRefusedUnderVmap) {
  std::vector<float> seen;
  auto note = [&seen](const Array& x) {
    host_function([&seen](std::span<const HostArray> in,
                          std::span<const HostArray>) { seen.push_back(in[0].as<float>()[0]); },
                  {}, {x}, {.kind = HostKind::io, .name = "note"});
    return x;
  };
  auto f = jit([note](const Array& x) {
    note(x);
    note(lax::mul(x, 2.f));
    return x;
  });
  f(Array(1.f));
  EXPECT_EQ(seen, (std::vector<float>{1, 2}));
  EXPECT_THROW(vmap(note)(Array({1.f, 2.f})), UsageError);
}

TEST(HostFunction, AnExceptionLeavesTheStateWhole) {
  struct S {
    Array w;
  };
  auto step = jit([](S s) {
    s.w = host_function([](std::span<const HostArray>,
                           std::span<const HostArray>) { throw std::runtime_error("sensor lost"); },
                        {s.w.type()}, {s.w})[0];
    return s;
  });
  S s{Array({1.f, 2.f})};
  EXPECT_THROW(step.update(s), std::runtime_error);
  EXPECT_EQ(s.w.read<float>().vector(), (std::vector<float>{1, 2}));
}

TEST(CustomLinearSolve, DifferentiatesImplicitly) {
  // a x = b, elementwise: x = b / a; d sum(x^2) / da = -2 b^2 / a^3, / db = 2 b / a^2.
  auto loss = [](const Array& a, const Array& b) {
    auto matvec = [a](const Array& x) { return lax::mul(a, x); };
    auto solve = [a](const Array& v) { return lax::div(v, stop_gradient(a)); };
    const Array x = custom_linear_solve(matvec, b, solve, solve);
    return lax::reduce_sum(lax::mul(x, x), {0});
  };
  const Array a({2.f, 4.f}), b({1.f, 3.f});
  EXPECT_NEAR(grad<0>(loss)(a, b).read<float>()[1], -2.f * 9 / 64, 1e-6);
  EXPECT_NEAR(grad<1>(loss)(a, b).read<float>()[1], 2.f * 3 / 16, 1e-6);
}

}  // namespace
}  // namespace baton
