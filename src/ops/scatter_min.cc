// scatter_min: the minimum of the operand and all updates at each place; NaN if one of them is.
// Those that are equal to the result share the tangent, as with every minimum of many.
#include "ops/scatter.h"

namespace baton {
namespace ops {
extern const Primitive scatter_min = {.name = "scatter_min",
                                      .params = Scatter{},
                                      .type = scatter_type<scatter_min, Domain::real>,
                                      .evaluate = evaluate_scatter<Smaller, Domain::real>,
                                      .jvp = extremal_scatter_jvp,
                                      .batch = scatter_batch<scatter_min>,
                                      .examples = scatter_examples(-2, 2, false, true)};
}  // namespace ops
Array lax::scatter_min(Operand operand, Operand indices, Operand updates, const ScatterDims& d,
                       const ScatterOptions& o) {
  return ops::bind_scatter(ops::scatter_min, operand, indices, updates, d, o);
}
}  // namespace baton
