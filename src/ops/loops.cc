// loops: shared pieces of primitives that hold Programs.
#include "ops/loops.h"

namespace baton::ops {

void require_types(std::string_view name, const std::string& what, const Types& want, const Types& found) {
  if (want.size() != found.size())
    type_error(name, std::to_string(want.size()) + " " + what + "s are required, found " +
                         std::to_string(found.size()) + ".");
  for (std::size_t i = 0; i < want.size(); ++i)
    if (want[i] != found[i])
      type_error(name, what + " " + std::to_string(i) + " must be " + show(want[i]) + ", found " +
                           show(found[i]) + "." +
                           (want[i].dtype != found[i].dtype ? "\n  Convert it with astype." : ""));
}

Effects effects_of(const Program& program) {
  Effects strongest = Effects::none;
  for (const Equation& e : program->equations)
    if (e.primitive->effects) strongest = std::max(strongest, e.primitive->effects(e.params));
  return strongest;
}

std::vector<ResidualSource> residual_sources(const PartialProgram& cut) {
  const ProgramData& known = *cut.known;
  std::vector<ResidualSource> sources;
  for (std::size_t k = known.outputs.size() - cut.residuals.size(); k < known.outputs.size(); ++k)
    sources.push_back({known.is_input(known.outputs[k]) ? known.outputs[k] : -1});
  return sources;
}

Program without_forwarded(const PartialProgram& cut) {
  const auto sources = residual_sources(cut);
  return make_program("known", cut.known.inputs(), [&](const Arrays& in) {
    const Arrays all = splice(cut.known, in);
    const std::size_t outs = all.size() - sources.size();
    Arrays kept = part(all, 0, outs);
    for (std::size_t r = 0; r < sources.size(); ++r)
      if (sources[r].input < 0) kept.push_back(all[outs + r]);
    return kept;
  });
}

}  // namespace baton::ops
