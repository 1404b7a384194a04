// caches: threads that compile, share, evict and clear at one time.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace baton
