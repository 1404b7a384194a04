// scatter_min: the minimum of the operand and all updates at each place; NaN if one of them is.
// Those that are equal to the result share the tangent, as with every minimum of many.
#include "ops/scatter.h"

namespace baton {
namespace ops {
extern const Primitive scatter_min;
namespace {
Types type(std::span<const Type> in, const Params& p) {
  return scatter_type("scatter_min", in, p.as<Scatter>(), Domain::real);
}
Arrays jvp(const Arrays& x, const Arrays& out, const Arrays& dx, const Params& params) {
  return {extremal_tangent(x, out[0], dx, params.as<Scatter>())};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return batch_scatter(scatter_min, axis, in, params);
}
}  // namespace
extern const Primitive scatter_min = {.name = "scatter_min",
                                      .params = Scatter{},
                                      .type = type,
                                      .evaluate = evaluate_scatter<Smaller, Domain::real>,
                                      .jvp = jvp,
                                      .batch = batch,
                                      .examples = scatter_examples(-2, 2, false, true)};
}  // namespace ops
Array lax::scatter_min(Operand operand, Operand indices, Operand updates, const ScatterDims& d,
                       const ScatterOptions& o) {
  return ops::bind_scatter(ops::scatter_min, operand, indices, updates, d, o);
}
}  // namespace baton
