// reduce_and: the bitwise (for bool: logical) conjunction over some axes. Of no elements: all ones.
#include "ops/element_rules.h"
#include "ops/reduction.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  static T start() {
    return static_cast<T>(~std::uint64_t{0});
  }
  template <class T>
  T operator()(T x, T y) const {
    return static_cast<T>(x & y);
  }
};
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  return reduction_element(w, at, params.as<Reduction>().axes, Do::bit_and,
                           w.integer(w.result_type(0).dtype, -1));
}
}  // namespace
extern const Primitive reduce_and = {.name = "reduce_and",
                                     .params = Reduction{},
                                     .type = reduction_type<reduce_and, Domain::bits>,
                                     .evaluate = evaluate_reduction<F, Domain::bits>,
                                     .element = element,
                                     .batch = reduction_batch<reduce_and>,
                                     .examples = reduction_examples(0, false, true, s32)};
}  // namespace ops
Array lax::reduce_and(Operand x, const std::vector<std::int64_t>& axes) {
  return ops::bind_reduction(ops::reduce_and, x, axes);
}
}  // namespace baton
