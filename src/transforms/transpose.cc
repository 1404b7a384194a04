// transpose: the adjoint of a Program in its linear inputs.
// Equations that no linear input reaches are computed forwards; cotangents then flow backwards through the
// others.
#include "base/text.h"
#include "ops/rules.h"
#include "transforms/transforms.h"

namespace baton {
namespace {

/// Our own derivatives are linear in tangents; those that a user wrote may fail to be.
[[noreturn]] void not_linear(const Equation& e) {
  const std::string place = origin_text(e.number);
  const std::string operation = "the operation `" + std::string(e.primitive->name) + "`";
  throw NotLinear(std::string(e.primitive->name) +
                      ": reverse mode needs an operation that is linear in the tangents that reach it; this "
                      "one needs their values." +
                      called_for(e.number) +
                      "\n  What the rule of a custom_jvp does to its tangents must be linear: multiply them "
                      "with values, and not with each other.",
                  operation + (place.empty() ? "" : " at " + place));
}

/// The adjoint of a Program whose equations are each non-linear throughout, or linear in what linear inputs
/// reach.
TransposeProgram backward(const Program& program, const Mask& linear, const Mask& cotangents,
                          const Mask& instantiate) {
  const ProgramData& p = *program;
  Types inputs;
  for (int i = 0; i < p.input_count; ++i)
    if (!linear[static_cast<std::size_t>(i)]) inputs.push_back(p.type(i));
  for (std::size_t k = 0; k < p.outputs.size(); ++k)
    if (cotangents[k]) inputs.push_back(p.type(p.outputs[k]));
  TransposeProgram result;
  result.in.resize(static_cast<std::size_t>(p.input_count));

  result.program = make_program("transpose", inputs, [&](const Arrays& arguments) {
    Trace& trace = *Trace::current();
    Arrays values(p.types.size()), cts(p.types.size());
    std::vector<bool> is_linear(p.types.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.input_count); ++i) {
      is_linear[i] = linear[i];
      if (!linear[i]) values[i] = arguments[next++];
    }
    for (std::size_t i = 0; i < p.literals.size(); ++i)
      values[static_cast<std::size_t>(p.input_count) + i] = trace.literal(p.literals[i]);
    for (const Equation& e : p.equations) {
      const bool reached = std::any_of(e.inputs.begin(), e.inputs.end(),
                                       [&](Var v) { return is_linear[static_cast<std::size_t>(v)]; });
      if (reached) {
        for (Var v : e.outputs) is_linear[static_cast<std::size_t>(v)] = true;
        continue;
      }
      trace.set_origin(e.number);
      Arrays in;
      for (Var v : e.inputs) in.push_back(values[static_cast<std::size_t>(v)]);
      const Arrays outs = bind(*e.primitive, in, e.params, {});
      for (std::size_t k = 0; k < outs.size(); ++k) values[static_cast<std::size_t>(e.outputs[k])] = outs[k];
    }
    auto add_to = [&](Var v, const Array& ct) {
      const auto i = static_cast<std::size_t>(v);
      if (is_linear[i]) cts[i] = ops::add_any(cts[i], ct);
    };
    for (std::size_t k = 0; k < p.outputs.size(); ++k)
      if (cotangents[k]) add_to(p.outputs[k], arguments[next++]);
    for (std::size_t n = p.equations.size(); n-- > 0;) {
      const Equation& e = p.equations[n];
      Arrays out_cts;
      bool any = false;
      for (Var v : e.outputs) {
        out_cts.push_back(cts[static_cast<std::size_t>(v)]);
        any = any || !out_cts.back().empty();
        cts[static_cast<std::size_t>(v)] = Array();
      }
      if (!any) continue;
      trace.set_origin(e.number);
      if (!e.primitive->transpose && e.primitive->jvp && e.primitive->no_transpose_advice.empty())
        not_linear(e);
      if (!e.primitive->transpose)
        throw UsageError(
            std::string(e.primitive->name) + ": reverse mode is not possible through this operation." +
            called_for(e.number) + "\n  " +
            std::string(e.primitive->no_transpose_advice.empty()
                            ? "Use forward mode (jvp), or give the function a rule with custom_vjp."
                            : e.primitive->no_transpose_advice));
      std::vector<LinearOperand> operands;
      for (Var v : e.inputs)
        operands.push_back({p.type(v), is_linear[static_cast<std::size_t>(v)]
                                           ? Array()
                                           : values[static_cast<std::size_t>(v)]});
      Arrays in_cts;
      try {
        in_cts = e.primitive->transpose(out_cts, operands, e.params, transformer());
      } catch (const EmptyOperand&) {
        not_linear(e);
      }
      if (in_cts.size() != e.inputs.size())
        internal_error("the transpose rule of " + std::string(e.primitive->name) + " gave " +
                       std::to_string(in_cts.size()) + " cotangents for " + std::to_string(e.inputs.size()) +
                       " operands");
      for (std::size_t i = 0; i < in_cts.size(); ++i) {
        if (in_cts[i].empty()) continue;
        if (in_cts[i].type() != operands[i].type)
          internal_error("the transpose rule of " + std::string(e.primitive->name) + " gave a cotangent " +
                         show(in_cts[i].type()) + " for an operand " + show(operands[i].type));
        add_to(e.inputs[i], in_cts[i]);
      }
    }
    Arrays results;
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.input_count); ++i) {
      if (!linear[i]) continue;
      if (cts[i].empty() && instantiate[i]) cts[i] = ops::zeros_of(p.type(static_cast<Var>(i)));
      result.in[i] = !cts[i].empty();
      if (result.in[i]) results.push_back(cts[i]);
    }
    return results;
  });
  return result;
}

/// Whether a linear input reaches an equation that holds Programs: such a one may mix both kinds inside, as
/// the loop that checkpoint runs again does.
bool may_be_mixed(const ProgramData& p, const Mask& linear) {
  std::vector<bool> reached(p.types.size());
  std::copy(linear.begin(), linear.end(), reached.begin());
  for (const Equation& e : p.equations) {
    if (std::none_of(e.inputs.begin(), e.inputs.end(),
                     [&](Var v) { return reached[static_cast<std::size_t>(v)]; }))
      continue;
    if (e.primitive->partial_eval) return true;
    for (Var v : e.outputs) reached[static_cast<std::size_t>(v)] = true;
  }
  return false;
}

}  // namespace

TransposeProgram transpose(const Program& program, const Mask& linear, const Mask& cotangents,
                           const Mask& instantiate) {
  if (!may_be_mixed(*program, linear)) return backward(program, linear, cotangents, instantiate);
  // Cut first: what is not linear runs forwards and leaves residuals; the rest is linear through and through.
  const std::size_t outs = program->outputs.size();
  const PartialProgram cut = transformer().partial(program, linear, Mask(outs, false), {});
  const std::size_t residuals = cut.residuals.size();
  Mask inner_linear, inner_instantiate, inner_cts;
  Types inputs;
  const Types all = program.inputs();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (linear[i])
      inner_linear.push_back(true), inner_instantiate.push_back(instantiate[i]);
    else
      inputs.push_back(all[i]);
  }
  inner_linear.resize(inner_linear.size() + residuals, false);
  inner_instantiate.resize(inner_linear.size(), false);
  std::vector<bool> used;  // cotangents of results that are not linear go nowhere
  for (std::size_t k = 0; k < outs; ++k) {
    if (cotangents[k]) {
      inputs.push_back(program.outputs()[k]);
      used.push_back(cut.out[k]);
    }
    if (cut.out[k]) inner_cts.push_back(cotangents[k]);
  }
  const TransposeProgram back = backward(cut.unknown, inner_linear, inner_cts, inner_instantiate);
  TransposeProgram result;
  result.in.resize(all.size());
  for (std::size_t i = 0, next = 0; i < all.size(); ++i)
    if (linear[i]) result.in[i] = back.in[next++];
  const std::size_t known = static_cast<std::size_t>(cut.known->input_count);
  result.program = make_program("transpose", inputs, [&](const Arrays& in) {
    const Arrays forward =
        splice(cut.known, Arrays(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(known)));
    Arrays args(forward.end() - static_cast<std::ptrdiff_t>(residuals), forward.end());
    for (std::size_t k = 0; k < used.size(); ++k)
      if (used[k]) args.push_back(in[known + k]);
    return splice(back.program, args);
  });
  return result;
}

}  // namespace baton
