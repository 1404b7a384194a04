// networks: whole training steps, of the networks that the benchmarks train and of an LSTM: they take what
// their plans say, allocate nothing when they have run before, and give the same bits however they run.
#include <gtest/gtest.h>

#include "baton/random.h"
#include "bench/optimizers.h"
#include "memory/counted.h"
#include "on_cpu.h"

namespace baton {
namespace {

using bench::Adam;
using bench::Batch;

/// Cells of Hochreiter and Schmidhuber, 1997, with forget gates; the loss looks at the last state.
struct Lstm {
  Array from_input, from_state, bias;
  bench::Dense out;
  Array loss(const Batch& b) const {
    const std::int64_t rows = b.x.dim(1), width = from_state.dim(0);
    struct Carry {
      Array h, c;
    };
    const auto cell = [this, width](const Carry& s, const Array& x) {
      const Array gates = matmul(x, from_input) + matmul(s.h, from_state) + bias;
      const auto gate = [&](std::int64_t k) {
        return lax::slice_in_dim(gates, k * width, (k + 1) * width, 1, 1);
      };
      const Array c = sigmoid(gate(0)) * s.c + sigmoid(gate(1)) * tanh(gate(2));
      return Step{Carry{sigmoid(gate(3)) * tanh(c), c}, Nothing{}};
    };
    const Array zero = zeros({rows, width});
    return mean(square(out(scan(cell, Carry{zero, zero}, b.x).carry.h) - b.y));
  }
};

class Drawn {
 public:
  Array operator()(Shape shape) { return random::normal(random::key(++seed_), std::move(shape)) * 0.1f; }
  bench::Dense dense(std::int64_t in, std::int64_t out) { return {(*this)({in, out}), (*this)({out})}; }
  bench::LayerNorm norm(std::int64_t width) { return {ones({width}), zeros({width})}; }

 private:
  unsigned seed_ = 0;
};

struct Trained {
  std::vector<float> losses;
  std::vector<Array> weights;
};
template <class Model>
Trained run(const Model& model, const Batch& batch, int threads, bool donate) {
  const auto train =
      jit([](Adam<Model> s, const Batch& b) { return step(std::move(s), b, 1e-3); }, {.threads = threads});
  Adam<Model> state = Adam<Model>::init(tree_map([](const Array& a) { return clone(a); }, model));
  Trained r;
  for (int i = 0; i < 4; ++i) {
    if (donate) {
      r.losses.push_back(train.update(state, batch).item());
      continue;
    }
    auto out = train(state, batch);
    state = std::move(out.state), r.losses.push_back(out.loss.item());
  }
  tree_map([&](const Array& a) { return r.weights.push_back(a), a; }, state.model);
  return r;
}

class Networks : public testing::OnCpu {
 protected:
  template <class Model>
  void check(const Model& model, const Batch& batch) {
    using State = Adam<Model>;
    const auto train = jit([](State s, const Batch& b) { return step(std::move(s), b, 1e-3); });
    const auto fresh = [&] { return State::init(tree_map([](const Array& a) { return clone(a); }, model)); };
    const PlanReport donated = train.plan(fresh(), batch);
    EXPECT_EQ(donated.evaluated, std::vector<std::string>());
    EXPECT_LE(donated.result_bytes, 64u);  // the loss: all else lies in the state
    State state = fresh();
    train.update(state, batch);
    EXPECT_EQ(testing::most_held_by([&] { train.update(state, batch); }),
              static_cast<std::int64_t>(donated.result_bytes + donated.arena_bytes));

    for (int i = 0; i < 20; ++i) train.update(state, batch);  // until all threads have come by
    if (testing::counts_allocations()) {
      const testing::Count count;
      for (int i = 0; i < 100; ++i) train.update(state, batch);
      EXPECT_EQ(count.so_far().calls, 0);
    }

    const Trained want = run(model, batch, 1, true);
    EXPECT_LT(want.losses.back(), want.losses.front());
    for (int threads : {1, 2, 4})
      for (bool donate : {true, false}) {
        const Trained found = run(model, batch, threads, donate);
        EXPECT_EQ(found.losses, want.losses) << threads << " threads, donated: " << donate;
        for (std::size_t i = 0; i < want.weights.size(); ++i)
          EXPECT_EQ(found.weights[i].template read<float>().vector(),
                    want.weights[i].template read<float>().vector())
              << "weight " << i << ", " << threads << " threads, donated: " << donate;
      }
  }

  Drawn drawn;
};

TEST_F(Networks, Mlp) {
  const bench::Mlp model{drawn.dense(784, 96), drawn.dense(96, 64), drawn.dense(64, 10)};
  check(model, {drawn({32, 784}), remainder(arange(32, s32), 10)});
}
TEST_F(Networks, Cnn) {
  const bench::Cnn model{{drawn({3, 3, 1, 8}), zeros({8})},
                         {drawn({3, 3, 8, 16}), zeros({16})},
                         drawn.dense(12 * 12 * 16, 32),
                         drawn.dense(32, 10)};
  check(model, {drawn({8, 28, 28, 1}), arange(8, s32)});
}
TEST_F(Networks, Gpt) {
  constexpr std::int64_t width = 32, vocabulary = 40, length = 16;
  bench::Gpt model;
  model.heads = 4;
  model.tokens = drawn({vocabulary, width}), model.positions = drawn({length, width});
  for (int i = 0; i < 2; ++i)
    model.blocks.push_back({drawn.norm(width), drawn.dense(width, 3 * width), drawn.dense(width, width),
                            drawn.norm(width), drawn.dense(width, 4 * width), drawn.dense(4 * width, width)});
  model.norm = drawn.norm(width), model.head = drawn({width, vocabulary});
  const Array text = reshape(remainder(arange(4 * length, s32), vocabulary), {4, length});
  check(model, {text, remainder(text + 1, vocabulary)});
}
TEST_F(Networks, Lstm) {
  const Lstm model{drawn({12, 4 * 24}), drawn({24, 4 * 24}), zeros({4 * 24}), drawn.dense(24, 3)};
  check(model, {drawn({20, 8, 12}), drawn({8, 3})});
}

}  // namespace
}  // namespace baton
