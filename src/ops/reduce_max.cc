// reduce_max: the largest element over some axes. A NaN wins; of no elements it is -inf, the lowest integer,
// or false.
#include "ops/reduction.h"

namespace baton {
namespace ops {
extern const Primitive reduce_max;
namespace {
Types type(std::span<const Type> in, const Params& params) {
  return reduction_type("reduce_max", in, params, Domain::any);
}
Arrays jvp(const Arrays& x, const Arrays& out, const Arrays& dx, const Params& params) {
  return {chooser_jvp(x[0], out[0], dx[0], params.as<Reduction>().axes)};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return reduction_batch(reduce_max, in, params);
}
}  // namespace
const Primitive reduce_max = {.name = "reduce_max",
                              .params = Reduction{},
                              .type = type,
                              .evaluate = evaluate_reduction<Larger, Domain::any>,
                              .jvp = jvp,
                              .batch = batch,
                              .examples = reduction_examples(2, true, false)};
}  // namespace ops
Array lax::reduce_max(Operand x, const std::vector<std::int64_t>& axes) {
  return ops::bind_reduction(ops::reduce_max, x, axes);
}
}  // namespace baton
