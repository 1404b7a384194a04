// cumprod: running products along an axis, from its end if reversed.
#include "ops/cumulative.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
extern const Primitive cumprod;
namespace {
struct F {
  template <class T>
  T operator()(T x, T y) const {
    return wrap_mul(x, y);
  }
};
Types type(std::span<const Type> in, const Params& params) {
  return cumulative_type("cumprod", in, params, Domain::number);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  return {cumulative_jvp(x[0], dx[0], params, [](const Dual& a, const Dual& b) -> Dual {
    return {lax::mul(a.x, b.x), lax::add(lax::mul(a.dx, b.x), lax::mul(a.x, b.dx))};
  })};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return cumulative_batch(cumprod, in, params);
}
}  // namespace
const Primitive cumprod = {.name = "cumprod",
                           .params = Cumulative{},
                           .type = type,
                           .evaluate = evaluate_cumulative<F, Domain::number>,
                           .jvp = jvp,
                           .batch = batch,
                           .examples = cumulative_examples()};
}  // namespace ops
Array lax::cumprod(Operand x, int axis, bool reverse) {
  return ops::bind_cumulative(ops::cumprod, x, axis, reverse);
}
}  // namespace baton
