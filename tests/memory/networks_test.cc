// networks: whole training steps, of the networks that the benchmarks train and of an LSTM: they take what
// their plans say, allocate nothing when they have run before, and give the same bits however they run:
// fused or not, by any number of threads, donated or not, and in any process.
#include <gtest/gtest.h>

#include "baton/random.h"
#include "bench/optimizers.h"
#include "child.h"
#include "engines/cpu/cpu.h"
#include "engines/cpu/with_fusion.h"
#include "memory/checks.h"
#include "on_cpu.h"
#include "ops/row.h"

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

template <class Tree>
Arrays leaves_of(const Tree& tree) {
  Arrays leaves;
  tree_map([&](const Array& a) { return leaves.push_back(a), a; }, tree);
  return leaves;
}

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
  r.weights = leaves_of(state.model);
  return r;
}

template <class Model>
struct Case {
  Model model;
  Batch batch;
};
Case<bench::Mlp> mlp() {
  Drawn drawn;
  return {{drawn.dense(784, 96), drawn.dense(96, 64), drawn.dense(64, 10)},
          {drawn({32, 784}), remainder(arange(32, s32), 10)}};
}
Case<bench::Cnn> cnn() {
  Drawn drawn;
  return {{{drawn({3, 3, 1, 8}), zeros({8})},
           {drawn({3, 3, 8, 16}), zeros({16})},
           drawn.dense(12 * 12 * 16, 32),
           drawn.dense(32, 10)},
          {drawn({8, 28, 28, 1}), arange(8, s32)}};
}
Case<bench::Tiny> tiny() {
  Drawn drawn;
  return {{drawn.dense(2, 16), drawn.dense(16, 1)}, {drawn({8, 2}), drawn({8, 1})}};
}
/// `mem`: a Gpt with relu, whose head is the embeddings once more.
Case<bench::Gpt> gpt(bench::Activation activation = bench::Activation::gelu) {
  constexpr std::int64_t width = 32, vocabulary = 40, length = 16;
  Drawn drawn;
  bench::Gpt model;
  model.heads = 4, model.activation = activation;
  model.tokens = drawn({vocabulary, width}), model.positions = drawn({length, width});
  for (int i = 0; i < 2; ++i)
    model.blocks.push_back({drawn.norm(width), drawn.dense(width, 3 * width), drawn.dense(width, width),
                            drawn.norm(width), drawn.dense(width, 4 * width), drawn.dense(4 * width, width)});
  model.norm = drawn.norm(width);
  if (activation == bench::Activation::gelu) model.head = drawn({width, vocabulary});
  const Array text = reshape(remainder(arange(4 * length, s32), vocabulary), {4, length});
  return {model, {text, remainder(text + 1, vocabulary)}};
}
Case<Lstm> lstm() {
  Drawn drawn;
  return {{drawn({12, 4 * 24}), drawn({24, 4 * 24}), zeros({4 * 24}), drawn.dense(24, 3)},
          {drawn({20, 8, 12}), drawn({8, 3})}};
}

/// All results of the fourth of some steps, which take leaves of the state, then of the batch.
Arrays fourth_step(const ExecutablePtr& step, const Arrays& state, const Arrays& batch) {
  Arrays results = state;
  for (int i = 0; i < 4; ++i) {
    Arrays inputs(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(state.size()));
    inputs.insert(inputs.end(), batch.begin(), batch.end());
    results = step->run(std::move(inputs));
  }
  return results;
}

class Networks : public testing::OnCpu {
 protected:
  template <class Model>
  void check(const Case<Model>& given) {
    const auto& [model, batch] = given;
    using State = Adam<Model>;
    const auto train = jit([](State s, const Batch& b) { return step(std::move(s), b, 1e-3); });
    const auto fresh = [&] { return State::init(tree_map([](const Array& a) { return clone(a); }, model)); };
    const PlanReport donated = train.plan(fresh(), batch);
    EXPECT_EQ(donated.evaluated, std::vector<std::string>());
    EXPECT_LE(donated.result_bytes, 64u);  // the loss: all else lies in the state
    State state = fresh();
    if (testing::counts_allocations())
      EXPECT_EQ(testing::beyond_plan(donated, [&] { train.update(state, batch); }), "");
    train.update(state, batch);
    EXPECT_EQ(testing::most_held_by([&] { train.update(state, batch); }),
              static_cast<std::int64_t>(donated.result_bytes + donated.arena_bytes));

    for (int i = 0; i < 20; ++i) train.update(state, batch);  // until all threads have come by
    if (testing::counts_allocations())
      EXPECT_EQ(testing::taken_when_steady([&] { train.update(state, batch); }), "");

    const Program program = train.program(fresh(), batch);
    const Arrays leaves = leaves_of(fresh());
    const Arrays fused = fourth_step(cpu::compile(program, {}), leaves, leaves_of(batch));
    const cpu::WithFusion unfused(Fusion::apart);
    const ExecutablePtr apart = cpu::compile(program, {});
    EXPECT_GT(apart->report({}).steps, 2 * donated.steps);
    const Arrays not_fused = fourth_step(apart, leaves, leaves_of(batch));
    for (std::size_t k = 0; k < fused.size(); ++k)
      EXPECT_TRUE(testing::same_bits(fused[k], not_fused[k])) << "result " << k;
  }

  /// The same bits for any number of threads, donated or not.
  template <class Model>
  void check_runs(const Case<Model>& given) {
    const auto& [model, batch] = given;
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
};

TEST_F(Networks, Mlp) { check(mlp()), check_runs(mlp()); }
TEST_F(Networks, Cnn) { check(cnn()), check_runs(cnn()); }
TEST_F(Networks, Gpt) { check(gpt()), check_runs(gpt()); }
TEST_F(Networks, Mem) { check(gpt(bench::Activation::relu)); }
TEST_F(Networks, Tiny) {
  check(tiny());
  const auto [model, batch] = tiny();
  const auto step =
      jit([](bench::Sgd<bench::Tiny> s, const Batch& b) { return bench::step(std::move(s), b, 0.05); });
  EXPECT_EQ(step.plan(bench::Sgd<bench::Tiny>::init(model), batch).evaluated, std::vector<std::string>());
}
TEST_F(Networks, Lstm) { check(lstm()), check_runs(lstm()); }

template <class Model>
std::string bits_of(const char* name, const Case<Model>& given) {
  testing::BitsOf bits;
  const Trained trained = run(given.model, given.batch, 2, true);
  for (float loss : trained.losses) bits.add(Array(loss));
  for (const Array& w : trained.weights) bits.add(w);
  return bits.text(name);
}
TEST_F(Networks, GiveTheSameBitsInEveryProcess) {
  const std::string mine =
      bits_of("mlp", mlp()) + bits_of("cnn", cnn()) + bits_of("gpt", gpt()) + bits_of("lstm", lstm());
  if (testing::is_child()) return static_cast<void>(std::fputs(mine.c_str(), stdout));
  const std::string other = testing::output_of_child("Networks.GiveTheSameBitsInEveryProcess");
  EXPECT_NE(other.find(mine), std::string::npos) << mine << "the other process says:\n" << other;
}

}  // namespace
}  // namespace baton
