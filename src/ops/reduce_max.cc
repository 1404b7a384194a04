// reduce_max: the largest element over some axes. A NaN wins; of no elements it is -inf, the lowest integer,
// or false.
#include "ops/element_rules.h"
#include "ops/reduction.h"

namespace baton {
namespace ops {
namespace {
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  return extreme_element(w, at, params.as<Reduction>().axes, Do::max);
}
}  // namespace
extern const Primitive reduce_max = {.name = "reduce_max",
                                     .params = Reduction{},
                                     .type = reduction_type<reduce_max, Domain::any>,
                                     .evaluate = evaluate_reduction<Larger, Domain::any>,
                                     .element = element,
                                     .jvp = chooser_jvp,
                                     .batch = reduction_batch<reduce_max>,
                                     .examples = reduction_examples(2, true, false)};
}  // namespace ops
Array lax::reduce_max(Operand x, const std::vector<std::int64_t>& axes) {
  return ops::bind_reduction(ops::reduce_max, x, axes);
}
}  // namespace baton
