// memory: what users of other libraries met in the peak of a training step and in its growth over many,
// restated. Peaks are planned, and measured.
#include <gtest/gtest.h>

#include "baton/random.h"
#include "on_cpu.h"

namespace baton {
namespace {

class Memory : public testing::OnCpu {};

/// What a call takes beside its arguments, as planned; what it does take must be the same.
template <class F, class... A>
std::size_t peak_of(const F& f, const A&... arguments) {
  const PlanReport plan = f.plan(arguments...);
  f(arguments...);  // traced and compiled; what single operations around it took is gone
  EXPECT_EQ(testing::most_held_by([&] { f(arguments...); }),
            static_cast<std::int64_t>(plan.result_bytes + plan.arena_bytes));
  return plan.result_bytes + plan.arena_bytes;
}

using Weights = std::vector<Array>;
Array layers(Array x, const Weights& w, std::size_t from, std::size_t until) {
  for (std::size_t i = from; i < until; ++i) x = tanh(matmul(x, w[i]));
  return x;
}
Weights sixteen_layers() {
  Weights w;
  for (unsigned i = 0; i < 16; ++i) w.push_back(random::normal(random::key(i), {64, 64}) * 0.1f);
  return w;
}
Array plain(const Weights& w, const Array& x) { return sum(layers(x, w, 0, 16)); }
Array whole(const Weights& w, const Array& x) {
  return sum(checkpoint([](const Weights& v, const Array& y) { return layers(y, v, 0, 16); })(w, x));
}
Array in_segments(const Weights& w, Array x) {
  for (std::size_t i = 0; i < 16; i += 4)
    x = checkpoint([](const Weights& v, const Array& y) { return layers(y, v, 0, 4); })(
        Weights(w.begin() + static_cast<std::ptrdiff_t>(i), w.begin() + static_cast<std::ptrdiff_t>(i + 4)),
        x);
  return sum(x);
}

// jax-ml/jax #19822: checkpoint changes nothing about the peak. pytorch/pytorch #52744: it is missing in C++.
TEST_F(Memory, R47_CheckpointsLowerThePeakAsPlanned) {
  const Weights w = sixteen_layers();
  const Array x = random::normal(random::key(100), {256, 64});
  const std::size_t results = 16 * 64 * 64 * sizeof(float), activation = 256 * 64 * sizeof(float);
  const auto temporaries = [&](auto loss) { return peak_of(jit(grad(loss)), w, x) - results; };
  const std::size_t all = temporaries(plain), segments = temporaries(in_segments);
  EXPECT_GE(all, 16 * activation);
  EXPECT_LT(segments, all * 55 / 100);
  EXPECT_GE(temporaries(whole), all);  // it makes all of them again at once
}
TEST_F(Memory, R58_CheckpointsAreExact) {
  const Weights w = sixteen_layers();
  const Array x = random::normal(random::key(100), {256, 64});
  const Weights want = jit(grad(plain))(w, x), found = jit(grad(in_segments))(w, x);
  for (std::size_t i = 0; i < want.size(); ++i)
    EXPECT_EQ(found[i].read<float>().vector(), want[i].read<float>().vector()) << "layer " << i;
}

// jax-ml/jax #27748: a checkpoint around the loops of a block keeps too much after an update, and the
// gradient is infinite where the compiler's pass is off.
TEST_F(Memory, R49_ACheckpointedLoopKeepsItsCarries) {
  constexpr std::int64_t steps = 50, rows = 300, width = 10;
  const auto block = checkpoint([](const Array& x) {
    return scan(
               [](const Array& c, const Array& k) {
                 return Step{sin(c) * 0.9f + k, Nothing{}};
               },
               x, lax::full({steps}, 0.01f))
        .carry;
  });
  const auto loss = [block](Array x) {
    for (int i = 0; i < 4; ++i) x = block(x);
    return sum(x * x);
  };
  const Array x = random::normal(random::key(7), {rows, width});
  const auto g = jit(grad(loss));
  const std::size_t carry = rows * width * sizeof(float), residuals = steps * carry;
  EXPECT_LE(peak_of(g, x), 2 * residuals + 8 * carry);
  const Array slope = g(x);
  Array there = x.at(3, 4).set(x.at(3, 4) + 1e-2f), back = x.at(3, 4).set(x.at(3, 4) - 1e-2f);
  const float difference = (loss(there).item() - loss(back).item()) / 2e-2f;
  EXPECT_NEAR(slope.at(3, 4).item(), difference, 2e-2f * std::abs(difference) + 1e-3f);
}

// ml-explore/mlx #2840: accumulating over many small steps grows without end.
TEST_F(Memory, R56_AccumulationOverManyStepsHoldsTheSame) {
  const auto add = jit([](Array total, const Array& w, const Array& x) {
    return total + grad([x](const Array& v) { return sum(tanh(matmul(x, v))); })(w);
  });
  const Array w = lax::full({20, 20}, 0.1f), x = lax::full({4, 20}, 0.2f);
  Array total = lax::zeros({f32, {20, 20}});
  add.update(total, w, x);
  const std::int64_t live = counters().live_bytes;
  for (int i = 0; i < 1000; ++i) {
    add.update(total, w, x);
    ASSERT_EQ(counters().live_bytes, live);
  }
}

struct Net {
  Array filter, dense;
};
Net learn(Net net, const Array& images) {
  const auto loss = [&images](const Net& n) {
    const Array maps = relu(lax::conv_general_dilated(images, n.filter, {.padding = {{1, 1}, {1, 1}}}));
    return mean(square(matmul(mean(maps, {2, 3}), n.dense)));
  };
  return tree_map([](const Array& w, const Array& d) { return w - 0.1f * d; }, net, grad(loss)(net));
}

// pytorch/pytorch #21855 and others: memory grows from step to step, or with every new size of an image.
TEST_F(Memory, R59_StepsOfOneSizeAndOfTenHoldTheSame) {
  for (int sizes : {1, 10}) {
    const auto step = jit(learn);
    Net net{random::normal(random::key(1), {4, 3, 3, 3}) * 0.1f, random::normal(random::key(2), {4, 2})};
    std::vector<Array> images;
    for (int i = 0; i < sizes; ++i) images.push_back(lax::full({2, 3, 8 + i, 12 - i}, 0.3f));
    const auto train = [&](int steps) {
      for (int i = 0; i < steps; ++i) step.update(net, images[static_cast<std::size_t>(i % sizes)]);
    };
    train(10);
    const Counters before = counters();
    train(500);
    EXPECT_EQ(counters().live_bytes, before.live_bytes);
    EXPECT_EQ(counters().compiles, before.compiles);
    EXPECT_EQ(counters().traces, before.traces);
  }
}

// jax-ml/jax #20088: a donated step gives wrong numbers where a sharding is asked for. One device has one.
TEST_F(Memory, R16_DonationAndShardingDoNotChangeNumbers) {
  const Array x = random::normal(random::key(1), {8, 2}), y = random::normal(random::key(2), {8, 1});
  const auto train = [&](bool donate, bool constrain) {
    const auto step = jit([constrain](const Array& w, const Array& a, const Array& b) {
      const auto loss = [&](const Array& v) {
        const Array p = matmul(a, constrain ? lax::sharding_constraint(v, "replicated") : v);
        return mean(square(p - b));
      };
      return w - 0.1f * grad(loss)(w);
    });
    Array w = lax::full({2, 1}, 0.5f);
    for (int i = 0; i < 10; ++i)
      if (donate)
        w = step(std::move(w), x, y);
      else
        w = step(w, x, y);
    return w.read<float>().vector();
  };
  const std::vector<float> want = train(false, false);
  for (bool donate : {false, true})
    for (bool constrain : {false, true}) EXPECT_EQ(train(donate, constrain), want);
}

}  // namespace
}  // namespace baton
