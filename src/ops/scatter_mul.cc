// scatter_mul: the operand times updates, as often as one place is named.
// d(x u) = dx u + x du needs unique indices where the updates move: else x u1 u2 would have to be taken
// apart.
#include "ops/scatter.h"

namespace baton {
namespace ops {
namespace {
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  const auto& p = params.as<Scatter>();
  Array operand, updates;
  if (!dx[0].empty()) operand = bind_scatter(scatter_mul, dx[0], x[1], x[2], p);
  if (!dx[2].empty()) {
    if (!p.unique_indices)
      type_error("scatter_mul",
                 "the derivative in the updates is defined for unique indices only.\n  If no place is named "
                 "twice, say "
                 "so: {.unique_indices = true}.");
    updates = lax::mul(x[0], bind_scatter(scatter_add, zeros_like(x[0]), x[1], dx[2], p));
  }
  return {add_any(operand, updates)};
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  const auto& p = params.as<Scatter>();
  if (x[0].linear()) return {bind_scatter(scatter_mul, ct[0], x[1].value, x[2].value, p), Array(), Array()};
  return {Array(), Array(), gather_updates(lax::mul(ct[0], x[0].value), x[1].value, x[2].type.shape, p)};
}
std::vector<Example> examples() {
  std::vector<Example> rows = scatter_examples(-2, 2, true);
  rows.push_back({.inputs = {{f32, {3}}, {s32, {4, 1}}, {f32, {4}}},
                  .params = Scatter{{}, {0}, {0}, {}, {}},
                  .order = 0,
                  .note = "several at one place",
                  .values = {{}, {1, 1, 0, 1}, {}}});
  return rows;
}
}  // namespace
extern const Primitive scatter_mul = {.name = "scatter_mul",
                                      .params = Scatter{},
                                      .type = scatter_type<scatter_mul, Domain::number>,
                                      .evaluate = evaluate_scatter<Product, Domain::number>,
                                      .jvp = jvp,
                                      .transpose = transpose_rule,
                                      .batch = scatter_batch<scatter_mul>,
                                      .examples = examples()};
}  // namespace ops
Array lax::scatter_mul(Operand operand, Operand indices, Operand updates, const ScatterDims& d,
                       const ScatterOptions& o) {
  return ops::bind_scatter(ops::scatter_mul, operand, indices, updates, d, o);
}
}  // namespace baton
