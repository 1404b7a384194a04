// wrapper: transforms of a held Program, wrapped again.
#include "ops/wrapper.h"

namespace baton::ops {

std::pair<Arrays, Arrays> wrapped_jvp(const Program& body, const Arrays& primals, const Arrays& tangents,
                                      Transformer& t, Wrap wrap) {
  const std::size_t n = body->outputs.size();
  const Mask in = tangent_mask(tangents);
  const JvpProgram d = t.jvp(body, in, filled(n, false));
  const Arrays all = wrap(d.program, joined(primals, where_set(tangents, in)));
  Arrays out_tangents;
  std::size_t next = n;
  for (std::size_t k = 0; k < n; ++k) out_tangents.push_back(d.out[k] ? all[next++] : Array());
  return {part(all, 0, n), out_tangents};
}

Arrays wrapped_transpose(const Program& body, const Arrays& cts, std::span<const LinearOperand> x,
                         Transformer& t, Wrap wrap, FunctionRef<Arrays(const Arrays&)> held) {
  Mask linear;
  Arrays operands;
  for (const LinearOperand& operand : x) {
    linear.push_back(operand.linear());
    if (!operand.linear()) operands.push_back(operand.value);
  }
  const Mask ct_in = tangent_mask(cts);
  const TransposeProgram back = t.transpose(body, linear, ct_in, filled(x.size(), false));
  append(operands, where_set(cts, ct_in));
  const Arrays out = wrap(back.program, held(operands));
  Arrays result(x.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (back.in[i]) result[i] = out[next++];
  return result;
}

std::vector<Batched> wrapped_batch(const Program& body, const BatchAxis& axis, std::span<const Batched> in,
                                   Transformer& t, Wrap wrap) {
  const BatchProgram b = t.batch(body, axis, batched_mask(in), filled(body->outputs.size(), false));
  Arrays operands;
  for (const Batched& x : in) operands.push_back(batch_to_front(x));
  const Arrays out = wrap(b.program, operands);
  std::vector<Batched> result;
  for (std::size_t k = 0; k < out.size(); ++k) result.push_back({out[k], b.out[k] ? 0 : -1});
  return result;
}

PartialEquation wrapped_partial(const Program& body, const Arrays& known, std::span<const Type> out_types,
                                Transformer& t, const SavePolicy& policy, Wrap wrap,
                                const Primitive& primitive, FunctionRef<Params(const Program&)> params) {
  const Mask unknown = unknown_mask(known);
  const PartialProgram cut = t.partial(body, unknown, filled(out_types.size(), false), policy);
  const auto sources = residual_sources(cut);
  const Arrays ran = wrap(without_forwarded(cut), where_clear(known, unknown));
  PartialEquation result;
  std::size_t next = 0;
  for (std::size_t k = 0; k < out_types.size(); ++k)
    result.known.push_back(cut.out[k] ? Array() : ran[next++]);
  result.residuals = part(ran, next, ran.size());
  auto& u = result.unknown;
  u.primitive = &primitive;
  u.params = params(cut.unknown);
  std::vector<int> known_index;
  for (std::size_t i = 0; i < unknown.size(); ++i)
    (unknown[i] ? u.inputs : known_index).push_back(static_cast<int>(i));
  int computed = 0;
  for (const ResidualSource& s : sources)
    u.inputs.push_back(s.input < 0 ? -1 - computed++ : known_index[at(s.input)]);
  for (std::size_t k = 0; k < out_types.size(); ++k)
    if (cut.out[k]) {
      u.which.push_back(static_cast<int>(k));
      u.outputs.push_back(out_types[k]);
    }
  return result;
}

}  // namespace baton::ops
