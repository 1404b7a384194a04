// drop_unused: asks loops and branches to give up results. The Builder drops equations without used results
// by itself.
#include <algorithm>
#include <optional>

#include "ops/loops.h"
#include "passes/passes.h"
#include "passes/rewrite.h"

namespace baton {
namespace {

/// From the last equation to the first, so that what a trimmed loop no longer reads is unused in turn.
Program dropped_once(const Program& program) {
  const ProgramData& p = *program;
  std::vector<bool> used(p.types.size());
  const auto use = [&](const std::vector<Var>& vars) {
    for (Var v : vars) used[static_cast<std::size_t>(v)] = true;
  };
  use(p.outputs);
  std::vector<std::optional<Trimmed>> trimmed(p.equations.size());
  std::vector<bool> needless(p.equations.size());  // what they read may be gone
  for (std::size_t i = p.equations.size(); i-- > 0;) {
    const Equation& e = p.equations[i];
    Mask needed;
    for (Var v : e.outputs) needed.push_back(used[static_cast<std::size_t>(v)]);
    const auto count = std::count(needed.begin(), needed.end(), true);
    needless[i] = count == 0 && effects_of(e) == Effects::none;
    if (needless[i]) continue;
    if (e.primitive->drop_unused && static_cast<std::size_t>(count) < needed.size())
      trimmed[i] = e.primitive->drop_unused(e.params, needed);
    use(trimmed[i] ? ops::where_set(e.inputs, trimmed[i]->operands) : e.inputs);
  }
  Rewrite rewrite(program);
  for (std::size_t i = 0; i < p.equations.size(); ++i) {
    const Equation& e = p.equations[i];
    if (needless[i]) continue;
    if (!trimmed[i]) {
      rewrite.set(e.outputs, rewrite.copy(e, with_programs(e.params, drop_unused)));
      continue;
    }
    const Equation left{e.primitive, e.params, ops::where_set(e.inputs, trimmed[i]->operands),
                        ops::where_set(e.outputs, trimmed[i]->results), e.number};
    rewrite.set(left.outputs, rewrite.copy(left, with_programs(trimmed[i]->params, drop_unused)));
  }
  return rewrite.finish();
}

}  // namespace

Program drop_unused(const Program& program) {
  Program before = program, after = dropped_once(before);
  while (after != before)
    before = after, after = dropped_once(before);  // a trimmed body may need fewer operands
  return after;
}

}  // namespace baton
