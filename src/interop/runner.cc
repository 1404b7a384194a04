// runner: donation without a Jit.
#include "interop/runner.h"

#include <cstring>

#include "base/text.h"
#include "baton/counters.h"
#include "jit/cache.h"
#include "jit/donation.h"
#include "program/primitive.h"
#include "trace/node.h"

namespace baton {

Arrays run_program(const Program& program, Arrays inputs, std::vector<bool> donated, std::string* report) {
  const Types in = program.inputs();
  donated.resize(in.size());
  const std::vector<int> take = core::match_donated(*program, donated);
  for (std::size_t i = 0; i < take.size(); ++i) {
    if (!donated[i]) continue;
    const std::string output = "out." + std::to_string(take[i]);
    const bool passes =
        take[i] >= 0 && program->outputs[static_cast<std::size_t>(take[i])] == static_cast<Var>(i);
    if (report)
      *report += "in." + std::to_string(i) + " " + show(in[i]) +
                 (passes         ? ": it is " + output
                  : take[i] >= 0 ? ": its memory is reused by " + output
                                 : std::string(": no output of its type is left; freed after its last use")) +
                 ", " + std::to_string(in[i].bytes()) + " bytes\n";
    if (take[i] >= 0 && !passes && !sole_owner(inputs[i])) {  // memory of a file: not ours to reuse
      Array own = uninitialized(in[i]);
      if (in[i].bytes()) std::memcpy(data_of(own), inputs[i].data(), in[i].bytes());
      inputs[i] = own;
    }
  }
  reset_peak();
  Arrays results = executable_of(program, take, default_engine())->run(std::move(inputs));
  if (report) *report += "peak memory of arrays: " + std::to_string(counters().peak_bytes) + " bytes\n";
  return results;
}

std::string plan_text(const Program& program, const std::vector<bool>& donated) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < program.inputs().size(); ++i) names.push_back("in." + std::to_string(i));
  const PlanReport report =
      executable_of(program, core::match_donated(*program, donated), Engine::cpu)->report(names);
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
