// loops: shared pieces of primitives that hold Programs.
#include "ops/loops.h"

namespace baton::ops {

void require_types(std::string_view name, const std::string& what, const Types& want, const Types& found) {
  const std::size_t end = std::min(what.find(' '), what.size());  // of the noun, in "operand of the body"
  const std::string noun = what.substr(0, end), of = what.substr(end);
  if (want.size() != found.size())
    type_error(name, std::to_string(want.size()) + " " + noun + "s" + of + " are required, found " +
                         std::to_string(found.size()) + ".");
  for (std::size_t i = 0; i < want.size(); ++i)
    if (want[i] != found[i])
      type_error(name, noun + " " + std::to_string(i) + of + " must be " + show(want[i]) + ", found " +
                           show(found[i]) + "." +
                           (want[i].dtype != found[i].dtype ? "\n  Convert it with astype." : ""));
}

Mask needed_inputs(const Program& program, const Mask& outputs) {
  const ProgramData& p = *program;
  Mask needed(p.types.size());
  for (std::size_t k = 0; k < outputs.size(); ++k)
    if (outputs[k]) needed[static_cast<std::size_t>(p.outputs[k])] = true;
  for (std::size_t i = p.equations.size(); i-- > 0;) {
    const Equation& e = p.equations[i];
    const bool needs = effects_of(e) != Effects::none ||
                       std::any_of(e.outputs.begin(), e.outputs.end(),
                                   [&](Var v) { return needed[static_cast<std::size_t>(v)]; });
    if (needs)
      for (Var v : e.inputs) needed[static_cast<std::size_t>(v)] = true;
  }
  needed.resize(static_cast<std::size_t>(p.input_count));
  return needed;
}

Program restricted(const Program& program, const Mask& inputs, const Mask& outputs) {
  const Types types = program.inputs();
  return make_program("restricted", where_set(types, inputs), [&](const Arrays& left) {
    Arrays all;
    std::size_t next = 0;
    for (std::size_t i = 0; i < types.size(); ++i)
      all.push_back(inputs[i] ? left[next++] : zeros_of(types[i]));  // stands for what nobody reads
    return where_set(splice(program, all), outputs);
  });
}

void refuse_io(const Equation& e, const std::string& message) {
  if (e.primitive->effects && e.primitive->effects(e.params) == Effects::io) {
    struct Name final : FieldVisitorOfSome {
      std::string found;
      void text(std::string_view field, std::string& value) override {
        if (field == "name" && !value.empty()) found = " `" + value + "`";
      }
    } name;
    e.params.visit(name);
    type_error(std::string(e.primitive->name) + name.found, message);
  }
  for (const Program& p : programs_of(e.params))
    if (p->effects == Effects::io)
      for (const Equation& inner : p->equations) refuse_io(inner, message);
}

PartialEquation known_half(const Arrays& ran, const Mask& unknown_outputs) {
  const Mask known = complement(unknown_outputs);
  return {placed(ran, known), part(ran, count_of(known), ran.size()), {}};
}

void set_outputs(PartialEquation::Unknown& u, std::span<const Type> out_types, const Mask& which) {
  u.which = where_set(places(out_types.size()), which);
  u.outputs = where_set(Types(out_types.begin(), out_types.end()), which);
}

PartialEquation::Unknown unknown_as_a_whole(const Primitive& primitive, const Params& params,
                                            std::size_t inputs, std::span<const Type> out_types) {
  PartialEquation::Unknown u{.primitive = &primitive, .params = params, .inputs = places(inputs)};
  set_outputs(u, out_types, filled(out_types.size(), true));
  return u;
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
