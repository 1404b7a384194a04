// reduce_window_min: the smallest element of each window. A NaN wins; of no elements it is inf.
// Its tangent is that of one element, the first among equals.
#include "ops/window_element.h"

namespace baton {
namespace ops {
extern const Primitive reduce_window_min;
namespace {
Types type(std::span<const Type> in, const Params& params) {
  return window_reduction_type("reduce_window_min", in, params, Domain::any);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  if (is_complex(x[0].dtype()))
    type_error("reduce_window_min", "complex numbers have no derivative here, found " + show(x[0].type()) +
                                        ".\n  Take their real part first.");
  return {lax::select_and_gather_add(dx[0], x[0], false, to_window(params.as<Windows>()))};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return window_reduction_batch(reduce_window_min, in, params);
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  return window_element(w, at, params.as<Windows>(), Do::min, greatest(w, w.result_type(0).dtype));
}
}  // namespace
const Primitive reduce_window_min = {.name = "reduce_window_min",
                                     .params = Windows{},
                                     .type = type,
                                     .evaluate = evaluate_window<Smaller, Domain::any>,
                                     .element = element,
                                     .jvp = jvp,
                                     .batch = batch,
                                     .examples = window_reduction_examples(true)};
}  // namespace ops
Array lax::reduce_window_min(Operand x, const Window& window) {
  return ops::bind_window_reduction(ops::reduce_window_min, x, window);
}
}  // namespace baton
