// memory: what lives after everything died, and what a long life collects.
#include <gtest/gtest.h>

#include "base/held_bytes.h"
#include "baton/baton.h"
#include "jit/cache.h"
#include "transforms/transforms.h"

namespace baton {
namespace {

Array ones(std::int64_t n) { return lax::full({n}, 1.f); }

TEST(Memory, ReturnsToTheStartWhenAllHasDied) {
  clear_caches();
  const std::int64_t before = counters().live_bytes;
  {
    const Array w = ones(1000);
    auto loss = [w](const Array& x) { return lax::reduce_sum(lax::mul(lax::sin(x), w), {0}); };
    auto step = jit(grad(loss));
    Array x = ones(1000);
    for (int i = 0; i < 3; ++i) x = step(x);
    auto [out, pullback] = vjp(loss, x);
    pullback(Array(1.f));
    auto linear = linearize(loss, x).linear;
    linear(x);
    vmap(jit(loss))(lax::full({2, 1000}, 0.5f));
    EXPECT_THROW(jit([w](const Array&) -> Array { throw std::runtime_error("of the user"); })(x),
                 std::runtime_error);
    EXPECT_GT(counters().live_bytes, before);
  }
  EXPECT_EQ(counters().live_bytes, before);
}

TEST(Memory, AHostFunctionThatThrowsLeaksNothingAndLeavesTheStateWhole) {
  struct State {
    Array w, v;
  };
  bool fail = true;
  auto step = jit([&fail](State s) {
    s.v = lax::add(s.v, 1.f);
    s.w = lax::mul(host_function(
                       [&fail](std::span<const HostArray> in, std::span<const HostArray> out) {
                         if (fail) throw std::runtime_error("sensor lost");
                         std::copy_n(in[0].as<float>().data(), 100, out[0].as<float>().data());
                       },
                       {s.w.type()}, {s.w})[0],
                   2.f);
    return s;
  });
  State s{ones(100), ones(100)};
  try {
    step.update(s);
    FAIL();
  } catch (const std::runtime_error&) {
  }
  const std::int64_t before = counters().live_bytes;
  for (int i = 0; i < 3; ++i) EXPECT_THROW(step.update(s), std::runtime_error);
  EXPECT_EQ(counters().live_bytes, before);
  EXPECT_EQ(s.w.read<float>()[99], 1.f);
  EXPECT_EQ(s.v.read<float>()[99], 1.f);
  fail = false;
  step.update(s);
  EXPECT_EQ(s.w.read<float>()[99], 2.f);
  EXPECT_EQ(s.v.read<float>()[99], 2.f);
}

TEST(Memory, FreshJitsAndGradientsCollectNothing) {
  const auto once = [](int i) {
    const Array w = lax::full({10}, static_cast<float>(i));
    auto loss = [w](const Array& x) { return lax::reduce_sum(lax::mul(lax::sin(x), w), {0}); };
    return jit(grad(loss))(ones(10)).read<float>()[0];
  };
  once(0);
  const std::int64_t bytes = counters().live_bytes, compiles = counters().compiles;
  const std::size_t executables = executable_count(), held = HeldBytes::all(), transforms = transform_count();
  for (int i = 1; i < 1000; ++i) once(i);
  EXPECT_EQ(counters().live_bytes, bytes);
  EXPECT_EQ(counters().compiles, compiles);
  EXPECT_EQ(executable_count(), executables);
  EXPECT_EQ(HeldBytes::all(), held);
  EXPECT_EQ(transform_count(), transforms);
}

TEST(Memory, AConstantThatChangesAtEachCallFillsNoJit) {
  auto f = jit([](const Array& x, float rate) { return lax::mul(x, rate); });
  const Array x({1.f, 2.f});
  for (int i = 0; i < 3000; ++i)
    ASSERT_EQ(f(x, static_cast<float>(i)).read<float>()[1], 2.f * static_cast<float>(i));
  EXPECT_LE(transform_count(), 4096u);
  EXPECT_LE(HeldBytes::all(), std::size_t{64} << 20);
}

}  // namespace
}  // namespace baton
