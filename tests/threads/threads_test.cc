// threads: one learns while another predicts; several call one Jit, make Jits of the same content, and
// transform.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "baton/baton.h"

namespace baton {
namespace {

struct Model {
  Array w, b;
};
struct State {
  Model model;
  Array step;
};
Array apply(const Model& m, const Array& x) { return lax::add(lax::mul(m.w, x), m.b); }
std::pair<State, Array> learn(const State& s, const Array& x) {
  const Array loss = lax::reduce_sum(apply(s.model, x), {0});
  return {{{lax::sub(s.model.w, 1.f), lax::sub(s.model.b, 1.f)}, lax::add(s.step, 1)}, loss};
}
State start() { return {{Array({0.f, 0.f}), Array({0.f, 0.f})}, Array(0)}; }

/// Runs f(thread) in so many threads and waits for them.
void in_threads(int count, FunctionRef<void(int)> f) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back([&, t] { f(t); });
  for (std::thread& t : threads) t.join();
}

/// Swaps of the published weights, a hundred in a second.
constexpr int rounds = 100;
class Pace {
 public:
  void wait() { std::this_thread::sleep_until(next_ += std::chrono::milliseconds(10)); }

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

// The learner fills the published weights in place, under the user's mutex; the predictor holds the mutex
// while it runs.
TEST(Threads, PublishesByCopyIntoUnderAMutex) {
  auto step = jit(learn, {.name = "step"});
  auto predict = jit(apply);
  State state = start();
  Model published = clone(state.model);
  const Array x({1.f, 1.f});
  std::mutex mutex;
  std::atomic<bool> done{false};
  std::atomic<int> predictions{0};
  step.update(state, x);
  const Counters before = counters();
  std::thread predictor([&] {
    while (!done) {
      const std::lock_guard lock(mutex);
      const std::vector<float> y = predict(published, x).read<float>().vector();
      EXPECT_EQ(y[0], y[1]);
      ++predictions;
      EXPECT_EQ(static_cast<int>(y[0]) % 2, 0);  // w and b of one step
    }
  });
  Pace pace;
  for (int i = 0; i < rounds; ++i) {
    pace.wait();
    step.update(state, x);
    const std::lock_guard lock(mutex);
    copy_into(published, state.model);
  }
  done = true;
  predictor.join();
  EXPECT_GT(predictions, 1) << "nobody predicted while the weights were swapped";
  EXPECT_EQ(counters().denied_donations, before.denied_donations);
  EXPECT_EQ(state.step.item<int>(), rounds + 1);
  EXPECT_EQ(published.w.read<float>()[0], static_cast<float>(-rounds - 1));
}

// The learner publishes a handle; the predictor takes a handle and runs without the mutex. The learner's
// clone is what is published, so that no step finds its own state shared.
TEST(Threads, PublishesByHandles) {
  auto step = jit(learn);
  auto predict = jit(apply);
  State state = start();
  const Array x({1.f, 1.f});
  std::mutex mutex;
  auto published = std::make_shared<const Model>(clone(state.model));
  std::atomic<bool> done{false};
  std::atomic<int> predictions{0};
  const Counters before = counters();
  std::thread predictor([&] {
    while (!done) {
      std::shared_ptr<const Model> now;
      {
        const std::lock_guard lock(mutex);
        now = published;
      }
      const std::vector<float> y = predict(*now, x).read<float>().vector();
      EXPECT_EQ(y[0], y[1]);
      ++predictions;
      EXPECT_EQ(static_cast<int>(y[0]) % 2, 0);
    }
  });
  Pace pace;
  for (int i = 0; i < rounds; ++i) {
    pace.wait();
    step.update(state, x);
    auto next = std::make_shared<const Model>(clone(state.model));
    const std::lock_guard lock(mutex);
    published.swap(next);
  }
  done = true;
  predictor.join();
  EXPECT_GT(predictions, 1) << "nobody predicted while the weights were swapped";
  EXPECT_EQ(counters().denied_donations, before.denied_donations);
}

// What a predictor holds of the state itself is copied by the step, and never written.
TEST(Threads, ASharedStateIsCopiedNotOverwritten) {
  auto step = jit(learn);
  State state = start();
  const Array x({1.f, 1.f});
  for (int i = 0; i < 50; ++i) {
    const Model held = state.model;
    const float w = held.w.read<float>()[0];
    std::thread reader([&held, w] { EXPECT_EQ(held.w.read<float>()[1], w); });
    step.update(state, x);
    reader.join();
    EXPECT_EQ(held.w.read<float>()[0], w);
  }
}

TEST(Threads, CallOneJit) {
  auto f = jit([](const Array& x) { return lax::add(lax::sin(x), 41.f); });
  const Counters before = counters();
  in_threads(4, [&](int t) {
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(f(Array(0.f)).item(), 41.f);
      EXPECT_EQ(f(lax::full({t + 1}, 0.f)).size(), t + 1);  // a signature of its own
    }
  });
  EXPECT_EQ(counters().traces - before.traces, 5);
  EXPECT_EQ(counters().compiles - before.compiles, 5);
}

TEST(Threads, JitsOfTheSameContentCompileOnce) {
  const Counters before = counters();
  in_threads(4, [&](int) {
    for (int i = 0; i < 10; ++i)
      EXPECT_EQ(jit([](const Array& x) { return lax::add(lax::cos(x), 43.f); })(Array(0.f)).item(), 44.f);
  });
  EXPECT_EQ(counters().compiles - before.compiles, 1);
}

TEST(Threads, TransformsRunSideBySide) {
  in_threads(4, [&](int t) {
    for (int i = 0; i < 10; ++i) {
      const float x = static_cast<float>(t + 1);
      auto f = [](const Array& v) { return lax::mul(lax::mul(v, v), v); };
      EXPECT_EQ(grad(f)(Array(x)).item(), 3 * x * x);
      EXPECT_EQ(grad(grad(f))(Array(x)).item(), 6 * x);
      EXPECT_EQ(vmap(grad(f))(Array({x, 1.f})).read<float>()[1], 3.f);
      EXPECT_EQ(grad(checkpoint(f))(Array(x)).item(), 3 * x * x);
      auto [carry, ys] = scan(
          [](Array c, Array v) {
            return Step{lax::add(c, v), c};
          },
          Array(0.f), Array({x, x}));
      EXPECT_EQ(carry.item(), 2 * x);
    }
    if (t == 0) clear_caches();
  });
}

TEST(Threads, ATracedValueBelongsToItsThread) {
  std::string text;
  jit([&](const Array& x) {
    std::thread([&] {
      try {
        lax::sin(x);
      } catch (const UsageError& e) {
        text = e.what();
      }
    }).join();
    return x;
  })(Array(1.f));
  EXPECT_NE(text.find("is used in another thread"), std::string::npos) << text;
}

TEST(Threads, ArraysAreMadeAndDroppedAnywhere) {
  const Counters before = counters();
  const Array shared({1.f, 2.f});
  in_threads(4, [&](int) {
    for (int i = 0; i < 500; ++i) {
      Array copy = shared;
      copy.write(std::vector<float>{3.f, static_cast<float>(i)});
      EXPECT_EQ(copy.read<float>()[1], static_cast<float>(i));
    }
  });
  EXPECT_EQ(shared.read<float>()[0], 1.f);
  EXPECT_EQ(counters().live_bytes - before.live_bytes, 64);
}

}  // namespace
}  // namespace baton
