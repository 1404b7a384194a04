// cross: two Jits whose functions call each other, traced by two threads at once. Neither may wait for the
// other.
#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "baton/baton.h"

namespace baton {
namespace {

TEST(Threads, JitsThatCallEachOtherAreTracedFromTwoThreads) {
  std::latch both(2);  // each thread is inside its own trace when it calls the other's Jit
  static Array (*first)(const Array&) = nullptr;
  static Array (*other)(const Array&) = nullptr;
  static std::latch* meet = nullptr;
  meet = &both;
  static const auto a = jit([](const Array& x) {
    if (x.rank() == 1) return lax::mul(x, 2.f);
    meet->arrive_and_wait();
    return lax::reduce_sum(other(lax::reshape(x, {1})), {0});
  });
  static const auto b = jit([](const Array& x) {
    if (x.rank() == 1) return lax::mul(x, 3.f);
    meet->arrive_and_wait();
    return lax::reduce_sum(first(lax::reshape(x, {1})), {0});
  });
  first = [](const Array& x) { return a(x); };
  other = [](const Array& x) { return b(x); };
  float from_a = 0, from_b = 0;
  std::thread one([&] { from_a = a(Array(1.f)).item(); });
  std::thread two([&] { from_b = b(Array(1.f)).item(); });
  one.join();
  two.join();
  EXPECT_EQ(from_a, 3.f);
  EXPECT_EQ(from_b, 2.f);
}

TEST(Threads, OneJitIsTracedOnceByManyThreads) {
  std::latch start(4);
  std::atomic<int> runs = 0;
  const auto f = jit([&runs](const Array& x) {
    ++runs;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the others arrive meanwhile
    return lax::sin(x);
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      start.arrive_and_wait();
      f(Array(1.f));
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace baton
