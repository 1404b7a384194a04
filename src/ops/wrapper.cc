// wrapper: transforms of a held Program, wrapped again.
#include "ops/wrapper.h"

namespace baton::ops {

std::pair<Arrays, Arrays> wrapped_jvp(const Wrapping& w, const Arrays& primals, const Arrays& tangents,
                                      Transformer& t) {
  const std::size_t n = w.body->outputs.size();
  const Mask in = tangent_mask(tangents);
  const JvpProgram d = t.jvp(w.body, in, filled(n, false));
  const Arrays all = w.bind_around(d.program, joined(primals, where_set(tangents, in)));
  return {part(all, 0, n), placed(part(all, n, all.size()), d.out)};
}

Arrays wrapped_transpose(const Wrapping& w, const Arrays& cts, std::span<const LinearOperand> x,
                         Transformer& t, FunctionRef<Arrays(const Arrays&)> held) {
  Mask linear;
  Arrays operands;
  for (const LinearOperand& operand : x) {
    linear.push_back(operand.linear());
    if (!operand.linear()) operands.push_back(operand.value);
  }
  const Mask ct_in = tangent_mask(cts);
  const TransposeProgram back = t.transpose(w.body, linear, ct_in, filled(x.size(), false));
  append(operands, where_set(cts, ct_in));
  return placed(w.bind_around(back.program, held(operands)), back.in);
}

std::vector<Batched> wrapped_batch(const Wrapping& w, const BatchAxis& axis, std::span<const Batched> in,
                                   Transformer& t) {
  const BatchProgram b = t.batch(w.body, axis, batched_mask(in), filled(w.body->outputs.size(), false));
  Arrays operands;
  for (const Batched& x : in) operands.push_back(batch_to_front(x));
  const Arrays out = w.bind_around(b.program, operands);
  std::vector<Batched> result;
  for (std::size_t k = 0; k < out.size(); ++k) result.push_back({out[k], b.out[k] ? 0 : -1});
  return result;
}

PartialEquation wrapped_partial(const Wrapping& w, const Arrays& known, std::span<const Type> out_types,
                                Transformer& t, const SavePolicy& policy) {
  const Mask unknown = unknown_mask(known);
  const PartialProgram cut = t.partial(w.body, unknown, filled(out_types.size(), false), policy);
  const Arrays ran = w.bind_around(without_forwarded(cut), where_clear(known, unknown));
  PartialEquation result = known_half(ran, cut.out);
  auto& u = result.unknown;
  u.primitive = &w.primitive;
  u.params = w.with(cut.unknown);
  const std::vector<int> inputs = places(unknown.size()), known_inputs = where_clear(inputs, unknown);
  u.inputs = where_set(inputs, unknown);
  int computed = 0;
  for (const ResidualSource& s : residual_sources(cut))
    u.inputs.push_back(s.input < 0 ? -1 - computed++ : known_inputs[at(s.input)]);
  set_outputs(u, out_types, cut.out);
  return result;
}

}  // namespace baton::ops
