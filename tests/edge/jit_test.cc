// jit: signatures, donation, captures, counts.
#include <gtest/gtest.h>

#include <string>

#include "baton/baton.h"
#include "error_of.h"

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

TEST(Jit, SeesConstantsOfTheTraceAroundItFromInsideALoop) {
  auto f = jit([](const Array& x) {
    Array c(2.f);
    auto inner = jit([&c](const Array& v) {
      return fori_loop(
          0, 1, [&c](const Array&, const Array& w) { return lax::mul(w, c); }, v);
    });
    const Array y = inner(x);
    c = Array(3.f);
    return lax::add(y, inner(x));
  });
  EXPECT_EQ(f(Array(1.f)).item(), 5.f);
}

TEST(Jit, ErrorsOfATraceNameTheCalls) {
  constexpr int line = __LINE__ + 1;
  const auto f = jit([](const Array& x) { return lax::sin(x); });
  const auto g = jit([f](const Array& x) { return f(x); });
  const auto at = [](int n) { return "jit_test.cc:" + std::to_string(n); };
  const std::string start =
                        "sin: operand 0 must be floating or complex, found s32[].\n  called at " + at(line),
                    end = "\n  Convert it first: astype(x, f32).";
  constexpr int call = __LINE__ + 1;
  const std::string once = error_of([&] { f(Array(1)); });
  EXPECT_EQ(once, start + ", while tracing for the call at " + at(call) + end);
  constexpr int outer = __LINE__ + 1;
  const std::string twice = error_of([&] { g(Array(1)); });
  EXPECT_EQ(twice, start + ", while tracing for the call at " + at(line + 1) + ", in the call at " +
                       at(outer) + end);
  // A trace that ended leaves nothing behind.
  EXPECT_EQ(error_of([&] { lax::sin(Array(1)); }).find("tracing"), std::string::npos);
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

TEST(Jit, TransformsOfAFunctionHideNoReference) {
  Array outside(2.f);
  const auto f = [&outside](const Array& x) { return lax::mul(lax::mul(x, x), outside); };
  const auto refused = [](const auto& compiled, const Array& x) {
    compiled(x);
    EXPECT_THROW(compiled(x), UsageError);
  };
  const Array x(3.f);
  refused(jit(grad(f)), x);
  refused(jit(value_and_grad(f, {.trainable = {"*"}})), x);
  refused(jit(grad(grad(f))), x);
  refused(jit(vmap(f, {.axis_name = "lanes"})), Array({1.f, 2.f}));
  refused(jit(checkpoint(f, {.save = save::names({"kept"})})), x);
  refused(jit(jacrev(f)), x);
  refused(jit(hessian(f)), x);
  refused(jit(custom_jvp(f,
                         [](const std::tuple<Array>& p, const std::tuple<Array>& t) {
                           return Jvp<Array>{std::get<0>(p), std::get<0>(t)};
                         })),
          x);
  refused(jit([g = grad(f)](const Array& v) { return lax::add(g(v), 1.f); }), x);
  // An array that the closure holds is an input.
  auto held = jit(grad([outside](const Array& v) { return lax::mul(v, outside); }));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(held(x).item(), 2.f);
}

TEST(Jit, NamesMayBeMadeOnTheWay) {
  std::vector<Jit<Array(Array)>> layers;
  for (int i = 0; i < 2; ++i)
    layers.push_back(jit([](const Array& x) { return lax::neg(x); },
                         {.name = "a layer whose name is long, number " + std::to_string(i)}));
  Array x(1.f);
  layers[1](std::move(x));
  try {
    layers[1](std::move(x));  // NOLINT(bugprone-use-after-move): what is tested
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_EQ(std::string(e.what()).find("`a layer whose name is long, number 1` (jit at "), 0u) << e.what();
  }
}

TEST(Jit, ConversionsAreNotDonated) {
  auto f = jit(
      [](const Array& w, const Array& rate) {
        return Out{{lax::mul(w, rate), rate}, w};
      },
      {.donation = Donation::required});
  Array w(3.f);
  const void* memory = w.data();
  const Out out = f(std::move(w), 0.5f);
  EXPECT_EQ(out.loss.data(), memory);
  EXPECT_EQ(out.state.w.item(), 1.5f);
  ASSERT_EQ(f.donation().leaves.size(), 1u);
  auto g = jit([](const Array& x, const Array& rate) { return lax::mul(x, rate); },
               {.donation = Donation::required});
  Array x({1.f, 2.f});
  EXPECT_THROW(g(std::move(x), Array(2.f)), UsageError);  // types differ
  auto h =
      jit([](const Array& v, const Array& rate) { return lax::mul(v, lax::broadcast_in_dim(rate, {2}, {})); },
          {.donation = Donation::required});
  EXPECT_EQ(h(std::move(x), 2.f).read<float>()[1],
            4.f);  // NOLINT(bugprone-use-after-move): it was left alone
}

TEST(Jit, MutableFunctionsAreCalledAsTheyAre) {
  int calls = 0;
  const auto f = [n = 0, &calls](const Array& x) mutable {
    calls = ++n;
    return lax::mul(x, x);
  };
  const auto g = grad(f);
  for (int i = 1; i <= 2; ++i) {
    EXPECT_EQ(g(Array(3.f)).item(), 6.f);
    EXPECT_EQ(calls, i);
  }
  EXPECT_EQ(jvp(f, Array(3.f), Array(1.f)).tangent.item(), 6.f);
  EXPECT_EQ(calls, 1);  // of a copy: this f is const
  const auto rows = jacfwd(f);
  EXPECT_EQ(rows(Array(3.f)).item(), 6.f);
}

TEST(Jit, TellsOnceWhatItCopiesThoughItWasMoved) {
  auto step = jit(train, {.name = "step"});
  State s{Array({1.f, 2.f}), Array(0)};
  const Array kept = s.w, x({1.f, 1.f});
  testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) {
    State copy{kept, Array(0)};
    step.update(copy, x);
  }
  const std::string log = testing::internal::GetCapturedStderr();
  const std::string start = "baton: `step` (jit at jit_test.cc:";
  EXPECT_EQ(log.find(start), 0u) << log;
  EXPECT_EQ(log.rfind(start), 0u) << log;
  EXPECT_NE(
      log.find("): args[0].w f32[2] was donated, but shares its memory with a copy of the array outside of "
               "the call, so the result takes memory of its own; called at jit_test.cc:"),
      std::string::npos)
      << log;
}

/// An array that is one while functions are traced too.
Array host_array(float a, float b) {
  const float values[] = {a, b};
  const std::int64_t strides[] = {sizeof(float)};
  return Array::copy({f32, {2}}, values, strides);
}

TEST(Jit, CopiesHideNoReference) {
  const Array x({1.f, 2.f});
  Array outside({3.f, 4.f});
  auto copied = jit([&outside](const Array& v) { return lax::mul(v, clone(outside)); });
  EXPECT_EQ(copied(x).read<float>()[1], 8.f);
  EXPECT_THROW(copied(x), UsageError);
  // What one trace made is outside of another.
  Array made;
  auto maker = jit([&made](const Array& v) {
    made = host_array(5.f, 6.f);
    return lax::mul(v, made);
  });
  EXPECT_EQ(maker(x).read<float>()[1], 12.f);
  EXPECT_EQ(maker(x).read<float>()[1], 12.f);
  auto reader = jit([&made](const Array& v) { return lax::add(v, made); });
  EXPECT_EQ(reader(x).read<float>()[1], 8.f);
  EXPECT_THROW(reader(x), UsageError);
}

TEST(Jit, SeesArraysOfTheTraceAroundItAsTheyAreNow) {
  auto f = jit([](const Array& x) {
    Array c = host_array(2.f, 3.f);
    auto inner = jit([&c](const Array& v) { return lax::mul(v, c); });
    const Array y = inner(x);
    c = host_array(5.f, 7.f);
    return lax::add(y, inner(x));
  });
  for (int i = 0; i < 2; ++i) EXPECT_EQ(f(Array({1.f, 1.f})).read<float>()[1], 10.f);
}

}  // namespace
}  // namespace baton
