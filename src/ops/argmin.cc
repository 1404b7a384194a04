// argmin: the index of the smallest element along an axis, the first among equals. A NaN counts as the
// smallest.
#include "ops/arg_reduction.h"

namespace baton {
namespace ops {
extern const Primitive argmin = {.name = "argmin",
                                 .params = ArgReduction{},
                                 .type = arg_reduction_type<argmin>,
                                 .evaluate = evaluate_arg_reduction<Smaller>,
                                 .element = arg_reduction_element<Do::lt>,
                                 .batch = arg_reduction_batch<argmin>,
                                 .examples = arg_reduction_examples()};
}  // namespace ops
Array lax::argmin(Operand x, int axis, Dtype index_dtype) {
  return ops::bind_arg_reduction(ops::argmin, x, axis, index_dtype);
}
}  // namespace baton
