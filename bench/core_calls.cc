// core_calls: what calls cost beside their arithmetic, and first calls.
#include "baton/baton.h"
#include "core.h"
#include "optimizers.h"

namespace bench {
namespace {

/// A network of the size that a control loop trains.
struct Control {
  Dense first, second, out;
  Array loss(const Batch& batch) const {
    return mean(square(out(tanh(second(tanh(first(batch.x))))) - batch.y));
  }
};
using State = Adam<Control>;

Array random_array(const Shape& shape) { return 0.1 * random::normal(random::key(0), shape); }
Dense dense(std::int64_t in, std::int64_t out) { return {random_array({in, out}), zeros({out})}; }
Control control() { return {dense(48, 64), dense(64, 64), dense(64, 12)}; }
const Shape inputs = {32, 48}, targets = {32, 12};

/// On the thread of its caller, as a control loop wants it.
auto control_step() {
  return jit([](State s, const Batch& batch) { return step(std::move(s), batch, 1e-3); },
             {.threads = 1, .name = "control"});
}

/// A run whose gradients have died: they are 0, and the averages of Adam have decayed to denormal numbers.
State decayed() {
  const auto all = [](double value) { return [value](Array w) { return full_like(w, value); }; };
  State s = State::init(tree_map(all(0), control()));
  s.mean = tree_map(all(1e-38), s.mean);
  s.square = tree_map(all(1e-38), s.square);
  return s;
}

struct Leaves {
  std::vector<Array> leaves;
};
Leaves three_hundred() {
  Leaves s;
  for (int i = 0; i < 300; ++i) s.leaves.push_back(full({8}, 1.f));
  return s;
}

/// Calls of one kind, each timed.
struct Loop {
  std::string workload;
  State state;
  Batch batch;
  std::vector<double> us = {};
  std::int64_t allocations = 0;
};

/// Thirty chains of elementwise operations, no two alike. The salt makes every Program a new one.
std::vector<Array> chains(const Array& x, int salt) {
  using Link = Array (*)(const Array&, double);
  constexpr Link links[] = {
      [](const Array& v, double c) { return v * c; },
      [](const Array& v, double) { return exp(-square(v)); },
      [](const Array& v, double c) { return tanh(v + c); },
      [](const Array& v, double c) { return maximum(v, -c); },
      [](const Array& v, double c) { return v / (abs(v) + c); },
  };
  std::vector<Array> results;
  for (int chain = 0; chain < 30; ++chain) {
    Array v = x.at(range(chain, chain + 1000));
    for (int i = 0, which = chain + 5; i < 6; ++i, which = which * 7 / 3)
      v = links[which % 5](v, 1 + 0.01 * chain + 1e-6 * salt);
    results.push_back(v);
  }
  return results;
}

}  // namespace

void measure_scalar_add(const Effort& effort) {
  const auto add = jit([](const Array& a, const Array& b) { return a + b; });
  const Array a(1.f), b(2.f);
  contest("scalar add", {{"baton", [&] { add(a, b); }}}, effort.seconds);
}

void measure_leaves(const Effort& effort) {
  const auto measure = [&](const std::string& workload, const Jit<Leaves(Leaves)>& f) {
    Leaves state = three_hundred();
    f.update(state);
    const Counters before = counters();
    f.update(state);
    const Counters after = counters();
    contest(workload, {{"baton", [&] { f.update(state); }}}, effort.seconds);
    emit({"baton", workload}, "allocations_per_call",
         static_cast<double>(after.allocations - before.allocations));
  };
  measure("300 leaves, passed on", jit([](Leaves s) {
            s.leaves[0] = s.leaves[0] + 1;
            return s;
          }));
  measure("300 leaves, negated",
          jit([](Leaves s) { return tree_map([](Array a) { return -a; }, std::move(s)); }));
}

void measure_control(const Effort& effort) {
  const auto compiled = control_step();
  Loop loops[] = {{"control", State::init(control()), {random_array(inputs), random_array(targets)}},
                  {"control, decayed", decayed(), {random_array(inputs), zeros(targets)}}};
  for (Loop& loop : loops)
    for (int i = 0; i < 10; ++i) compiled.update(loop.state, loop.batch);
  for (const double end = now() + 2 * effort.seconds; now() < end || loops[1].us.empty();)
    for (Loop& loop : loops) {
      const std::int64_t before = counters().allocations;
      for (int i = 0; i < 100; ++i) {
        const double start = now();
        compiled.update(loop.state, loop.batch).item();
        loop.us.push_back(1e6 * (now() - start));
      }
      loop.allocations += counters().allocations - before;
    }
  for (const Loop& loop : loops) {
    const Subject subject = {"baton", loop.workload};
    const auto count = static_cast<double>(loop.us.size());
    emit(subject, "calls", count);
    emit(subject, "call_us", quantile(loop.us, 0.5), "us");
    emit(subject, "call_us_p99.99", quantile(loop.us, 0.9999), "us");
    emit(subject, "call_us_max", quantile(loop.us, 1), "us");
    emit(subject, "allocations_per_call", static_cast<double>(loop.allocations) / count);
  }
  emit({"baton", loops[1].workload}, "times_control",
       quantile(loops[1].us, 0.5) / quantile(loops[0].us, 0.5));
}

void measure_first_call(const Effort& effort) {
  State state = State::init(control());
  const Batch batch = {random_array(inputs), random_array(targets)};
  const auto first = [&] {
    clear_caches();
    control_step().update(state, batch).item();  // traces, transforms, compiles, runs
  };
  contest("first call of control", {{"baton", first}}, effort.seconds);
}

void measure_many_kernels(const Effort& effort) {
  const Array x = random_array({1030});
  int salt = 0;
  const auto first = [&] { jit([s = ++salt](const Array& v) { return chains(v, s); })(x); };
  contest("first call of 30 chains", {{"baton", first}}, effort.seconds);
}

}  // namespace bench
