// reduce_or: the bitwise (for bool: logical) disjunction over some axes. Of no elements: zero.
#include "ops/reduction.h"

namespace baton {
namespace ops {
extern const Primitive reduce_or;
namespace {
struct F {
  template <class T>
  static T start() {
    return T{};
  }
  template <class T>
  T operator()(T x, T y) const {
    return static_cast<T>(x | y);
  }
};
Types type(std::span<const Type> in, const Params& params) {
  return reduction_type("reduce_or", in, params, Domain::bits);
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return reduction_batch(reduce_or, in, params);
}
}  // namespace
const Primitive reduce_or = {.name = "reduce_or",
                             .params = Reduction{},
                             .type = type,
                             .evaluate = evaluate_reduction<F, Domain::bits>,
                             .batch = batch,
                             .examples = reduction_examples(0, false, true, s32)};
}  // namespace ops
Array lax::reduce_or(Operand x, const std::vector<std::int64_t>& axes) {
  return ops::bind_reduction(ops::reduce_or, x, axes);
}
}  // namespace baton
