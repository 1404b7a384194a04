// reduce_min: the smallest element over some axes. A NaN wins; of no elements it is inf, the highest integer,
// or true.
#include "ops/element_rules.h"
#include "ops/reduction.h"

namespace baton {
namespace ops {
namespace {
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  return extreme_element(w, at, params.as<Reduction>().axes, Do::min);
}
}  // namespace
extern const Primitive reduce_min = {.name = "reduce_min",
                                     .params = Reduction{},
                                     .type = reduction_type<reduce_min, Domain::any>,
                                     .evaluate = evaluate_reduction<Smaller, Domain::any>,
                                     .element = element,
                                     .jvp = chooser_jvp,
                                     .batch = reduction_batch<reduce_min>,
                                     .examples = reduction_examples(2, true, false)};
}  // namespace ops
Array lax::reduce_min(Operand x, const std::vector<std::int64_t>& axes) {
  return ops::bind_reduction(ops::reduce_min, x, axes);
}
}  // namespace baton
