// argmax: the index of the largest element along an axis, the first among equals. A NaN counts as the
// largest.
#include "ops/arg_reduction.h"

namespace baton {
namespace ops {
extern const Primitive argmax = {.name = "argmax",
                                 .params = ArgReduction{},
                                 .type = arg_reduction_type<argmax>,
                                 .evaluate = evaluate_arg_reduction<Larger>,
                                 .element = arg_reduction_element<Do::gt>,
                                 .batch = arg_reduction_batch<argmax>,
                                 .examples = arg_reduction_examples()};
}  // namespace ops
Array lax::argmax(Operand x, int axis, Dtype index_dtype) {
  return ops::bind_arg_reduction(ops::argmax, x, axis, index_dtype);
}
}  // namespace baton
