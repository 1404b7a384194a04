// reduce_window_max: the largest element of each window. A NaN wins; of no elements it is -inf.
// Its tangent is that of one element, the first among equals.
#include "ops/window_element.h"

namespace baton {
namespace ops {
extern const Primitive reduce_window_max;
namespace {
Types type(std::span<const Type> in, const Params& params) {
  return window_reduction_type("reduce_window_max", in, params, Domain::any);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  if (is_complex(x[0].dtype()))
    type_error("reduce_window_max", "complex numbers have no derivative here, found " + show(x[0].type()) +
                                        ".\n  Take their real part first.");
  return {lax::select_and_gather_add(dx[0], x[0], true, to_window(params.as<Windows>()))};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return window_reduction_batch(reduce_window_max, in, params);
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  return window_element(w, at, params.as<Windows>(), Do::max, least(w, w.result_type(0).dtype));
}
}  // namespace
const Primitive reduce_window_max = {.name = "reduce_window_max",
                                     .params = Windows{},
                                     .type = type,
                                     .evaluate = evaluate_window<Larger, Domain::any>,
                                     .element = element,
                                     .jvp = jvp,
                                     .batch = batch,
                                     .examples = window_reduction_examples(true)};
}  // namespace ops
Array lax::reduce_window_max(Operand x, const Window& window) {
  return ops::bind_window_reduction(ops::reduce_window_max, x, window);
}
}  // namespace baton
