// cummin: the smallest element so far along an axis, from its end if reversed. A NaN wins.
#include "ops/cumulative.h"

namespace baton {
namespace ops {
namespace {
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  return {cumulative_jvp(x[0], dx[0], params, [](const Dual& a, const Dual& b) -> Dual {
    return {lax::min(a.x, b.x), chosen_tangent(above(b.x, a.x), above(a.x, b.x), a.dx, b.dx)};
  })};
}
}  // namespace
extern const Primitive cummin = {.name = "cummin",
                                 .params = Cumulative{},
                                 .type = cumulative_type<cummin, Domain::any>,
                                 .evaluate = evaluate_cumulative<Smaller, Domain::any>,
                                 .jvp = jvp,
                                 .batch = cumulative_batch<cummin>,
                                 .examples = cumulative_examples(true)};
}  // namespace ops
Array lax::cummin(Operand x, int axis, bool reverse) {
  return ops::bind_cumulative(ops::cummin, x, axis, reverse);
}
}  // namespace baton
