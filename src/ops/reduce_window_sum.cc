// reduce_window_sum: the sum of each window. Its adjoint sums windows of the cotangent, spread out by the
// strides.
#include "ops/elementwise.h"
#include "ops/window_element.h"

namespace baton {
namespace ops {
extern const Primitive reduce_window_sum;
namespace {
Types type(std::span<const Type> in, const Params& params) {
  return window_reduction_type("reduce_window_sum", in, params, Domain::number);
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  // Element j of the operand is element p = j * base_dilation + low of the padded operand. Window o holds it
  // if p = o * stride + k * window_dilation for some k: a sum over k of the cotangent spread by the stride,
  // read backwards.
  const auto& w = params.as<Windows>();
  std::vector<lax::Padding> spread;
  lax::Window back{w.dimensions, w.base_dilation, {}, {}, w.window_dilation};
  for (std::size_t i = 0; i < w.dimensions.size(); ++i) {
    const std::int64_t reach = (w.dimensions[i] - 1) * w.window_dilation[i] + 1;
    const std::int64_t windows = ct[0].shape()[i], n = x[0].type.shape[i];
    const std::int64_t spread_extent = windows == 0 ? 0 : (windows - 1) * w.strides[i] + 1;
    const std::int64_t dilated_extent = n == 0 ? 0 : (n - 1) * w.base_dilation[i] + 1;
    const std::int64_t low = reach - 1 - w.low[i];
    spread.push_back({low, dilated_extent + reach - 1 - spread_extent - low, w.strides[i] - 1});
  }
  const Array zero = lax::zeros({ct[0].dtype(), {}});
  return {lax::reduce_window_sum(lax::pad(ct[0], zero, spread), back)};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return window_reduction_batch(reduce_window_sum, in, params);
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const Dtype d = w.result_type(0).dtype;
  return window_element(w, at, params.as<Windows>(), Do::add,
                        is_inexact(d) ? w.number(d, 0) : w.integer(d, 0));
}
}  // namespace
const Primitive reduce_window_sum = {.name = "reduce_window_sum",
                                     .linear = true,
                                     .params = Windows{},
                                     .type = type,
                                     .evaluate = evaluate_window<Sum, Domain::number>,
                                     .element = element,
                                     .transpose = transpose_rule,
                                     .batch = batch,
                                     .examples = window_reduction_examples(false)};
}  // namespace ops
Array lax::reduce_window_sum(Operand x, const Window& window) {
  return ops::bind_window_reduction(ops::reduce_window_sum, x, window);
}
}  // namespace baton
