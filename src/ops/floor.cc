// floor: the largest whole number that is not above x. Its derivative is zero.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::floor(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 1>("floor", in);
}
}  // namespace
extern const Primitive floor = {.name = "floor",
                                .elementwise = true,
                                .type = type,
                                .evaluate = evaluate_unary<F, Domain::real_floating>,
                                .element = whole_element<Do::floor>,
                                .jvp = zero_jvp,
                                .examples = unary_examples()};
}  // namespace ops
Array lax::floor(Operand x) { return ops::bind_unary(ops::floor, x); }
}  // namespace baton
