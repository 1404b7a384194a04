// reduce_xor: the bitwise (for bool: logical) exclusive or over some axes. Of no elements: zero.
#include "ops/reduction.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  static T start() {
    return T{};
  }
  template <class T>
  T operator()(T x, T y) const {
    return static_cast<T>(x ^ y);
  }
};
}  // namespace
extern const Primitive reduce_xor = {.name = "reduce_xor",
                                     .params = Reduction{},
                                     .type = reduction_type<reduce_xor, Domain::bits>,
                                     .evaluate = evaluate_reduction<F, Domain::bits>,
                                     .batch = reduction_batch<reduce_xor>,
                                     .examples = reduction_examples(0, false, true, s32)};
}  // namespace ops
Array lax::reduce_xor(Operand x, const std::vector<std::int64_t>& axes) {
  return ops::bind_reduction(ops::reduce_xor, x, axes);
}
}  // namespace baton
