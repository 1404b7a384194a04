// digits: trains a small network on handwritten digits, and shows what a training step costs.
// The layers, the loss and Adam stand here, so that nothing is hidden; a state is handed from step to step,
// and each step reuses its memory.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>

#include "baton/baton.h"

using namespace baton;

namespace {

constexpr int pixels = 64, classes = 10, hidden_units = 64;

struct Dense {
  Array weight, bias;
  Array operator()(const Array& x) const { return matmul(x, weight) + bias; }
};
struct Mlp {
  Dense hidden, out;
  Array operator()(const Array& x) const { return out(relu(hidden(x))); }
};
struct Adam {
  Mlp mean, square;  // running averages of the gradient and of its square
  Array step;
};
struct State {
  Mlp model;
  Adam adam;
};
struct Batch {
  Array x, y;  // f32[batch,64], s32[batch]
};
struct Out {
  State state;
  Array loss;
};

Dense dense(const random::Key& key, std::int64_t in, std::int64_t out) {
  return {.weight = initializers::glorot_uniform()(key, {in, out}), .bias = zeros({out})};
}

Mlp mlp(const random::Key& key) {
  const auto [first, second] = random::split<2>(key);
  return {.hidden = dense(first, pixels, hidden_units), .out = dense(second, hidden_units, classes)};
}

Array cross_entropy(const Mlp& model, const Batch& batch) {
  const Array log_p = log_softmax(model(batch.x));
  return -mean(sum(log_p * one_hot(batch.y, classes), {-1}));
}

State init(const random::Key& key) {
  const Mlp model = mlp(key);
  const auto zeros_of = [](Array a) { return zeros_like(a); };
  return {.model = model, .adam = {tree_map(zeros_of, model), tree_map(zeros_of, model), Array(0)}};
}

/// One step of Adam (Kingma and Ba, 2015, algorithm 1).
Out train(State s, const Batch& batch) {
  constexpr float rate = 1e-3f, b1 = 0.9f, b2 = 0.999f, epsilon = 1e-7f;
  const auto [loss, grad] = value_and_grad(cross_entropy)(s.model, batch);
  s.adam.step = s.adam.step + 1;
  const Array t = astype(s.adam.step, f32);
  const Array correction = sqrt(1.f - power(b2, t)) / (1.f - power(b1, t));
  s.adam.mean = tree_map([&](Array m, Array g) { return b1 * m + (1 - b1) * g; }, s.adam.mean, grad);
  s.adam.square = tree_map([&](Array v, Array g) { return b2 * v + (1 - b2) * g * g; }, s.adam.square, grad);
  s.model =
      tree_map([&](Array w, Array m, Array v) { return w - rate * correction * m / (sqrt(v) + epsilon); },
               s.model, s.adam.mean, s.adam.square);
  return {s, loss};
}

/// Digits as numbers: rows of 64 pixels from 0 to 1, and their labels.
struct Digits {
  std::vector<float> x;
  std::vector<std::int32_t> y;
  std::size_t size() const { return y.size(); }
};

Digits read_digits(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw UsageError("digits: cannot read " + path + ".\n  Give the folder of digits.csv with --data.");
  Digits digits;
  std::string line;
  for (int row = 1; std::getline(file, line); ++row) {
    std::istringstream numbers(line);
    std::string number;
    std::vector<int> values;
    while (std::getline(numbers, number, ',')) {
      int value = 0;
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
      if (error != std::errc{} || end != number.data() + number.size())
        throw UsageError("digits: line " + std::to_string(row) + " of " + path +
                         " must hold whole numbers, found `" + number + "`.");
      values.push_back(value);
    }
    if (values.size() != pixels + 1)
      throw UsageError("digits: line " + std::to_string(row) + " of " + path +
                       " must have 65 numbers, found " + std::to_string(values.size()) + ".");
    for (int i = 0; i < pixels; ++i)
      digits.x.push_back(static_cast<float>(values[static_cast<std::size_t>(i)]) / 16.f);
    digits.y.push_back(values.back());
  }
  return digits;
}

/// Copies the rows of `order` from `first` on into the batch, whose memory is used again.
void fill(Batch& batch, const Digits& from, const std::vector<std::size_t>& order, std::size_t first) {
  const auto n = static_cast<std::size_t>(batch.y.size());
  std::vector<float> x(n * pixels);
  std::vector<std::int32_t> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t row = order[first + i];
    std::copy_n(from.x.begin() + static_cast<std::ptrdiff_t>(row * pixels), pixels,
                x.begin() + static_cast<std::ptrdiff_t>(i * pixels));
    y[i] = from.y[row];
  }
  batch.x.write(x);
  batch.y.write(y);
}

void draw_bar(int epoch, int epochs, std::size_t step, std::size_t steps, float loss) {
  if (!isatty(STDOUT_FILENO)) return;  // a file gets whole lines only
  const int width = 30, done = static_cast<int>(step * width / steps);
  std::printf("\repoch %2d/%d [%.*s%.*s] %3zu/%zu  loss %.4f ", epoch, epochs, done,
              "==============================", width - done, "..............................", step, steps,
              static_cast<double>(loss));
  std::fflush(stdout);
}

/// What a call takes at most beside its arguments, as planned before any run and as measured in one.
template <class F>
void show_peak(const char* state, const PlanReport& plan, F call) {
  call();          // compiled, if it has not run so before
  clear_caches();  // memory of runs that lies idle
  const std::int64_t before = counters().live_bytes;
  reset_peak();
  call();
  std::printf("peak of a step beside its arguments, state %s: planned %zu bytes, measured %lld\n", state,
              plan.result_bytes + plan.arena_bytes, static_cast<long long>(counters().peak_bytes - before));
}

struct Options {
  int epochs = 20, batch = 32;
  std::uint64_t seed = 0;
  std::string engine, data = BATON_DATA_DIR;
};

void run(const Options& o) {
  const Digits all = read_digits(o.data + "/digits.csv");
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 shuffle(o.seed);
  std::shuffle(order.begin(), order.end(), shuffle);
  const std::size_t held = all.size() / 5;  // for testing; never trained on
  std::vector<std::size_t> training(order.begin() + static_cast<std::ptrdiff_t>(held), order.end());
  const auto size = static_cast<std::size_t>(o.batch);
  const std::size_t steps = training.size() / size;
  if (steps == 0)
    throw UsageError("digits: --batch must be at most " + std::to_string(training.size()) + ", found " +
                     std::to_string(o.batch) + ".");
  if (!o.engine.empty()) set_default_engine(engine_named(o.engine));
  std::printf("%zu digits to train on, %zu held out; engine %s, batch %d, Adam\n", training.size(), held,
              show(default_engine()).c_str(), o.batch);

  Batch test{zeros({static_cast<std::int64_t>(held), pixels}), zeros({static_cast<std::int64_t>(held)}, s32)};
  fill(test, all, order, 0);
  Batch batch{zeros({o.batch, pixels}), zeros({o.batch}, s32)};

  auto step = jit(train, {.name = "train"});
  auto accuracy = jit(
      [](const Mlp& model, const Batch& b) { return mean(astype(equal(argmax(model(b.x), -1), b.y), f32)); },
      {.name = "accuracy"});

  State state = init(random::key(o.seed));
  for (int epoch = 1; epoch <= o.epochs; ++epoch) {
    std::shuffle(training.begin(), training.end(), shuffle);
    double total = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      fill(batch, all, training, i * size);
      const float loss = step.update(state, batch).item();
      total += static_cast<double>(loss);
      draw_bar(epoch, o.epochs, i + 1, steps, loss);
    }
    std::printf("%sepoch %2d/%d  loss %.4f  held-out accuracy %.2f %%\n",
                isatty(STDOUT_FILENO) ? "\r\033[K" : "", epoch, o.epochs, total / static_cast<double>(steps),
                100 * static_cast<double>(accuracy(state.model, test).item()));
  }

  const Counters so_far = counters();
  std::printf("\nso far: %lld traces, %lld compiles, and %lld of single operations outside jit\n",
              static_cast<long long>(so_far.traces), static_cast<long long>(so_far.compiles),
              static_cast<long long>(so_far.eager_compiles));
  std::printf("the last step: %s", step.donation().text().c_str());
  const Counters before = counters();
  step.update(state, batch);
  const Counters after = counters();
  std::printf("next step: %lld traces, %lld compiles, %lld allocations, %lld copies, %lld denied donations\n",
              static_cast<long long>(after.traces - before.traces),
              static_cast<long long>(after.compiles - before.compiles),
              static_cast<long long>(after.allocations - before.allocations),
              static_cast<long long>(after.copies - before.copies),
              static_cast<long long>(after.denied_donations - before.denied_donations));
  if (default_engine() == Engine::reference) return;  // it has no plans
  const PlanReport donated = step.plan(State(state), batch);
  show_peak("donated", donated, [&] { step.update(state, batch); });
  const State& kept = state;
  show_peak("kept", step.plan(kept, batch), [&] { step(kept, batch); });
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  CLI::App app("Trains a network on handwritten digits, and shows what a training step costs.", "digits");
  app.add_option("--epochs", o.epochs, "how often to go through the training digits")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_option("--batch", o.batch, "digits in a step")->check(CLI::Range(1, 1438))->capture_default_str();
  app.add_option("--engine", o.engine, "what runs the Programs; else what BATON_ENGINE says, or cpu")
      ->check(CLI::IsMember({"reference", "cpu"}));
  app.add_option("--seed", o.seed, "of the first weights and of the order of the digits")
      ->capture_default_str();
  app.add_option("--data", o.data, "the folder of digits.csv")->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    app.exit(e);
    return e.get_exit_code() == 0 ? 0 : 2;
  }
  try {
    run(o);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
