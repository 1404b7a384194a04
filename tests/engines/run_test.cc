// run: what a call says of its memory before it runs, when it gets none, and about donated leaves.
#include <gtest/gtest.h>

#include <limits>

#include "baton/baton.h"
#include "engines/cpu/cpu.h"
#include "engines/threads.h"
#include "error_of.h"
#include "on_cpu.h"
#include "ops/row.h"

namespace baton {
namespace {

class Run : public testing::OnCpu {};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct State {
  Array w, v;
};
struct Out {
  State state;
  Array loss;
};

TEST_F(Run, APlanIsKnownWithoutData) {
  const auto step = jit([](State s, const Array& x) {
    const Array y = lax::sort({s.w}, {.dimension = 0})[0];
    s.v = lax::mul(y, x);
    return Out{s, lax::reduce_sum(s.v, {0})};
  });
  const Type t{f32, {1024}};
  const auto state = [&] { return State{abstract(t), abstract(t)}; };
  const Array x = abstract(t);
  const PlanReport donated = step.plan(state(), x);
  EXPECT_EQ(donated.input_bytes, 3 * 4096u);
  EXPECT_EQ(donated.result_bytes, 64u);
  EXPECT_EQ(donated.steps, 3);
  const State kept = state();
  const PlanReport borrowed = step.plan(kept, x);
  EXPECT_EQ(borrowed.result_bytes, 4096u + 64);
  EXPECT_EQ(borrowed.peak_bytes(), borrowed.input_bytes + borrowed.result_bytes + borrowed.arena_bytes);
  EXPECT_EQ(borrowed.timeline.size(), 3u);
  EXPECT_TRUE(contains(borrowed.text(), "4.0 KiB  f32[1024]  args[0].w\n")) << borrowed.text();
  EXPECT_TRUE(contains(borrowed.text(), " at run_test.cc:")) << borrowed.text();
}

/// Sorting takes memory of its own; in a loop, that of the body is inside that of the loop.
TEST_F(Run, ScratchIsInTheReport) {
  const auto sorted = [](const Array& x) {
    return lax::reduce_sum(lax::sort({lax::mul(x, x)}, {.dimension = 0})[0], {0});
  };
  const PlanReport plain = jit(sorted).plan(abstract({f32, {1000000}}));
  const auto most = [](const PlanReport& r) {
    std::size_t bytes = 0;
    for (const PlannedStep& step : r.timeline) bytes = std::max(bytes, step.bytes);
    return bytes;
  };
  EXPECT_EQ(most(plain), plain.arena_bytes);
  EXPECT_GT(plain.arena_bytes, 12000000u);  // what is sorted, and the two rooms of a radix sort
  EXPECT_TRUE(contains(plain.text(), "  scratch of sort at run_test.cc:")) << plain.text();
  const auto loop = jit([sorted](const Array& xs) {
    return scan(
               [sorted](const Array& c, const Array& x) {
                 return Step{c + sorted(x), Nothing{}};
               },
               Array(0.f), xs)
        .carry;
  });
  const PlanReport looped = loop.plan(abstract({f32, {7, 1000000}}));
  EXPECT_EQ(most(looped), looped.arena_bytes);
  EXPECT_GT(looped.arena_bytes, 12000000u);
  std::vector<std::string> held;
  for (const PlannedValue& v : looped.largest)
    if (contains(v.what, "scratch of sort") || contains(v.what, "sort at")) held.push_back(v.what);
  ASSERT_EQ(held.size(), 2u) << looped.text();
  for (const std::string& what : held)
    EXPECT_TRUE(contains(what, "sort at run_test.cc:") &&
                contains(what, ", in the scratch of scan at run_test.cc:"))
        << what;
}

/// A weight that is used many times: its gradient is added up as the products come, and does not wait for the
/// last of them.
TEST_F(Run, AGradientOfManyUsesHoldsFewOfThem) {
  struct Tied {
    Array w, x;
  };
  const auto gradient = jit(grad([](const Tied& p) {
    Array y = p.x;
    for (int i = 0; i < 16; ++i) y = tanh(matmul(y, p.w));
    return sum(y);
  }));
  const Type weight{f32, {512, 512}};
  const PlanReport plan = gradient.plan(Tied{abstract(weight), abstract({f32, {8, 512}})});
  const std::size_t small = 40 * 8 * 512 * 4;  // what the layers keep
  EXPECT_LE(plan.arena_bytes + plan.result_bytes, 3 * weight.bytes() + small);
}

/// More memory than there is: an error before the first step, and the donated state is whole.
TEST_F(Run, ARefusedCallNamesTheLargestValues) {
  const auto step = jit([](State s) {
    const Array huge = lax::broadcast_in_dim(s.w, {std::int64_t{1} << 40, 2}, {1});
    s.v = s.v + lax::reshape(lax::slice(lax::sort({huge}, {.dimension = 0})[0], {0, 0}, {1, 2}), {2});
    s.w = s.w + s.v;
    return s;
  });
  State s{Array({1.f, 2.f}), Array({3.f, 4.f})};
  std::string message;
  const int line = __LINE__ + 2;
  try {
    step.update(s);
  } catch (const DeviceError& e) {
    message = e.what();
  }
  EXPECT_TRUE(contains(message, "jit at run_test.cc:")) << message;
  EXPECT_TRUE(contains(message, ", and the system refuses it. Nothing has run.\n  called at run_test.cc:" +
                                    std::to_string(line) + "\n  The largest values at its peak:\n"))
      << message;
  EXPECT_TRUE(contains(message, "8.0 TiB  f32[1099511627776,2]  sort at run_test.cc:")) << message;
  EXPECT_TRUE(contains(message, "8 B  f32[2]  args[0].w\n")) << message;
  EXPECT_EQ(s.w.read<float>().vector(), (std::vector<float>{1, 2}));
  EXPECT_EQ(s.v.read<float>().vector(), (std::vector<float>{3, 4}));
}

/// Two leaves that change places are read until the end, so no memory of theirs is reused, and the report
/// says so.
TEST_F(Run, TheReportOfADonationIsWhatThePlanDoes) {
  const auto swap = jit([](State s) { return State{lax::reshape(s.v, {2, 3}), lax::reshape(s.w, {3, 2})}; });
  State s{lax::full({2, 3}, 1.f), lax::full({3, 2}, 2.f)};
  swap.update(s);
  EXPECT_EQ(s.w.read<float>()[0], 2.f);
  const DonationReport report = swap.donation();
  EXPECT_EQ(report.reused_bytes, 0u);
  ASSERT_EQ(report.leaves.size(), 2u);
  for (const DonatedLeaf& leaf : report.leaves) {
    EXPECT_EQ(leaf.fate, DonatedLeaf::Fate::not_usable);
    EXPECT_EQ(leaf.detail, "it is still read when the result of its place is made");
  }
}

/// Single operations are compiled once for each content, and counted apart.
TEST_F(Run, SingleOperationsAreCompiledOnce) {
  clear_caches();
  const Array x = lax::full({7, 11, 3}, 0.5f), y = lax::full({7, 11, 2}, 0.5f);
  const Counters before = counters();
  const auto made = [&] { return counters().eager_compiles - before.eager_compiles; };
  for (int i = 0; i < 3; ++i) lax::sin(x);
  EXPECT_EQ(made(), 1);
  lax::sin(y);
  EXPECT_EQ(made(), 2);
  lax::cos(x);
  EXPECT_EQ(made(), 3);
  lax::rev(x, {0}), lax::rev(x, {0}), lax::rev(x, {1});
  EXPECT_EQ(made(), 5);
  EXPECT_EQ(counters().compiles, before.compiles);
  jit([](const Array& a) { return lax::tanh(lax::exp(a)); })(x);
  EXPECT_EQ(made(), 5);
  EXPECT_EQ(counters().compiles, before.compiles + 1);
}

TEST_F(Run, ThreadsAreCounted) {
  for (int threads : {-2, 1025}) {
    const int line = __LINE__ + 1;
    EXPECT_EQ(error_of([&] { jit([](const Array& x) { return x; }, {.threads = threads}); }),
              "jit: the number of threads must be from 1 to 1024, or 0 for those of the process, found " +
                  std::to_string(threads) + ".\n  called at run_test.cc:" + std::to_string(line));
  }
}

TEST_F(Run, ResultsDoNotDependOnThreads) {
  const auto f = [](const Array& x, const Array& w) {
    const Array h = tanh(matmul(x, w));
    const Array first = h.at(0);
    const Array p = exp(h - max(h, -1, {.keepdims = true}));
    return std::tuple(p / sum(p, -1, {.keepdims = true}), sum(h, 0), sum(h * h),
                      scan(
                          [](const Array& c, const Array& row) {
                            return Step{c * 0.5f + row, sum(c)};
                          },
                          first, h));
  };
  const Array x = random::normal(random::key(1), {512, 64}), w = random::normal(random::key(2), {64, 300});
  const ExecutablePtr executable = cpu::compile(trace(f, x, w), {});
  const auto run = [&](int threads) { return testing::run_by(threads, executable, {x, w}); };
  const Arrays alone = run(1);
  for (int threads : {2, 3, 4, 7})
    for (int round = 0; round < 3; ++round) {
      const Arrays found = run(threads);
      for (std::size_t k = 0; k < alone.size(); ++k)
        EXPECT_TRUE(testing::same_bits(found[k], alone[k])) << threads << " threads, result " << k;
    }
}

/// Numbers below the normal ones are zero to kernels, whatever the caller wants; the caller's settings come
/// back.
TEST_F(Run, SubnormalsAreZeroToKernels) {
  const auto square = jit([](const Array& x) { return lax::mul(x, x); });
  const auto sorted = jit([](const Array& x) { return lax::sort({x}, {.dimension = 0})[0]; });
  const Array x({1e-20f, 2e-20f, 1.f}), tiny({3e-40f, 1e-40f});
  EXPECT_EQ(square(x).read<float>().vector(), (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(sorted(tiny).read<float>().vector(), (std::vector<float>{1e-40f, 3e-40f}));
  volatile float least = std::numeric_limits<float>::min();
  EXPECT_GT(least * 0.5f, 0.f);
}

TEST_F(Run, ConstantsTakeNoStepAndNoMemory) {
  const Program program = Program::parse(R"({ a:f32[3] ->
    b:f32[3] = constant {type=f32[3], bytes=0x0000803f0000004000004040}
    c:f32[3] = mul a b
    return c, b, b })");
  const ExecutablePtr executable = cpu::compile(program, {});
  EXPECT_EQ(executable->report({}).steps, 1);
  EXPECT_EQ(executable->report({}).arena_bytes, 0u);
  const Arrays out = executable->run({Array({1.f, 2.f, 3.f})});
  EXPECT_EQ(out[0].read<float>().vector(), (std::vector<float>{1, 4, 9}));
  EXPECT_EQ(out[1].read<float>().vector(), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(out[2].read<float>().vector(), (std::vector<float>{1, 2, 3}));
  EXPECT_NE(out[1].data(), out[2].data());
}

/// A product cannot be written over its operand: it is made in the arena and copied, in each step.
TEST_F(Run, WhatCannotBeMadeInItsPlaceIsCountedAsACopy) {
  const auto square = jit([](const Array& w) { return matmul(w, w); });
  const auto twice = jit([](const Array& w) { return w + w; });
  Array w = full({8, 8}, 0.5f);
  const auto copies_of = [&](const auto& step) {
    step.update(w);
    const std::int64_t before = counters().copies;
    for (int i = 0; i < 3; ++i) step.update(w);
    return counters().copies - before;
  };
  EXPECT_EQ(copies_of(square), 3);
  EXPECT_EQ(copies_of(twice), 0);
}

}  // namespace
}  // namespace baton
