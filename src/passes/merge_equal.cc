// merge_equal: keeps the first of equal equations: the same primitive and Params on the same variables. Code
// with effects runs as often as it was written.
#include <map>

#include "passes/passes.h"
#include "passes/rewrite.h"

namespace baton {

Program merge_equal(const Program& program) {
  const ProgramData& p = *program;
  Rewrite rewrite(program);
  std::map<std::pair<Hash, std::vector<Var>>, std::vector<Var>> first;  // results, by content and operands
  for (const Equation& e : p.equations) {
    const Params params = with_programs(e.params, merge_equal);
    if (effects_of(e) != Effects::none) {
      rewrite.set(e.outputs, rewrite.copy(e, params));
      continue;
    }
    const auto [at, added] = first.try_emplace({hash(*e.primitive, params, {}), rewrite(e.inputs)});
    if (added) at->second = rewrite.copy(e, params);
    rewrite.set(e.outputs, at->second);
  }
  return rewrite.finish();
}

}  // namespace baton
