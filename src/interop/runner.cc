// runner: donation without a Jit.
#include "interop/runner.h"

#include <cstring>

#include "base/text.h"
#include "baton/counters.h"
#include "jit/cache.h"
#include "jit/donation.h"
#include "plan/report.h"
#include "program/primitive.h"
#include "trace/node.h"

namespace baton {

namespace {

std::vector<std::string> input_names(const Program& program) {
  std::vector<std::string> names;
  for (int i = 0; i < program->input_count; ++i) names.push_back("in." + std::to_string(i));
  return names;
}

/// What becomes of a donated input: `wanted` was asked for, `taken` is what the executable does.
std::string fate(const Program& program, std::size_t input, int wanted, int taken) {
  if (wanted < 0) return "not usable: no output of type " + show(program.inputs()[input]) + " is left";
  const std::string output = "out." + std::to_string(wanted);
  if (program->outputs[static_cast<std::size_t>(wanted)] == static_cast<Var>(input)) return "it is " + output;
  return taken < 0 ? "not usable: it is still read when " + output + " is made"
                   : "its memory is reused by " + output;
}

}  // namespace

Arrays run_program(const Program& program, Arrays inputs, std::vector<bool> donated, std::string* report) {
  const Types in = program.inputs();
  donated.resize(in.size());
  const std::vector<int> wanted = core::match_donated(*program, donated);
  const ExecutablePtr executable = executable_of(program, wanted, default_engine());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const int taken = i < executable->take().size() ? executable->take()[i] : -1;
    if (report && donated[i])
      *report += "in." + std::to_string(i) + " " + show(in[i]) + ": " + fate(program, i, wanted[i], taken) +
                 ", " + std::to_string(in[i].bytes()) + " bytes\n";
    if (taken >= 0 && program->outputs[static_cast<std::size_t>(taken)] != static_cast<Var>(i) &&
        !sole_owner(inputs[i])) {  // memory of a file: not ours to reuse
      Array own = uninitialized(in[i]);
      if (in[i].bytes()) std::memcpy(data_of(own), inputs[i].data(), in[i].bytes());
      inputs[i] = own;
    }
  }
  reset_peak();
  Arrays results;
  run_named(
      *executable, [&] { results = executable->run(std::move(inputs)); },
      [&] { return refusal("run", executable->report(input_names(program)), {}); });
  if (report) *report += "peak memory of arrays: " + std::to_string(counters().peak_bytes) + " bytes\n";
  return results;
}

std::string plan_text(const Program& program, const std::vector<bool>& donated) {
  const PlanReport report = executable_of(program, core::match_donated(*program, donated), Engine::cpu)
                                ->report(input_names(program));
  std::string text = report.text() + "the arena at each step:\n";
  for (const PlannedStep& step : report.timeline)
    text += "  " + bytes_text(static_cast<std::int64_t>(step.bytes)) + "  " + step.what + "\n";
  return text;
}

std::vector<std::string> primitives_without_kernel(std::size_t& count) {
  std::vector<std::string> names;
  count = all_primitives().size();
  for (const Primitive* p : all_primitives())
    if (!p->evaluate) names.emplace_back(p->name);
  return names;
}

}  // namespace baton
