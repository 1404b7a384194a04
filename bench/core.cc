// core: small measures of Baton, beside hand-written code in the same process, as JSON lines.
#include "core.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "baton/baton.h"
#include "command_line.h"

namespace bench {
namespace {

struct Measure {
  std::string name;
  void (*run)(const Effort&);
};
const std::vector<Measure> measures = {
    {"adam", measure_adam},       {"softmax", measure_softmax},       {"layer_norm", measure_layer_norm},
    {"matmul", measure_matmul},   {"scalar_add", measure_scalar_add}, {"leaves", measure_leaves},
    {"control", measure_control}, {"first_call", measure_first_call}, {"many_kernels", measure_many_kernels},
};

struct Options {
  std::vector<std::string> only = {};
  std::string engine = "cpu";
  double seconds = 1;
  int threads = 1;
};

void run(const Options& o) {
  baton::set_default_engine(baton::engine_named(o.engine));
  for (const Measure& m : measures)
    if (o.only.empty() || std::find(o.only.begin(), o.only.end(), m.name) != o.only.end())
      m.run({o.seconds, o.threads});
}

}  // namespace

double contest(const std::string& workload, const std::vector<Contender>& contenders, double seconds,
               const Work& work) {
  const auto turn = [](const Contender& c, int calls) {
    const double start = now();
    for (int i = 0; i < calls; ++i) c.run();
    return (now() - start) / calls;
  };
  std::vector<int> calls;
  for (const Contender& c : contenders) {
    turn(c, 1);  // the first call traces and compiles
    calls.push_back(static_cast<int>(std::clamp(std::ceil(1e-3 / turn(c, 1)), 1.0, 1e5)));
  }
  std::vector<std::vector<double>> times(contenders.size()), ratios(contenders.size());
  for (const double end = now() + seconds; times[0].size() < 3 || now() < end;)
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      times[i].push_back(turn(contenders[i], calls[i]));
      ratios[i].push_back(times[0].back() / times[i].back());
    }
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const Subject subject = {contenders[i].peer, workload};
    const double median = quantile(times[i], 0.5);
    emit(subject, "call_us", 1e6 * median, "us");
    if (work.amount > 0) emit(subject, "rate", work.amount / median, work.unit + "/s");
    if (i > 0) emit({contenders[0].peer, workload}, "times_" + contenders[i].peer, quantile(ratios[i], 0.5));
  }
  return quantile(times[0], 0.5);
}

}  // namespace bench

int main(int argc, char** argv) {
  bench::Options o;
  std::vector<std::string> names;
  for (const bench::Measure& m : bench::measures) names.push_back(m.name);
  CLI::App app("Measures small pieces of work beside hand-written code.", "bench_core");
  app.add_option("--only", o.only, "these measures alone")->check(CLI::IsMember(names));
  bench::add_engine(app, o.engine);
  bench::add_seconds(app, o.seconds, "about how long each contest goes on");
  bench::add_threads(app, o.threads,
                     "that share the work of Baton, OpenBLAS and memcpy; other loops have one");
  return bench::run_program(app, argc, argv, [&] {
    for (const char* variable :
         {"BATON_THREADS", "OPENBLAS_NUM_THREADS"})  // read when they start their threads
      setenv(variable, std::to_string(o.threads).c_str(), 1);
    setenv("OPENBLAS_THREAD_TIMEOUT", "14", 1);  // its threads shall not spin into the turns of others
    bench::run(o);
  });
}
