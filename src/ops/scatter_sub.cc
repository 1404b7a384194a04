// scatter_sub: the operand minus updates, as often as one place is named. The adjoint in the updates is a
// negated gather.
#include "ops/scatter.h"

namespace baton {
namespace ops {
namespace {
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  Arrays result(3);
  if (x[0].linear()) result[0] = ct[0];
  if (x[2].linear())
    result[2] = lax::neg(gather_updates(ct[0], x[1].value, x[2].type.shape, params.as<Scatter>()));
  return result;
}
}  // namespace
extern const Primitive scatter_sub = {.name = "scatter_sub",
                                      .params = Scatter{},
                                      .type = scatter_type<scatter_sub, Domain::number>,
                                      .evaluate = evaluate_scatter<Difference, Domain::number>,
                                      .jvp = linear_scatter_jvp<scatter_sub>,
                                      .transpose = transpose_rule,
                                      .batch = scatter_batch<scatter_sub>,
                                      .examples = scatter_examples(-2, 2, false)};
}  // namespace ops
Array lax::scatter_sub(Operand operand, Operand indices, Operand updates, const ScatterDims& d,
                       const ScatterOptions& o) {
  return ops::bind_scatter(ops::scatter_sub, operand, indices, updates, d, o);
}
}  // namespace baton
