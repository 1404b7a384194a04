// caches: what is shared, what is compiled, what goes when there is too much, and that all of it comes back.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "base/held_bytes.h"
#include "baton/baton.h"
#include "jit/cache.h"
#include "on_cpu.h"

namespace baton {
namespace {

class Caches : public testing::OnCpu {
 protected:
  void SetUp() override {
    OnCpu::SetUp();
    clear_caches();
    start_ = HeldBytes::all();
  }
  void TearDown() override {
    if (bound_) bound_executables(*bound_);
    OnCpu::TearDown();
  }
  void bound(std::size_t bytes) {
    const std::size_t before = bound_executables(bytes);
    if (!bound_) bound_ = before;
  }
  std::size_t held() const { return HeldBytes::all() - start_; }

 private:
  std::size_t start_ = 0;
  std::optional<std::size_t> bound_;
};

/// What a piece of work adds to the counters.
struct Added {
  std::int64_t compiles, code_modules, hits;
};
template <class F>
Added added_by(F work) {
  const Counters before = counters();
  work();
  const Counters after = counters();
  return {after.compiles - before.compiles, after.code_modules - before.code_modules,
          after.cache_hits - before.cache_hits};
}

/// A function whose Program and code are those of no other number.
auto numbered(int i) {
  return jit(
      [i](const Array& x) { return lax::add(lax::mul(lax::sin(x), 1.5f + static_cast<float>(i)), x); });
}
float at_half(int i) { return std::sin(0.5f) * (1.5f + static_cast<float>(i)) + 0.5f; }

TEST_F(Caches, CodeIsMadeOnceForEachProgram) {
  const Array x({0.5f, 1.f});
  const auto f = numbered(0);
  const Added first = added_by([&] { f(x); });
  EXPECT_EQ(first.compiles, 1);
  EXPECT_EQ(first.code_modules, 1);
  const Added again = added_by([&] { f(x); });
  EXPECT_EQ(again.compiles, 0);
  EXPECT_EQ(again.code_modules, 0);
  const Added of_another = added_by([&] { numbered(0)(x); });
  EXPECT_EQ(of_another.compiles, 0);
  EXPECT_EQ(of_another.code_modules, 0);
  EXPECT_EQ(of_another.hits, 1);
}

/// Another length is another Program, but its code is the same: whole vectors need no extent.
TEST_F(Caches, EqualCodeServesArraysOfAnyLength) {
  const auto f = numbered(0);
  const Added first = added_by([&] { f(lax::full({1600}, 0.5f)); });
  EXPECT_EQ(first.code_modules, 1);
  const Added longer = added_by([&] {
    const Array y = f(lax::full({3200}, 0.5f));
    EXPECT_NEAR(y.read<float>()[3199], at_half(0), 1e-6f);
  });
  EXPECT_EQ(longer.compiles, 1);
  EXPECT_EQ(longer.code_modules, 0);
}

/// What is interpreted first is compiled by the run in which that becomes worth it: no new Program, so that
/// `compiles` does not tell.
TEST_F(Caches, InterpretedLoopsAreCompiledWhenTheyAreWorthIt) {
  const Array x = lax::full({100'000}, 0.5f);
  const Added first = added_by([&] { lax::sin(lax::slice(x, {0}, {16}, {1})); });
  EXPECT_EQ(first.code_modules, 0);
  std::size_t before = 0;
  const Added once = added_by([&] { lax::cos(lax::slice(x, {0}, {99'000}, {1})); });
  EXPECT_EQ(once.code_modules, 0);
  before = held();
  Added many = {};
  int calls = 0;
  for (; calls < 10'000 && many.code_modules == 0; ++calls)
    many = added_by([&] { lax::cos(lax::slice(x, {0}, {99'000}, {1})); });
  EXPECT_EQ(many.code_modules, 1) << calls << " calls";
  EXPECT_EQ(many.compiles, 0);
  EXPECT_GE(held(), before + 4096);  // pages of code, which nobody inserts into a list
  const Added after = added_by([&] { lax::cos(lax::slice(x, {0}, {99'000}, {1})); });
  EXPECT_EQ(after.code_modules, 0);
}

TEST_F(Caches, AllComesBackWhenCachesAreCleared) {
  const Array x({0.5f, 1.f});
  for (int i = 0; i < 5; ++i) {
    numbered(i)(x);
    grad([i](const Array& v) { return lax::reduce_sum(lax::mul(v, static_cast<float>(i)), {0}); })(x);
    scan(
        [i](const Array& c, const Array& s) {
          return Step{lax::add(c, s), lax::mul(c, 1.f + static_cast<float>(i))};
        },
        Array(1.f), x);
    lax::sort({x});
  }
  EXPECT_GT(held(), 5 * 4096u);
  EXPECT_GT(executable_count(), 10u);
  clear_caches();
  EXPECT_EQ(held(), 0u);
  EXPECT_EQ(executable_count(), 0u);
}

TEST_F(Caches, WhatAJitHoldsStaysAndRuns) {
  const Array x({0.5f, 1.f});
  {
    const auto f = numbered(0);
    f(x);
    clear_caches();
    EXPECT_EQ(executable_count(), 0u);
    EXPECT_GT(held(), 4096u);
    const Added again = added_by([&] { EXPECT_NEAR(f(x).read<float>()[0], at_half(0), 1e-6f); });
    EXPECT_EQ(again.compiles, 0);
    EXPECT_EQ(again.code_modules, 0);
  }
  EXPECT_EQ(held(), 0u);  // the last owner has died
}

TEST_F(Caches, BeyondTheBoundGoesWhatWasUsedLongestAgo) {
  const Array x({0.5f, 1.f});
  numbered(0)(x);
  const std::size_t one = held();
  bound(HeldBytes::all() + 3 * one + one / 2);
  for (int i = 1; i < 20; ++i) {
    numbered(i)(x);
    EXPECT_LE(held(), 4 * one + one / 2) << i;
    EXPECT_EQ(added_by([&] { numbered(0)(x); }).compiles, 0) << i;  // which is used all the time
  }
  EXPECT_GE(executable_count(), 3u);
  EXPECT_LE(executable_count(), 4u);
  EXPECT_EQ(added_by([&] { numbered(19)(x); }).compiles, 0);
  const Added gone = added_by([&] { EXPECT_NEAR(numbered(1)(x).read<float>()[0], at_half(1), 1e-6f); });
  EXPECT_EQ(gone.compiles, 1);
  EXPECT_EQ(gone.code_modules, 1);
}

/// To let go of what a Jit holds would free nothing, and another Jit would have to plan it again.
TEST_F(Caches, WhatAJitHoldsDoesNotGoBeforeTheJit) {
  const Array x({0.5f, 1.f});
  bound(0);
  {
    const auto f = numbered(0);
    f(x);
    for (int i = 1; i < 5; ++i) numbered(i)(x);
    EXPECT_EQ(added_by([&] { f(x); }).compiles, 0);
    EXPECT_EQ(added_by([&] { numbered(0)(x); }).compiles, 0);
    EXPECT_EQ(executable_count(), 2u);  // that of f, and the last one, which died behind the insertion
  }
  bound(0);
  EXPECT_EQ(executable_count(), 0u);
  EXPECT_EQ(held(), 0u);
}

/// However much Jits hold, the cache keeps a quarter of its bound for itself.
TEST_F(Caches, JitsThatHoldMuchLeaveRoomForOthers) {
  const Array x({0.5f, 1.f});
  numbered(0)(x);
  const std::size_t one = held();
  std::vector<decltype(numbered(0))> jits;
  for (int i = 0; i < 20; ++i) jits.push_back(numbered(i)), jits.back()(x);
  bound(10 * one);
  EXPECT_EQ(executable_count(), 20u);
  for (int i = 20; i < 30; ++i) numbered(i)(x);
  EXPECT_EQ(added_by([&] { numbered(29)(x), numbered(28)(x); }).compiles, 0);
  EXPECT_EQ(added_by([&] { numbered(20)(x); }).compiles, 1);
}

/// Single operations are in the same list.
TEST_F(Caches, SingleOperationsGoToo) {
  bound(0);
  for (int n = 1; n < 50; ++n) lax::sin(lax::full({n}, 0.5f));
  EXPECT_LE(executable_count(), 2u);
  EXPECT_EQ(lax::cos(Array(0.f)).item(), 1.f);
}

}  // namespace
}  // namespace baton
