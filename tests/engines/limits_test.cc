// limits: a process that gets no threads or no memory, or that ends while it compiles. Each runs as a process
// of its own: a test that is its own child.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "baton/baton.h"
#include "child.h"
#include "engines/comparable.h"
#include "on_cpu.h"

namespace baton {
namespace {

int status_of_child(const std::string& test) {
  return testing::status_of_child("Limits." + test, "BATON_THREADS=4");
}

class Limits : public testing::OnCpu {
  void SetUp() override {
    if (!testing::machine_code_is_tested) GTEST_SKIP() << "a sanitizer has threads and memory of its own";
    OnCpu::SetUp();
  }
};

struct State {
  Array a, b;
};
/// b is written before the sine of a, which many threads would share.
State next(State s) {
  State n;
  n.b = sort(s.b) + 1;
  n.a = sin(s.a) * sum(n.b) + 1;
  return n;
}

TEST_F(Limits, WithoutThreadsTheCallerDoesAll) {
  if (!testing::is_child()) {
    EXPECT_EQ(status_of_child("WithoutThreadsTheCallerDoesAll"), 0);
    return;
  }
  const State before{full({3'000'000}, 0.5f), Array({5.f, 4.f, 3.f, 2.f})};
  const State want = jit(next, {.threads = 1})(before);
  State s{clone(before.a), clone(before.b)};
  const rlimit one{1, 1};
  setrlimit(RLIMIT_NPROC, &one);
  if (getuid() == 0) ASSERT_EQ(setuid(65534), 0);  // root has no limit
  const auto step = jit(next);
  step.update(s);
  EXPECT_TRUE(testing::same_bits(s.a, want.a));
  EXPECT_TRUE(testing::same_bits(s.b, want.b));
}

/// While one lives, the process may take so many bytes more of addresses.
class NoMoreThan {
 public:
  explicit NoMoreThan(rlim_t bytes) {
    getrlimit(RLIMIT_AS, &before_);
    std::ifstream statm("/proc/self/statm");
    rlim_t pages = 0;
    statm >> pages;
    rlimit little = before_;
    little.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + bytes;
    setrlimit(RLIMIT_AS, &little);
  }
  ~NoMoreThan() { setrlimit(RLIMIT_AS, &before_); }
  NoMoreThan(const NoMoreThan&) = delete;

 private:
  rlimit before_{};
};

/// What the process keeps for arrays and runs to come is no memory that it lacks.
TEST_F(Limits, WhatIsKeptGoesBeforeMemoryIsRefused) {
  if (!testing::is_child()) {
    EXPECT_EQ(status_of_child("WhatIsKeptGoesBeforeMemoryIsRefused"), 0);
    return;
  }
  constexpr std::int64_t mebibyte = 1 << 18;  // elements
  const std::vector<float> numbers(static_cast<std::size_t>(24 * mebibyte), 1.f);
  {
    Arrays live;
    for (int i = 0; i < 24; ++i) live.push_back(Array(std::span(numbers.data(), mebibyte), {mebibyte}));
  }
  {
    const NoMoreThan little(4 << 20);
    EXPECT_EQ(jit([](const Array& x) { return sin(x) + 1; })(Array(0.f)).item(), 1.f);  // compiling takes 16
  }
  const auto sorted = jit([](const Array& a) { return sum(sort(matmul(a, transpose(a)), 0)); });
  EXPECT_EQ(sorted(full({3000, 20}, 0.5f)).item(), 45e6f);  // its arena of 36 MB lies idle now
  const NoMoreThan little(4 << 20);
  EXPECT_EQ(Array(std::span(numbers), {24 * mebibyte}).size(), 24 * mebibyte);
}

/// A thread that does not come along may hold the lock of what is kept.
TEST_F(Limits, AChildOfForkTakesMemory) {
  if (!testing::is_child()) {
    EXPECT_EQ(status_of_child("AChildOfForkTakesMemory"), 0);
    return;
  }
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&stop] {
      const std::vector<float> numbers(900'000, 1.f);
      for (std::int64_t i = 0; !stop; ++i) {
        const std::int64_t n = 300'000 + i * 7919 % 600'000;
        const Array a(std::span(numbers.data(), static_cast<std::size_t>(n)), {n});
      }
    });
  for (int i = 0; i < 40; ++i) {
    usleep(static_cast<useconds_t>(i * 37 % 3000));
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);  // ends it where it waits for ever
      const std::vector<float> numbers(20'000, 1.f);
      const Array a(numbers, {20'000});
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    ASSERT_EQ(status, 0) << "child " << i;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Limits, WithoutMemoryToCompileACallIsRefused) {
  if (!testing::is_child()) {
    EXPECT_EQ(status_of_child("WithoutMemoryToCompileACallIsRefused"), 0);
    return;
  }
  State s{full({1000}, 0.5f), Array({5.f, 4.f, 3.f, 2.f})};
  const float* const place = s.a.read<float>().data();
  const auto step = jit(next);
  std::string message;
  try {
    const NoMoreThan little(8 << 20);
    step.update(s);
  } catch (const DeviceError& e) {
    message = e.what();
  }
  EXPECT_EQ(message,
            "cpu: compiling takes 16.0 MiB of memory, which the system refuses.\n  Free memory, or raise the "
            "limit of the process; Engine::reference compiles nothing.");
  EXPECT_EQ(s.a.read<float>().data(), place);
  step.update(s);
  EXPECT_EQ(s.b.read<float>()[0], 3.f);
}

TEST_F(Limits, AProcessMayEndWhileItsThreadsCompile) {
  if (!testing::is_child()) {
    for (int i = 0; i < 5; ++i) EXPECT_EQ(status_of_child("AProcessMayEndWhileItsThreadsCompile"), 0);
    return;
  }
  for (int t = 0; t < 3; ++t)
    std::thread([t] {
      const Array x = full({64}, 0.5f);
      for (int i = 0;; ++i)
        jit([k = static_cast<float>(3 * i + t)](const Array& a) { return sin(a) * k + sort(a); })(x);
    }).detach();
  usleep(100'000);
  exit(0);
}

/// The first compile comes after this was made, so that what the compiler keeps would die before.
struct Late {
  bool compiles = false;
  ~Late() {
    if (compiles) _exit(jit([](const Array& x) { return sin(x) + 1; })(Array(0.f)).item() == 1.f ? 0 : 1);
  }
} late;
TEST_F(Limits, DestructorsOfStaticsMayCompile) {
  if (!testing::is_child()) {
    EXPECT_EQ(status_of_child("DestructorsOfStaticsMayCompile"), 0);
    return;
  }
  EXPECT_EQ(jit([](const Array& x) { return cos(x) + 1; })(Array(0.f)).item(), 2.f);
  late.compiles = true;
}

}  // namespace
}  // namespace baton
