// caches: threads that compile, share, evict and clear at one time.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "base/held_bytes.h"
#include "baton/baton.h"
#include "jit/cache.h"

namespace baton {
namespace {

TEST(Caches, ThreadsCompileAndEvictAtOneTime) {
  clear_caches();
  const std::size_t start = HeldBytes::all();
  const auto numbered = [](int i) {
    return jit([i](const Array& x) { return lax::add(lax::mul(x, 1.5f + static_cast<float>(i)), 1.f); });
  };
  const Array x({1.f, 2.f});
  const auto held = numbered(1000);  // by a Jit of all threads
  held(x);
  const std::size_t bound = bound_executables(HeldBytes::all());  // so each insertion evicts
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 12; ++i) {
        const int number = (i + 4 * t) % 16;  // some are others' too
        if (numbered(number)(x).read<float>()[1] != 2 * (1.5f + static_cast<float>(number)) + 1) ++wrong;
        if (held(x).read<float>()[0] != 1002.5f) ++wrong;
        if (lax::sin(lax::full({number + 1}, 0.f)).read<float>()[0] != 0) ++wrong;
        if (t == 0 && i == 6) clear_caches();
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  bound_executables(bound);
  EXPECT_EQ(held(x).read<float>()[0], 1002.5f);
  EXPECT_GT(HeldBytes::all(), start);
  clear_caches();
}

/// A chain of its own for each number.
Array chain(int number, Array x) {
  for (int i = 0; i < 40; ++i)
    x = lax::sin(lax::mul(x, 1.25f + static_cast<float>(number))) + lax::cumsum(x, 0);
  return x;
}

/// One of them makes it, and the others wait: each takes the place of the Jit, and of the operation, of all.
TEST(Caches, WhatThreadsWantAtOneTimeIsMadeOnce) {
  const Array x({1.f, 2.f, 3.f});
  const auto made_by = [&](int threads, int number) {
    const Counters before = counters();
    std::atomic<int> waiting = threads;
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
      all.emplace_back([&, number] {
        const auto f = jit([number](const Array& a) { return chain(number, a); });
        for (--waiting; waiting > 0;) std::this_thread::yield();
        f(x);
        lax::cos(lax::full({40 + number, 3}, 0.5f));
      });
    for (std::thread& thread : all) thread.join();
    const Counters after = counters();
    return std::array{after.compiles - before.compiles, after.cache_misses - before.cache_misses,
                      after.cache_hits - before.cache_hits, after.code_modules - before.code_modules,
                      after.eager_compiles - before.eager_compiles};
  };
  const auto alone = made_by(1, 0);
  EXPECT_EQ(alone[0], 1);
  EXPECT_EQ(alone[1], 1);
  for (int number = 1; number < 6; ++number) {
    const auto together = made_by(6, number);
    EXPECT_EQ(together[0], 1);
    EXPECT_EQ(together[1], 1);
    EXPECT_EQ(together[2], 5);
    EXPECT_EQ(together[3], alone[3]);
    EXPECT_EQ(together[4], alone[4]);
  }
}

/// Where making it fails, each who waits tries by itself, and nothing is left behind.
TEST(Caches, ThreadsThatWaitForWhatFailsFailToo) {
  const auto refused = jit([](const Array& x) {
    return lax::reduce_sum(lax::broadcast_in_dim(x, {std::int64_t{1} << 42, 2}, {1}), {1});
  });
  const Array x({1.f, 2.f});
  const std::size_t held = executable_count();
  std::atomic<int> errors = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      try {
        refused(x);
      } catch (const DeviceError&) {
        ++errors;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(errors, 4);
  EXPECT_LE(executable_count(), held + 1);
}

}  // namespace
}  // namespace baton
