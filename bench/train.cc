// train: the workloads of bench_train, each a whole training loop, measured as other libraries' scripts
// measure theirs: the same first weights, batches and optimizers, so that the losses must agree.
#include <cstdlib>

#include "command_line.h"
#include "data.h"
#include "measure.h"
#include "optimizers.h"

namespace bench {
namespace {

struct Options {
  std::string workload = "mlp", data, engine = "cpu";
  double seconds = 8;
  int threads = 2;
  int check_steps = 20;  // steps before those that are timed; the last one's loss is printed
  int timed_steps = 100000;
  bool donate = true;
};

/// Trains, and prints what it costs. `built` is when the building of the state began.
template <class State>
void train(const Options& o, State state, const std::vector<Batch>& batches, double rate, double built) {
  const Subject subject = {o.donate ? "baton" : "baton-nodonate", o.workload};
  const auto say = [&](const std::string& metric, double value, const char* unit = "") {
    emit(subject, metric, value, unit);
  };
  const auto compiled = jit([rate](State s, const Batch& batch) { return step(std::move(s), batch, rate); },
                            {.allow_retrace = false, .name = "train"});
  int done = 0;
  const auto run = [&]() -> Array {
    const Batch& batch = batches[static_cast<std::size_t>(done++) % batches.size()];
    if (o.donate) return compiled.update(state, batch);
    Out<State> out = compiled(state, batch);
    state = std::move(out.state);
    return out.loss;
  };
  const auto timed = [&](float& loss) {
    const double start = now();
    loss = run().item();
    return now() - start;
  };

  say("build_s", now() - built, "s");
  say("rss_before_step_mb", resident_mb(), "MB");
  reset_peak();
  const Counters before = counters();
  float loss = 0;
  say("first_step_s", timed(loss), "s");
  say("process_to_first_step_s", process_age(), "s");
  say("loss_step1", loss);
  while (done < o.check_steps) timed(loss);
  if (o.check_steps > 1) say("loss_step" + std::to_string(o.check_steps), loss);

  const Counters steady = counters();
  std::vector<double> times;  // of steps whose loss is looked at
  const double end = now() + o.seconds;
  while (std::ssize(times) < o.timed_steps && (now() < end || times.size() < 2))
    times.push_back(1e3 * timed(loss));
  if (const auto steps = static_cast<double>(times.size()); steps > 0) {
    say("step_ms", quantile(times, 0.5), "ms");
    say("step_ms_p10", quantile(times, 0.1), "ms");
    say("step_ms_p90", quantile(times, 0.9), "ms");
    say("timed_steps", steps);
    say("allocations_per_step", static_cast<double>(counters().allocations - steady.allocations) / steps);
    const double start = now();
    Array last;
    for (std::size_t i = 0; i < times.size(); ++i) last = run();
    last.item();
    say("step_ms_nosync", 1e3 * (now() - start) / steps, "ms");
  }

  const Counters after = counters();
  say("peak_rss_mb", peak_resident_mb(), "MB");
  say("n_trace", static_cast<double>(after.traces - before.traces));
  say("n_compile", static_cast<double>(after.compiles - before.compiles));
  // Of Baton's own buffers: what a step takes beside what lives before, and what it uses again.
  say("temp_mb", mb(static_cast<double>(after.peak_bytes - before.live_bytes)), "MB");
  if (default_engine() == Engine::cpu)
    say("plan_mb", mb(static_cast<double>(compiled.plan(state, batches[0]).peak_bytes())), "MB");
  if (o.donate) say("alias_mb", mb(static_cast<double>(compiled.donation().reused_bytes)), "MB");
}

void run(Options o) {
  set_default_engine(engine_named(o.engine));
  emit({o.donate ? "baton" : "baton-nodonate", o.workload}, "rss_after_import_mb", resident_mb(), "MB");
  const double built = now();
  if (o.workload == "mem") {  // the shape of OPT-125M
    const GptSize size = {.vocabulary = 50272, .width = 768, .blocks = 12, .heads = 12, .length = 256};
    o.check_steps = std::min(o.check_steps, 3);
    o.timed_steps = std::min(o.timed_steps, 3);
    return train(o, Adam<Gpt>::init(random_gpt(size, Activation::relu)), random_text(size, 4, 2), 1e-4,
                 built);
  }
  Data data = read(o.data + "/" + o.workload + ".bin");
  const std::vector<Batch>& batches = data.batches;
  if (o.workload == "tiny")
    train(o, Sgd<Tiny>::init(take_weights(Tiny{}, data)), batches, 0.05, built);
  else if (o.workload == "mlp")
    train(o, Adam<Mlp>::init(take_weights(Mlp{}, data)), batches, 1e-3, built);
  else if (o.workload == "cnn")
    train(o, Adam<Cnn>::init(take_weights(Cnn{}, data)), batches, 1e-3, built);
  else
    train(o, Adam<Gpt>::init(take_weights(Gpt{.heads = 4, .blocks = std::vector<Block>(4)}, data)), batches,
          3e-4, built);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Options o;
  CLI::App app("Trains a network for some seconds, and prints what it costs as JSON lines.", "bench_train");
  app.add_option("--workload", o.workload, "what to train")
      ->check(CLI::IsMember({"tiny", "mlp", "cnn", "gpt", "mem"}))
      ->capture_default_str();
  app.add_option("--data", o.data, "the folder of tiny.bin, mlp.bin, cnn.bin and gpt.bin; mem needs none");
  bench::add_engine(app, o.engine);
  bench::add_threads(app, o.threads, "that share the work");
  bench::add_seconds(app, o.seconds, "of timed steps; two steps are timed in any case");
  app.add_option("--check-steps", o.check_steps, "steps before the timed ones; for mem at most 3")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("--timed-steps", o.timed_steps, "that are timed at most; for mem at most 3")
      ->check(CLI::Range(0, 100000))
      ->capture_default_str();
  app.add_flag("--donate,!--no-donate", o.donate, "without: each step makes a new state beside the old one");
  return bench::run_program(app, argc, argv, [&] {
    setenv("BATON_THREADS", std::to_string(o.threads).c_str(), 1);  // before the engine starts any
    bench::run(o);
  });
}
