// compile: what users of other libraries met in tracing, compiling, loops and random numbers, restated.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <regex>

#include "baton/baton.h"
#include "baton/random.h"
#include "child.h"
#include "error_of.h"

namespace baton {
namespace {

std::vector<float> values(const Array& a) { return a.read<float>().vector(); }
std::int64_t compiles() { return counters().compiles; }

// jax-ml/jax #9661: a jit inside a checkpoint compiles again for every gradient.
TEST(Reports, R27_AJitInsideACheckpointCompilesOnce) {
  auto sum = jit([](const Array& x) { return lax::reduce_sum(x, {0, 1}); });
  auto g = checkpoint([sum](const Array& x) { return sum(x); });
  auto once = [&](int i) { return value_and_grad(g)(lax::full({2, 5}, static_cast<float>(i))).value.item(); };
  EXPECT_EQ(once(1), 10.f);
  const std::int64_t after = compiles();
  for (int i = 2; i <= 3; ++i) EXPECT_EQ(once(i), 10.f * static_cast<float>(i));
  EXPECT_EQ(compiles(), after);
}

// jax-ml/jax #10037: the linear function of linearize compiles on every call.
TEST(Reports, R27_TheLinearFunctionOfACheckpointCompilesOnce) {
  auto twice = jit([](const Array& x) { return lax::mul(x, 2.f); });
  auto [out, linear] = linearize(checkpoint([twice](const Array& x) { return twice(x); }), Array(1.f));
  EXPECT_EQ(linear(Array(3.f)).item(), 6.f);
  const std::int64_t after = compiles();
  for (int i = 0; i < 100; ++i) linear(Array(3.f));
  EXPECT_EQ(compiles(), after);
}

// jax-ml/jax #9288: a jit that is made in a loop compiles each time.
TEST(Reports, R40_AJitMadeInALoopCompilesOnce) {
  const Counters before = counters();
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(jit([](const Array& x) { return lax::add(x, 1.25f); })(Array(static_cast<float>(i))).item(),
              static_cast<float>(i) + 1.25f);
  EXPECT_EQ(counters().compiles - before.compiles, 1);
  EXPECT_EQ(counters().traces - before.traces, 10);
}

struct Carry {
  Array weight, steps;
};

// jax-ml/jax #833: the carry of a scan changes its type, and the message does not say where.
TEST(Reports, R42_ACarryThatChangesItsTypeIsNamed) {
  const Carry init{Array(1.f), Array(0)};
  const std::string error = error_of([&] {
    scan(
        [](Carry c, Array x) {
          c.steps = lax::add(lax::convert_element_type(c.steps, f32), 1.f);
          return Step{c, x};
        },
        init, Array({1.f, 2.f}));
  });
  EXPECT_NE(error.find("carry.steps was s32[] and became f32[]"), std::string::npos) << error;
  EXPECT_NE(error.find("Convert it there: astype(x, s32)."), std::string::npos) << error;
}

struct Dropped {
  random::Key key;
  Array x;
};
struct DropStep {
  Dropped state;
  Array mask;
};
DropStep drop(Dropped s) {
  auto [next, now] = random::split<2>(s.key);
  const Array mask = lax::convert_element_type(random::bernoulli(now, 0.5, {64}), f32);
  s.key = next;
  s.x = lax::mul(s.x, mask);
  return {s, mask};
}

// keras-team/keras #18426: a seed of a trace is a constant, so every step drops the same, and no cache hits.
TEST(Reports, R44_KeysAreStateSoStepsDifferAndResumesAgree) {
  auto step = jit(drop);
  Dropped s{random::key(7), lax::full({64}, 1.f)};
  const Array first = step.update(s);
  const Dropped saved = clone(s);
  const std::int64_t after = compiles();
  const Array second = step.update(s);
  EXPECT_NE(values(first), values(second));
  Dropped resumed = clone(saved);
  EXPECT_EQ(values(step.update(resumed)), values(second));
  EXPECT_EQ(values(resumed.x), values(s.x));
  EXPECT_EQ(compiles(), after);
}

// keras-team/keras #18426: the key of a cache differs from process to process.
TEST(Reports, R44_TheProgramIsTheSameInEveryProcess) {
  const Hash hash = jit(drop).program(Dropped{random::key(7), lax::full({64}, 1.f)}).hash();
  char text[64];
  std::snprintf(text, sizeof text, "hash %016llx%016llx", static_cast<unsigned long long>(hash.high),
                static_cast<unsigned long long>(hash.low));
  if (testing::is_child()) {
    std::puts(text);
    return;
  }
  const std::string output = testing::output_of_child("Reports.R44_TheProgram*");
  EXPECT_NE(output.find(text), std::string::npos) << output;
}

// Where a compile is a surprise, the environment shows each trace, with what differs from the calls before.
TEST(Reports, LogCompilesShowsTracesAndTheirDifference) {
  if (testing::is_child()) {
    auto f = jit([](const Array& x) { return lax::mul(lax::add(x, 1.f), x); }, {.name = "f"});
    f(Array({1.f, 2.f}));
    f(Array({3.f, 4.f}));
    f(Array({1.f, 2.f, 3.f}));
    return;
  }
  const auto lines = [](const std::string& environment) {
    const std::string output =
        testing::output_of_child("Reports.LogCompiles*", environment, "2>&1 >/dev/null");
    return std::regex_replace(output, std::regex("[0-9.]+ ms|_test.cc:[0-9]+"), "_");
  };
  EXPECT_EQ(lines("BATON_LOG_COMPILES=1"),
            "baton: traced `f` (jit at compile_): 3 equations, _\n"
            "baton: compiled a Program of 3 equations in _\n"
            "baton: traced `f` (jit at compile_): 3 equations, _; differs from the closest earlier call in:\n"
            "  args[0]    f32[2] -> f32[3]\n"
            "baton: compiled a Program of 3 equations in _\n");
  EXPECT_EQ(lines("BATON_LOG_COMPILES=0"), "");
}

/// `count` sines in a row, checkpointed in halves, halves of halves, and so on.
Array halves(const Array& x, int count) {
  if (count == 1) return lax::sin(x);
  auto f = [count](const Array& v) { return halves(halves(v, count / 2), count / 2); };
  return checkpoint(f)(x);
}
int occurrences(const std::string& text, std::string_view word) {
  int n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

// jax-ml/jax #18817: checkpoints inside checkpoints do not do what users expect.
TEST(Reports, R48_NestedCheckpointsRecomputeByHalvesAndAreExact) {
  auto plain = [](Array x) {
    for (int i = 0; i < 8; ++i) x = lax::sin(x);
    return x;
  };
  auto nested = [](const Array& x) { return halves(x, 8); };
  const Array x(0.7f);
  EXPECT_EQ(vjp(plain, x).pullback.residuals().size(), 8u);            // a cosine of each sine
  EXPECT_EQ(vjp(nested, x).pullback.residuals(), Types({{f32, {}}}));  // the input alone
  EXPECT_EQ(grad(nested)(x).item(), grad(plain)(x).item());
  EXPECT_EQ(nested(x).item(), plain(x).item());
  // The outer checkpoint keeps its input alone: at the top only that and the cotangent pass the barrier. Each
  // level computes its first half once more.
  const std::string text = jit(grad(nested)).program(x).text();
  EXPECT_NE(text.find("\n  b:f32[], c:f32[] = optimization_barrier a 1.0:f32\n  d:f32[] = checkpoint b c "),
            std::string::npos)
      << text;
  EXPECT_EQ(occurrences(text, " sin "), 4 + 2 * (2 + 2 * 1)) << text;
}

// The same for a loop: checkpoint(scan) keeps no carries.
TEST(Reports, R48_ACheckpointAroundAScanKeepsItsInputsAlone) {
  const Array xs({0.1f, 0.2f, 0.3f});
  auto f = [xs](const Array& c) {
    return scan(
               [](Array carry, Array x) {
                 return Step{lax::sin(lax::mul(carry, x)), Nothing{}};
               },
               c, xs)
        .carry;
  };
  EXPECT_EQ(grad(checkpoint(f))(Array(0.5f)).item(), grad(f)(Array(0.5f)).item());
  const Counters before = counters();
  auto [out, pull] = vjp(checkpoint(f), Array(0.5f));
  EXPECT_LE(counters().live_bytes - before.live_bytes, 3 * 64);  // the result, and at most two inputs
}

// tracel-ai/burn #2743: a forward pass without a backward one leaks what it saved.
TEST(Reports, R60_ForwardPassesWithoutABackwardOneKeepNothing) {
  const Array x = lax::full({1024}, 0.5f);
  auto f = [](const Array& v) { return lax::reduce_sum(lax::mul(lax::sin(v), lax::exp(v)), {0}); };
  const Array y = vjp(f, x).out;
  const Counters before = counters();
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(vjp(f, x).out.item(), y.item());
  EXPECT_EQ(counters().live_bytes, before.live_bytes);
  EXPECT_EQ(counters().compiles, before.compiles);
}

}  // namespace
}  // namespace baton
