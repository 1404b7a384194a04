// derive: gradient = jvp, then partial evaluation with the tangents unknown, then transpose of what is
// unknown.
#include "transforms/derive.h"

#include "base/text.h"
#include "ops/loops.h"

namespace baton {
namespace {

using ops::filled;
using ops::joined;
using ops::part;

/// The Program with some of its outputs.
Program with_outputs(const Program& program, const std::vector<std::size_t>& which) {
  return make_program("outputs", program.inputs(), [&](const Arrays& in) {
    const Arrays all = splice(program, in);
    Arrays out;
    for (std::size_t k : which) out.push_back(all[k]);
    return out;
  });
}

struct Cut {
  PartialProgram partial;
  std::size_t outputs;
};

/// jvp of the outputs and of the tangents in `moved`, cut along the tangents.
Cut cut_derivative(const Program& program, const Mask& wrt, const Mask& moved) {
  const std::size_t n = program->outputs.size();
  const JvpProgram d = transformer().jvp(program, wrt, moved);
  std::vector<std::size_t> kept(n);
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  std::size_t tangent = n;
  for (std::size_t k = 0; k < n; ++k) {
    if (!d.out[k]) continue;
    if (moved[k]) kept.push_back(tangent);
    ++tangent;
  }
  const Program both = with_outputs(d.program, kept);
  const Mask unknown = joined(filled(wrt.size(), false), filled(ops::count_of(wrt), true));
  const Mask instantiate = joined(filled(n, false), filled(kept.size() - n, true));
  Cut cut{transformer().partial(both, unknown, instantiate, {}), n};
  for (std::size_t k = 0; k < n; ++k)
    if (cut.partial.out[k])
      internal_error("output " + std::to_string(k) + " depends on tangents in the derivative\n" +
                     both.text());
  return cut;
}

}  // namespace

Mask inexact_outputs(const Program& program) {
  Mask m;
  for (const Type& t : program.outputs()) m.push_back(is_inexact(t.dtype));
  return m;
}

void require_linear(const Program& program, const Mask& wrt, const char* who, Where where) {
  const std::size_t n = program->outputs.size();
  const JvpProgram d = transformer().jvp(program, wrt, inexact_outputs(program));
  std::vector<std::size_t> tangents(d.program->outputs.size() - n);
  std::iota(tangents.begin(), tangents.end(), n);
  const Program moved = with_outputs(d.program, tangents);  // only what tangents need
  std::vector<bool> reads(moved->types.size());
  std::copy(wrt.begin(), wrt.end(), reads.begin());
  for (const Equation& e : moved->equations) {
    if (std::none_of(e.inputs.begin(), e.inputs.end(),
                     [&](Var v) { return reads[static_cast<std::size_t>(v)]; }))
      continue;
    const std::string place = origin_text(e.number);
    throw UsageError(std::string(who) +
                     ": the function must be linear in its argument; the derivative of the operation" +
                     (place.empty() ? "" : " at " + place) + " depends on the argument's value." +
                     called_at(where) + "\n  Use vjp for the derivative of a function at a point.");
  }
}

void require_forward_rules(const Program& derivative, const char* who, Where where) {
  for (const Equation& e : derivative->equations) {
    if (e.primitive->transpose_only)
      throw UsageError(std::string(who) +
                       ": forward mode was asked of a function whose custom_vjp is a rule for reverse mode "
                       "only." +
                       called_at(where) +
                       "\n  Use grad or vjp, or give the function a rule with custom_jvp.");
    for (const Program& inner : programs_of(e.params)) require_forward_rules(inner, who, where);
  }
}

Program gradient(const Program& program, const Mask& wrt) {
  Mask moved = filled(program->outputs.size(), false);
  moved[0] = true;
  const Cut cut = cut_derivative(program, wrt, moved);
  const std::size_t tangents = ops::count_of(wrt);
  const Mask linear = joined(filled(tangents, true), filled(cut.partial.residuals.size(), false));
  const TransposeProgram back = transformer().transpose(cut.partial.unknown, linear, {true}, linear);
  return make_program("grad", program.inputs(), [&](const Arrays& in) {
    const Arrays known = splice(cut.partial.known, in);
    Arrays back_in = part(known, cut.outputs, known.size());
    back_in.push_back(lax::full_like(known[0], 1));
    return joined(part(known, 0, cut.outputs), splice(back.program, back_in));
  });
}

LinearProgram linearize(const Program& program, const Mask& wrt) {
  const Cut cut = cut_derivative(program, wrt, inexact_outputs(program));
  return {cut.partial.known, cut.partial.unknown, cut.partial.residuals.size()};
}

Program transpose_linear(const LinearProgram& p, const Mask& wrt) {
  const std::size_t tangents = ops::count_of(wrt);
  const Mask linear = joined(filled(tangents, true), filled(p.residuals, false));
  return transformer().transpose(p.linear, linear, filled(p.linear->outputs.size(), true), linear).program;
}

}  // namespace baton
