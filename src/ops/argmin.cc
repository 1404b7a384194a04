// argmin: the index of the smallest element along an axis, the first among equals. A NaN counts as the
// smallest.
#include "ops/arg_reduction.h"

namespace baton {
namespace ops {
extern const Primitive argmin;
namespace {
Types type(std::span<const Type> in, const Params& params) {
  return arg_reduction_type("argmin", in, params);
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return arg_reduction_batch(argmin, in, params);
}
}  // namespace
const Primitive argmin = {.name = "argmin",
                          .params = ArgReduction{},
                          .type = type,
                          .evaluate = evaluate_arg_reduction<Smaller>,
                          .batch = batch,
                          .examples = arg_reduction_examples()};
}  // namespace ops
Array lax::argmin(Operand x, int axis, Dtype index_dtype) {
  return ops::bind_arg_reduction(ops::argmin, x, axis, index_dtype);
}
}  // namespace baton
