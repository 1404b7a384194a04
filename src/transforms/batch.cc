// batch: the Program over many lanes at once. Lanes are axis 0 of what is batched; the rest is shared by all
// lanes.
#include "base/text.h"
#include "ops/rules.h"
#include "transforms/transforms.h"

namespace baton {
namespace {

std::vector<Batched> elementwise(const Primitive& p, const Params& params, const BatchAxis& axis,
                                 std::span<const Batched> in) {
  Arrays operands;
  const bool aligned =
      std::all_of(in.begin(), in.end(), [&](const Batched& b) { return b.axis == in[0].axis; });
  for (const Batched& b : in) operands.push_back(aligned ? b.value : ops::with_batch(b, axis));
  std::vector<Batched> outs;
  for (const Array& a : bind(p, operands, params, {})) outs.push_back({a, aligned ? in[0].axis : 0});
  return outs;
}

/// Whether the equation, or one of a Program that it holds, speaks of the axis.
bool names(const Equation& e, const std::string& axis) {
  if (e.primitive->names_axis && e.primitive->names_axis(e.params, axis)) return true;
  for (const Program& p : programs_of(e.params))
    for (const Equation& inner : p->equations)
      if (names(inner, axis)) return true;
  return false;
}

std::vector<Batched> step(const Equation& e, const BatchAxis& axis, std::span<const Batched> in) {
  const Primitive& p = *e.primitive;
  // Code with effects cannot run for each lane, whatever it is given: its rule says so.
  bool any = effects_of(e) == Effects::io;
  any = any || (!axis.name.empty() && names(e, axis.name));
  for (const Batched& b : in) any = any || b.axis >= 0;
  if (any && p.batch) return p.batch(axis, in, e.params, transformer());
  if (any && p.elementwise) return elementwise(p, e.params, axis, in);
  if (any)
    throw UsageError(std::string(p.name) + ": this operation cannot be batched by vmap." +
                     called_for(e.number));
  Arrays plain;
  for (const Batched& b : in) plain.push_back(b.value);
  std::vector<Batched> outs;
  for (const Array& a : bind(p, plain, e.params, {})) outs.push_back({a, -1});
  return outs;
}

}  // namespace

BatchProgram batch(const Program& program, const BatchAxis& axis, const Mask& in, const Mask& instantiate) {
  const ProgramData& p = *program;
  Types inputs = program.inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (in[i]) inputs[i].shape.insert(inputs[i].shape.begin(), axis.size);
  BatchProgram result;
  result.out.resize(p.outputs.size());
  result.program = make_program("vmap", inputs, [&](const Arrays& arguments) {
    Trace& trace = *Trace::current();
    std::vector<Batched> values(p.types.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) values[i] = {arguments[i], in[i] ? 0 : -1};
    for (std::size_t i = 0; i < p.literals.size(); ++i)
      values[static_cast<std::size_t>(p.input_count) + i] = {trace.literal(p.literals[i]), -1};
    for (const Equation& e : p.equations) {
      trace.set_origin(e.number);
      std::vector<Batched> operands;
      for (Var v : e.inputs) operands.push_back(values[static_cast<std::size_t>(v)]);
      const std::vector<Batched> outs = step(e, axis, operands);
      if (outs.size() != e.outputs.size())
        internal_error("the batch rule of " + std::string(e.primitive->name) + " gave " +
                       std::to_string(outs.size()) + " results, not " + std::to_string(e.outputs.size()));
      for (std::size_t k = 0; k < outs.size(); ++k) {
        Type want = p.type(e.outputs[k]);
        if (outs[k].axis >= 0) want.shape.insert(want.shape.begin() + outs[k].axis, axis.size);
        if (outs[k].value.type() != want)
          internal_error("the batch rule of " + std::string(e.primitive->name) + " gave " +
                         show(outs[k].value.type()) + ", not " + show(want));
        values[static_cast<std::size_t>(e.outputs[k])] = outs[k];
      }
    }
    Arrays results;
    for (std::size_t k = 0; k < p.outputs.size(); ++k) {
      const Batched& b = values[static_cast<std::size_t>(p.outputs[k])];
      result.out[k] = b.axis >= 0 || instantiate[k];
      results.push_back(result.out[k] ? ops::with_batch(b, axis) : b.value);
    }
    return results;
  });
  return result;
}

}  // namespace baton
