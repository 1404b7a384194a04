// cumprod: running products along an axis, from its end if reversed.
#include "ops/cumulative.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  return {cumulative_jvp(x[0], dx[0], params, [](const Dual& a, const Dual& b) -> Dual {
    return {lax::mul(a.x, b.x), lax::add(lax::mul(a.dx, b.x), lax::mul(a.x, b.dx))};
  })};
}
}  // namespace
extern const Primitive cumprod = {.name = "cumprod",
                                  .params = Cumulative{},
                                  .type = cumulative_type<cumprod, Domain::number>,
                                  .evaluate = evaluate_cumulative<Product, Domain::number>,
                                  .jvp = jvp,
                                  .batch = cumulative_batch<cumprod>,
                                  .examples = cumulative_examples()};
}  // namespace ops
Array lax::cumprod(Operand x, int axis, bool reverse) {
  return ops::bind_cumulative(ops::cumprod, x, axis, reverse);
}
}  // namespace baton
