// runner: donation on the reference engine.
#include "interop/runner.h"

#include <cstring>

#include "base/text.h"
#include "baton/counters.h"
#include "jit/cache.h"
#include "program/primitive.h"
#include "trace/node.h"

namespace baton {

Arrays run_program(const Program& program, Arrays inputs, const std::vector<int>& donate,
                   std::string* report) {
  const Types in = program.inputs(), out = program.outputs();
  std::vector<int> take(in.size(), -1);
  std::vector<bool> taken(out.size());
  for (int i : donate) {
    const auto at = static_cast<std::size_t>(i);
    if (i < 0 || at >= in.size())
      throw UsageError("donate: there is no input " + std::to_string(i) + "; the program has " +
                       std::to_string(in.size()) + ".");
    for (std::size_t o = 0; o < out.size() && take[at] < 0; ++o)
      if (!taken[o] && out[o] == in[at]) {
        taken[o] = true;
        take[at] = static_cast<int>(o);
      }
    if (report)
      *report += "in." + std::to_string(i) + " " + show(in[at]) +
                 (take[at] >= 0 ? ": its memory is reused by out." + std::to_string(take[at])
                                : std::string(": no output of its type is left; freed after its last use")) +
                 ", " + std::to_string(in[at].bytes()) + " bytes\n";
  }
  for (std::size_t i = 0; i < take.size(); ++i)
    if (take[i] >= 0 && !sole_owner(inputs[i])) {  // memory of a file: not ours to reuse
      Array own = uninitialized(in[i]);
      if (in[i].bytes()) std::memcpy(data_of(own), inputs[i].data(), in[i].bytes());
      inputs[i] = own;
    }
  reset_peak();
  Arrays results = reference::run(*executable_of(program), std::move(inputs), take);
  if (report) *report += "peak memory of arrays: " + std::to_string(counters().peak_bytes) + " bytes\n";
  return results;
}

std::vector<std::string> primitives_without_kernel(std::size_t& count) {
  std::vector<std::string> names;
  count = all_primitives().size();
  for (const Primitive* p : all_primitives())
    if (!p->evaluate) names.emplace_back(p->name);
  return names;
}

}  // namespace baton
