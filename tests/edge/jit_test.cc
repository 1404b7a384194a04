// jit: signatures, donation, captures, counts.
#include <gtest/gtest.h>

#include "baton/baton.h"

namespace baton {
namespace {

struct State {
  Array w, step;
};
struct Out {
  State state;
  Array loss;
};
Out train(State s, const Array& x) {
  s.w = lax::sub(s.w, lax::mul(x, 0.5f));
  s.step = lax::add(s.step, 1);
  return {s, lax::reduce_sum(s.w, {0})};
}

TEST(Jit, TracesOnceForASignature) {
  auto step = jit(train);
  State s{Array({1.f, 2.f}), Array(0)};
  const Array x({1.f, 1.f});
  step(s, x);
  const Counters before = counters();
  for (int i = 0; i < 5; ++i) s = step(s, x).state;
  EXPECT_EQ(counters().traces, before.traces);
  EXPECT_EQ(counters().compiles, before.compiles);
  EXPECT_EQ(s.step.item<int>(), 5);
}

TEST(Jit, UpdateReusesTheMemory) {
  auto step = jit(train);
  State s{Array({1.f, 2.f}), Array(0)};
  const Array x({1.f, 1.f});
  const void* w = s.w.data();
  for (int i = 0; i < 3; ++i) {
    const Array loss = step.update(s, x);
    EXPECT_EQ(loss.item(), 3.f - static_cast<float>(i + 1));
  }
  EXPECT_EQ(s.w.data(), w);
  EXPECT_EQ(s.step.item<int>(), 3);
  EXPECT_EQ(step.donation().leaves.size(), 2u);
  EXPECT_EQ(step.donation().text(),
            "donated 12 B in 2 leaves, reused 12 B\n"
            "  args[0].w f32[2]: reused by result.state.w\n"
            "  args[0].step s32[]: reused by result.state.step\n");
}

TEST(Jit, MovedLeavesNameTheLine) {
  auto step = jit(train, {.name = "step"});
  State s{Array({1.f, 2.f}), Array(0)};
  const Array x({1.f, 1.f});
  step(std::move(s), x);
  try {
    step(s, x);  // NOLINT(bugprone-use-after-move): the error is what is tested
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("leaf args[0].w is empty: it was donated at jit_test.cc:"),
              std::string::npos)
        << e.what();
  }
}

TEST(Jit, SharedLeavesAreCopiedAndCounted) {
  auto step = jit(train);
  State s{Array({1.f, 2.f}), Array(0)};
  const Array kept = s.w, x({1.f, 1.f});
  const Counters before = counters();
  step.update(s, x);
  EXPECT_EQ(counters().denied_donations - before.denied_donations, 1);
  EXPECT_EQ(kept.read<float>().vector(), (std::vector<float>{1, 2}));
  EXPECT_EQ(s.w.read<float>().vector(), (std::vector<float>{.5f, 1.5f}));
}

TEST(Jit, SwappedLeavesDoNotOverwriteEachOther) {
  auto swap = jit([](State s) { return State{s.step, s.w}; });
  State s{Array(1.f), Array(2.f)};
  swap.update(s);
  EXPECT_EQ(s.w.item(), 2.f);
  EXPECT_EQ(s.step.item(), 1.f);
}

TEST(Jit, ANewJitOfTheSameCodeCompilesNothing) {
  const Array x({1.f, 2.f});
  auto once = [&] { return jit([](const Array& v) { return lax::sin(lax::add(v, 3.f)); })(x); };
  once();
  const Counters before = counters();
  for (int i = 0; i < 10; ++i) once();
  EXPECT_EQ(counters().compiles, before.compiles);
  EXPECT_EQ(counters().traces - before.traces, 10);
}

TEST(Jit, CapturedArraysAreSlots) {
  const Array x({1.f, 2.f});
  auto with = [&](float c) {
    const Array captured(c);
    return jit([captured](const Array& v) { return lax::mul(v, lax::broadcast_in_dim(captured, {2}, {})); })(
        x);
  };
  EXPECT_EQ(with(2.f).read<float>()[1], 4.f);
  const Counters before = counters();
  EXPECT_EQ(with(3.f).read<float>()[1], 6.f);
  EXPECT_EQ(counters().compiles, before.compiles);
}

TEST(Jit, ArraysReadThroughReferencesAreRefusedTheSecondTime) {
  Array outside(2.f);
  auto f = jit([&outside](const Array& x) { return lax::mul(x, outside); });
  EXPECT_EQ(f(Array(3.f)).item(), 6.f);
  EXPECT_THROW(f(Array(3.f)), UsageError);
  auto frozen =
      jit([&outside](const Array& x) { return lax::mul(x, outside); }, {.captures = Captures::frozen});
  frozen(Array(3.f));
  EXPECT_EQ(frozen(Array(4.f)).item(), 8.f);
}

TEST(Jit, ListingNamesLinesAndScopesThatAreNoContent) {
  const auto make = [](bool named) {
    return jit([named](const Array& x) {
      if (!named) return lax::sin(x);
      const NameScope block("block2"), layer("dense");
      return lax::sin(x);
    });
  };
  const auto f = make(true), g = make(false);
  const Array x({1.f});
  EXPECT_EQ(f.program(x).hash(), g.program(x).hash());
  const std::string text = f.listing(x);
  EXPECT_NE(text.find("b:f32[1] = sin a    # jit_test.cc:"), std::string::npos) << text;
  EXPECT_NE(text.find(" block2/dense\n"), std::string::npos) << text;
}

TEST(Jit, IsTracedAgainForAxesOfOtherSizes) {
  auto mean = jit([](const Array& x) { return lax::pmean(x, "lanes"); }, {.name = "mean"});
  const auto lanes = [&](const Array& x) {
    return vmap([&](const Array& v) { return mean(v); }, {.axis_name = "lanes"})(x);
  };
  EXPECT_EQ(lanes(Array({1.f, 2.f, 3.f})).read<float>()[0], 2.f);
  EXPECT_EQ(lanes(Array({1.f, 2.f, 3.f, 6.f})).read<float>()[0], 3.f);
  const std::int64_t before = counters().traces;
  EXPECT_EQ(lanes(Array({3.f, 2.f, 1.f})).read<float>()[0], 2.f);
  EXPECT_EQ(counters().traces - before, 1);  // of the vmap alone
  EXPECT_THROW(mean(Array(1.f)), UsageError);
}

TEST(Jit, SeesConstantsOfTheTraceAroundItAsTheyAreNow) {
  auto f = jit([](const Array& x) {
    Array c(2.f);
    auto inner = jit([&c](const Array& v) { return lax::mul(v, c); });
    const Array y = inner(x);
    c = Array(3.f);
    return lax::add(y, inner(x));
  });
  EXPECT_EQ(f(Array(1.f)).item(), 5.f);
}

TEST(Jit, HostFunctionsInsideAreNoCapturedArrays) {
  auto f = jit([](const Array& x) {
    return host_function(
        [](std::span<const HostArray> in, std::span<const HostArray> out) {
          out[0].as<float>()[0] = in[0].as<float>()[0] + 1;
        },
        {x.type()}, {x})[0];
  });
  for (float x : {1.f, 2.f}) EXPECT_EQ(f(Array(x)).item(), x + 1);
}

}  // namespace
}  // namespace baton
