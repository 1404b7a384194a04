// scatter_max: the maximum of the operand and all updates at each place; NaN if one of them is.
// Those that are equal to the result share the tangent, as with every maximum of many.
#include "ops/scatter.h"

namespace baton {
namespace ops {
extern const Primitive scatter_max = {.name = "scatter_max",
                                      .params = Scatter{},
                                      .type = scatter_type<scatter_max, Domain::real>,
                                      .evaluate = evaluate_scatter<Larger, Domain::real>,
                                      .jvp = extremal_scatter_jvp,
                                      .batch = scatter_batch<scatter_max>,
                                      .examples = scatter_examples(-2, 2, false, true)};
}  // namespace ops
Array lax::scatter_max(Operand operand, Operand indices, Operand updates, const ScatterDims& d,
                       const ScatterOptions& o) {
  return ops::bind_scatter(ops::scatter_max, operand, indices, updates, d, o);
}
}  // namespace baton
