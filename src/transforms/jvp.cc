// jvp: carries tangents along. Each equation's rule says how its results move when its operands do.
#include "base/text.h"
#include "ops/loops.h"
#include "transforms/transforms.h"

namespace baton {
namespace {

/// Results and tangents of one equation.
std::pair<Arrays, Arrays> step(const Equation& e, const Arrays& primals, Arrays tangents) {
  const Primitive& p = *e.primitive;
  const bool moves = std::any_of(tangents.begin(), tangents.end(), [](const Array& t) { return !t.empty(); });
  if (moves && p.jvp_whole) return p.jvp_whole(primals, tangents, e.params, transformer());
  Arrays outs = bind(p, primals, e.params, {});
  Arrays out_tangents(outs.size());
  const bool inexact =
      std::any_of(outs.begin(), outs.end(), [](const Array& a) { return is_inexact(a.dtype()); });
  if (!moves || !inexact) return {outs, out_tangents};
  if (p.jvp) {
    out_tangents = p.jvp(primals, outs, tangents, e.params);
  } else if (p.linear) {
    for (std::size_t i = 0; i < tangents.size(); ++i)
      if (tangents[i].empty()) tangents[i] = ops::zeros_like(primals[i]);
    out_tangents = bind(p, tangents, e.params, {});
  } else {
    throw UsageError(
        std::string(p.name) + ": this operation has no derivative." + called_for(e.number) +
        "\n  Put stop_gradient around its operands, or give the function a rule with custom_jvp.");
  }
  if (out_tangents.size() != outs.size())
    internal_error("the jvp rule of " + std::string(p.name) + " gave " + std::to_string(out_tangents.size()) +
                   " tangents for " + std::to_string(outs.size()) + " results");
  for (std::size_t i = 0; i < outs.size(); ++i)
    if (!out_tangents[i].empty() && out_tangents[i].type() != outs[i].type())
      internal_error("the jvp rule of " + std::string(p.name) + " gave a tangent " +
                     show(out_tangents[i].type()) + " for a result " + show(outs[i].type()));
  return {outs, out_tangents};
}

}  // namespace

JvpProgram jvp(const Program& program, const Mask& in, const Mask& instantiate) {
  const ProgramData& p = *program;
  Types inputs = program.inputs();
  for (int i = 0; i < p.input_count; ++i)
    if (in[static_cast<std::size_t>(i)]) inputs.push_back(p.type(i));
  Mask out(p.outputs.size());
  Program result = make_program("jvp", inputs, [&](const Arrays& arguments) {
    Trace& trace = *Trace::current();
    Arrays values(p.types.size()), tangents(p.types.size());
    auto next = static_cast<std::size_t>(p.input_count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.input_count); ++i) {
      values[i] = arguments[i];
      if (in[i]) tangents[i] = arguments[next++];
    }
    for (std::size_t i = 0; i < p.literals.size(); ++i)
      values[static_cast<std::size_t>(p.input_count) + i] = trace.literal(p.literals[i]);
    for (const Equation& e : p.equations) {
      trace.set_origin(e.number);
      if (p.effects == Effects::io)
        ops::refuse_io(e,
                       "code with effects runs once for each call, so a function that calls it cannot be "
                       "differentiated.\n  Call it outside the differentiated function, or declare it "
                       "HostKind::pure.");
      Arrays primals_in, tangents_in;
      for (Var v : e.inputs) {
        primals_in.push_back(values[static_cast<std::size_t>(v)]);
        tangents_in.push_back(tangents[static_cast<std::size_t>(v)]);
      }
      auto [outs, out_tangents] = step(e, primals_in, std::move(tangents_in));
      for (std::size_t k = 0; k < e.outputs.size(); ++k) {
        values[static_cast<std::size_t>(e.outputs[k])] = outs[k];
        tangents[static_cast<std::size_t>(e.outputs[k])] = out_tangents[k];
      }
    }
    Arrays results, result_tangents;
    for (std::size_t k = 0; k < p.outputs.size(); ++k) {
      const auto v = static_cast<std::size_t>(p.outputs[k]);
      results.push_back(values[v]);
      Array t = tangents[v];
      if (t.empty() && instantiate[k]) t = ops::zeros_of(p.type(p.outputs[k]));
      out[k] = !t.empty();
      if (out[k]) result_tangents.push_back(t);
    }
    results.insert(results.end(), result_tangents.begin(), result_tangents.end());
    return results;
  });
  return {result, out};
}

}  // namespace baton
