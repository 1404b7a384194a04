// sharing: one process, many threads: shared Jits, fresh Jits, caches that are cleared meanwhile, shared
// arrays, traces that throw, values that wander into other threads.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "baton/baton.h"

namespace baton {
namespace {

/// Runs f(thread) in so many threads at once.
void together(int threads, const std::function<void(int)>& f) {
  std::vector<std::thread> list;
  for (int t = 0; t < threads; ++t) list.emplace_back([&f, t] { f(t); });
  for (std::thread& t : list) t.join();
}

TEST(Threads, OneJitIsTracedOnceAndCalledByAll) {
  auto f = jit([](const Array& x) { return lax::reduce_sum(lax::mul(lax::sin(x), x), {0}); });
  const Array x({1.f, 2.f, 3.f});
  const std::int64_t before = counters().traces;
  std::vector<float> found(4);
  together(4, [&](int t) {
    for (int i = 0; i < 20; ++i) found[static_cast<std::size_t>(t)] = f(x).item();
  });
  EXPECT_EQ(counters().traces - before, 1);
  for (float v : found) EXPECT_EQ(v, found[0]);
}

TEST(Threads, FreshJitsGradientsAndLoopsWhileCachesAreCleared) {
  std::atomic<bool> done = false;
  std::thread clearer([&] {
    while (!done) {
      clear_caches();
      std::this_thread::yield();
    }
  });
  std::atomic<int> wrong = 0;
  together(3, [&](int t) {
    for (int i = 0; i < 10; ++i) {
      const Array w(static_cast<float>(t + 1));
      auto loss = [w](const Array& x) {
        return scan(
                   [&](const Array& c, const Array& s) {
                     return Step{lax::mul(lax::add(c, s), w), Nothing{}};
                   },
                   x, Array({1.f, 2.f}))
            .carry;
      };
      const float want = static_cast<float>((t + 1) * (t + 1));
      if (jit(grad(loss))(Array(0.5f)).item() != want) ++wrong;
      if (vmap(grad(checkpoint(loss)))(Array({0.5f, 1.f})).read<float>()[1] != want) ++wrong;
    }
  });
  done = true;
  clearer.join();
  EXPECT_EQ(wrong, 0);
}

/// Loops of single operations are interpreted by some threads while others make machine code of them.
TEST(Threads, SingleOperationsBecomeMachineCodeWhileOthersRunThem) {
  const Array x = lax::iota({f32, {4096}}, 0) * 1e-3f;
  const std::vector<float> want = lax::exp(x).read<float>().vector();
  together(4, [&](int) {
    for (int i = 0; i < 300; ++i) EXPECT_EQ(lax::exp(x).read<float>().vector(), want);
  });
}

TEST(Threads, EachUpdatesAStateOfItsOwnThroughOneJit) {
  struct State {
    Array w, step;
  };
  auto step = jit([](State s, const Array& x) { return State{lax::add(s.w, x), lax::add(s.step, 1)}; });
  const Array x({1.f, 1.f});
  std::vector<State> states(4);
  together(4, [&](int t) {
    State& s = states[static_cast<std::size_t>(t)];
    s = {Array({0.f, 0.f}), Array(0)};
    for (int i = 0; i < 25; ++i) step.update(s, x);
  });
  for (const State& s : states) {
    EXPECT_EQ(s.w.read<float>()[1], 25.f);
    EXPECT_EQ(s.step.item<int>(), 25);
  }
}

TEST(Threads, ArraysAreSharedAndDieAnywhere) {
  const std::int64_t before = counters().live_bytes;
  {
    const Array shared({1.f, 2.f, 3.f});
    std::mutex mutex;
    Arrays results;
    together(4, [&](int) {
      for (int i = 0; i < 20; ++i) {
        Array copy = shared;
        copy.write(std::vector<float>{4.f, 5.f, 6.f});  // gets memory of its own
        const Array sum = lax::add(shared, copy);
        const std::lock_guard lock(mutex);
        results.push_back(sum);
        if (results.size() > 8) results.erase(results.begin());
      }
    });
    EXPECT_EQ(shared.read<float>()[0], 1.f);
    for (const Array& r : results) EXPECT_EQ(r.read<float>()[2], 9.f);
  }
  EXPECT_EQ(counters().live_bytes, before);
}

TEST(Threads, TracesThatThrowLeaveNothingBehind) {
  together(3, [&](int) {
    for (int i = 0; i < 10; ++i) {
      auto f = [](const Array& x) -> Array {
        if (x.rank() == 0) throw std::runtime_error("of the user");
        return x;
      };
      EXPECT_THROW(vmap(checkpoint(f), {.axis_name = "lanes"})(Array({1.f, 2.f})), std::runtime_error);
      EXPECT_THROW(jit(f)(Array(1.f)), std::runtime_error);
      EXPECT_EQ(lax::add(Array(1.f), 1.f).item(), 2.f);  // runs: no trace is left
      EXPECT_THROW(lax::psum(Array(1.f), "lanes"), UsageError);
    }
  });
}

TEST(Threads, ATracedValueInAnotherThreadIsAnErrorThere) {
  std::string error, inner;
  const auto catching = [](std::string& into, const std::function<void()>& f) {
    try {
      f();
    } catch (const UsageError& e) {
      into = e.what();
    }
  };
  jit([&](const Array& x) {
    const Array y = lax::sin(x);
    std::thread([&] {
      catching(error, [&] { lax::cos(y); });
      catching(inner, [&] { jit([&](const Array& z) { return lax::add(y, z); })(Array(1.f)); });
    }).join();
    return y;
  })(Array(1.f));
  EXPECT_NE(error.find("is used in another thread"), std::string::npos) << error;
  EXPECT_NE(inner.find("is used in another thread"), std::string::npos) << inner;
}

TEST(Threads, ATracedValueMayOutliveItsThread) {
  Array kept;
  std::thread([&] {
    jit([&](const Array& x) {
      kept = lax::sin(x);
      return x;
    })(Array(1.f));
  }).join();
  EXPECT_THROW(lax::cos(kept), UsageError);
  kept = Array();
}

/// Statics of every kind, destroyed at exit in an order that nobody chose, after caches and counters were
/// used.
struct AtExit {
  Array array;
  Jit<Array(Array)> f;
  ~AtExit() {
    const Array y = grad([this](const Array& x) { return lax::mul(f(x), array); })(array);
    if (y.item() != 4.f) std::abort();
    clear_caches();
  }
};
AtExit& at_exit() {
  static AtExit instance{Array(2.f), jit([](Array x) { return lax::mul(x, 2.f); })};
  return instance;
}
thread_local Array of_thread;

TEST(Threads, StaticsAndThreadLocalsMayHoldArraysAndJits) {
  EXPECT_EQ(at_exit().f(Array(3.f)).item(), 6.f);
  of_thread = Array({1.f, 2.f});
  std::thread([] { of_thread = lax::add(Array(1.f), 1.f); }).join();
}

}  // namespace
}  // namespace baton
