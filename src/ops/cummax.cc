// cummax: the largest element so far along an axis, from its end if reversed. A NaN wins.
#include "ops/cumulative.h"

namespace baton {
namespace ops {
namespace {
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  return {cumulative_jvp(x[0], dx[0], params, [](const Dual& a, const Dual& b) -> Dual {
    return {lax::max(a.x, b.x), chosen_tangent(above(a.x, b.x), above(b.x, a.x), a.dx, b.dx)};
  })};
}
}  // namespace
extern const Primitive cummax = {.name = "cummax",
                                 .params = Cumulative{},
                                 .type = cumulative_type<cummax, Domain::any>,
                                 .evaluate = evaluate_cumulative<Larger, Domain::any>,
                                 .jvp = jvp,
                                 .batch = cumulative_batch<cummax>,
                                 .examples = cumulative_examples(true)};
}  // namespace ops
Array lax::cummax(Operand x, int axis, bool reverse) {
  return ops::bind_cumulative(ops::cummax, x, axis, reverse);
}
}  // namespace baton
