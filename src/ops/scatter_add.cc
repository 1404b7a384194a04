// scatter_add: the operand plus updates, as often as one place is named. The adjoint in the updates is a
// gather.
#include "ops/scatter.h"

namespace baton {
namespace ops {
extern const Primitive scatter_add;
namespace {
struct F {
  template <class T>
  T operator()(T x, T y) const {
    return wrap_add(x, y);
  }
};
Types type(std::span<const Type> in, const Params& p) {
  return scatter_type("scatter_add", in, p.as<Scatter>(), Domain::number);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  return {bind_scatter(scatter_add, dx[0].empty() ? zeros_like(x[0]) : dx[0], x[1],
                       dx[2].empty() ? zeros_like(x[2]) : dx[2], params.as<Scatter>())};
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  Arrays result(3);
  if (x[0].linear()) result[0] = ct[0];
  if (x[2].linear()) result[2] = gather_updates(ct[0], x[1].value, x[2].type.shape, params.as<Scatter>());
  return result;
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return batch_scatter(scatter_add, axis, in, params);
}
}  // namespace
extern const Primitive scatter_add = {.name = "scatter_add",
                                      .params = Scatter{},
                                      .type = type,
                                      .evaluate = evaluate_scatter<F, Domain::number>,
                                      .jvp = jvp,
                                      .transpose = transpose_rule,
                                      .batch = batch,
                                      .examples = scatter_examples(-2, 2, false)};
}  // namespace ops
Array lax::scatter_add(Operand operand, Operand indices, Operand updates, const ScatterDims& d,
                       const ScatterOptions& o) {
  return ops::bind_scatter(ops::scatter_add, operand, indices, updates, d, o);
}
}  // namespace baton
