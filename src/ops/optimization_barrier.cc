// optimization_barrier: the operands unchanged, all computed before any result is used. Passes neither merge
// across it nor take it away. Tangents and cotangents go through barriers of their own.
#include "ops/loops.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) { return {in.begin(), in.end()}; }
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  for (std::size_t k = 0; k < in.size(); ++k) copy_all(out[k], in[k].data);
}
/// A barrier around those that are there.
Arrays barrier(const Arrays& values) {
  const Mask there = tangent_mask(values);
  return placed(lax::optimization_barrier(where_set(values, there)), there);
}
Arrays jvp(const Arrays&, const Arrays&, const Arrays& dx, const Params&) { return barrier(dx); }
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params&, Transformer&) {
  Arrays mine = ct;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!x[k].linear()) mine[k] = Array();
  return barrier(mine);
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params&, Transformer&) {
  Arrays values;
  for (const Batched& b : in) values.push_back(b.value);
  const Arrays out = lax::optimization_barrier(values);
  std::vector<Batched> result;
  for (std::size_t k = 0; k < in.size(); ++k) result.push_back({out[k], in[k].axis});
  return result;
}
}  // namespace
extern const Primitive optimization_barrier = {.name = "optimization_barrier",
                                               .cost = Cost::free,
                                               .type = type,
                                               .evaluate = evaluate,
                                               .jvp = jvp,
                                               .transpose = transpose_rule,
                                               .batch = batch,
                                               .views = true,
                                               .examples = {{.inputs = {{f32, {2, 3}}}},
                                                            {.inputs = {{f32, {2}}, {s32, {3}}, {f32, {}}}},
                                                            {.inputs = {{f32, {0, 2}}, {boolean, {1}}}}}};
}  // namespace ops
Arrays lax::optimization_barrier(Operands operands) {
  if (operands.size() == 0) return {};
  return bind(ops::optimization_barrier, operands.arrays(), None{}, operands.where());
}
}  // namespace baton
