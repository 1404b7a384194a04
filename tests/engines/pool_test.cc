// pool: every part runs once, whoever waits; errors and the caller's floating-point settings.
#include "engines/cpu/pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "baton/baton.h"
#include "child.h"
#include "engines/cpu/floating.h"
#include "error_of.h"

namespace baton::cpu {
namespace {

TEST(Pool, EveryPartRunsOnce) {
  for (int threads : {1, 2, 4})
    for (std::int64_t parts : {0, 1, 2, 3, 100}) {
      Pool pool(threads);
      EXPECT_EQ(pool.count(), threads);
      std::vector<std::atomic<int>> ran(static_cast<std::size_t>(parts));
      pool.run(parts, [&](std::int64_t i) { ++ran[static_cast<std::size_t>(i)]; });
      for (const auto& n : ran) EXPECT_EQ(n, 1);
    }
}

TEST(Pool, PartsMayHavePartsAndCallersMayBeMany) {
  std::atomic<int> ran{0};
  const auto caller = [&] {
    Pool pool(3);
    for (int round = 0; round < 50; ++round)
      pool.run(4, [&](std::int64_t) { pool.run(5, [&](std::int64_t) { ++ran; }); });
  };
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) callers.emplace_back(caller);
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(ran, 3 * 50 * 20);
}

/// A thread that waits for its own parts runs none of the parts around them: kernels may keep things by
/// thread.
TEST(Pool, WhoWaitsRunsNoOtherPart) {
  Pool pool(4);
  thread_local bool busy = false;
  std::atomic<int> met{0};
  for (int round = 0; round < 200; ++round)
    pool.run(8, [&](std::int64_t) {
      met += busy;
      busy = true;
      pool.run(4, [](std::int64_t) {});
      busy = false;
    });
  EXPECT_EQ(met, 0);
}

TEST(Pool, AnErrorReachesTheCallerWhenAllPartsHaveEnded) {
  Pool pool(2);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> running{0};
    EXPECT_THROW(pool.run(8,
                          [&](std::int64_t i) {
                            ++running;
                            if (i == 3) {
                              --running;
                              throw std::runtime_error("part");
                            }
                            --running;
                          }),
                 std::runtime_error);
    EXPECT_EQ(running, 0);
  }
}

/// Every thread rounds as kernels do; the caller gets its own settings back.
TEST(Floating, TheCallersSettingsComeBack) {
  std::fesetround(FE_UPWARD);
  std::atomic<int> wrong{0};
  {
    const Floating floating(Subnormal::zero);
    Pool pool(4);
    for (int round = 0; round < 100; ++round)
      pool.run(4, [&](std::int64_t) {
        volatile float least = std::numeric_limits<float>::min(), one = 1, tiny = 1e-10f;
        const float half = least * 0.5f, sum = one + tiny;
        wrong += half != 0 || sum != 1;
      });
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  volatile float least = std::numeric_limits<float>::min();
  EXPECT_GT(least * 0.5f, 0.f);
}

TEST(Threads, TheirNumberIsANumber) {
  EXPECT_EQ(threads_named("3"), 3);
  for (const char* text : {"", "0", "-1", "two", "2x", " 2", "1025", "99999999999999999999"})
    EXPECT_EQ(error_of([&] { threads_named(text); }),
              "BATON_THREADS: a number of threads from 1 to 1024 is required, found `" + std::string(text) +
                  "`.\n  Unset it to use every processor that this process may use.");
  EXPECT_GE(default_threads(), 1);
}

/// How many threads this process has once it has run what is worth several.
std::size_t threads_after_work() {
  const Array x = lax::full({1 << 20}, 0.5f);
  const auto f = jit([](const Array& a) { return lax::sin(lax::exp(lax::tanh(a))); });
  for (int i = 0; i < 20; ++i) f(x);
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}
TEST(Threads, TheEnvironmentSaysHowMany) {
  if (testing::is_child()) {
    set_default_engine(Engine::cpu);
    std::printf("threads %d, of the process %zu\n", default_threads(), threads_after_work());
    return;
  }
  const auto said = [](const char* environment) {
    const std::string output = testing::output_of_child("Threads.TheEnvironmentSaysHowMany", environment);
    const std::size_t at = output.find("threads ");
    return at == std::string::npos ? output : output.substr(at, output.find('\n', at) - at);
  };
  EXPECT_EQ(said("BATON_THREADS=1"), "threads 1, of the process 1");
  EXPECT_EQ(said("BATON_THREADS=3").substr(0, 10), "threads 3,");
  if (std::thread::hardware_concurrency() > 1)
    EXPECT_NE(said("BATON_THREADS=3"), "threads 3, of the process 1");
  const auto number = [](const std::string& text) { return text.substr(0, text.find(',')); };
  EXPECT_EQ(number(said("BATON_THREADS=")), number(said("env -u BATON_THREADS")));
}

}  // namespace
}  // namespace baton::cpu
