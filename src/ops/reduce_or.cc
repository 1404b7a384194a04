// reduce_or: the bitwise (for bool: logical) disjunction over some axes. Of no elements: zero.
#include "ops/element_rules.h"
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
    return static_cast<T>(x | y);
  }
};
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  return reduction_element(w, at, params.as<Reduction>().axes, Do::bit_or,
                           w.integer(w.result_type(0).dtype, 0));
}
}  // namespace
extern const Primitive reduce_or = {.name = "reduce_or",
                                    .params = Reduction{},
                                    .type = reduction_type<reduce_or, Domain::bits>,
                                    .evaluate = evaluate_reduction<F, Domain::bits>,
                                    .element = element,
                                    .batch = reduction_batch<reduce_or>,
                                    .examples = reduction_examples(0, false, true, s32)};
}  // namespace ops
Array lax::reduce_or(Operand x, const std::vector<std::int64_t>& axes) {
  return ops::bind_reduction(ops::reduce_or, x, axes);
}
}  // namespace baton
