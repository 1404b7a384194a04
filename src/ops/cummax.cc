// cummax: the largest element so far along an axis, from its end if reversed. A NaN wins.
#include "ops/cumulative.h"

namespace baton {
namespace ops {
extern const Primitive cummax;
namespace {
Types type(std::span<const Type> in, const Params& params) {
  return cumulative_type("cummax", in, params, Domain::any);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  return {cumulative_jvp(x[0], dx[0], params, [](const Dual& a, const Dual& b) -> Dual {
    return {lax::max(a.x, b.x), chosen_tangent(above(a.x, b.x), above(b.x, a.x), a.dx, b.dx)};
  })};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return cumulative_batch(cummax, in, params);
}
}  // namespace
const Primitive cummax = {.name = "cummax",
                          .params = Cumulative{},
                          .type = type,
                          .evaluate = evaluate_cumulative<Larger, Domain::any>,
                          .jvp = jvp,
                          .batch = batch,
                          .examples = cumulative_examples(true)};
}  // namespace ops
Array lax::cummax(Operand x, int axis, bool reverse) {
  return ops::bind_cumulative(ops::cummax, x, axis, reverse);
}
}  // namespace baton
