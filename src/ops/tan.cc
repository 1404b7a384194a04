// tan: the tangent, in radians. d/dx tan x = 1 + tan^2 x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::tan(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("tan", in);
}
Arrays jvp(const Arrays&, const Arrays& y, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::add(lax::square(y[0]), 1.0))};
}
}  // namespace
extern const Primitive tan = {.name = "tan",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_unary<F, Domain::inexact>,
                              .element = unary_element<Do::tan>,
                              .jvp = jvp,
                              .examples = unary_examples(-1.2, 1.2)};
}  // namespace ops
Array lax::tan(Operand x) { return ops::bind_unary(ops::tan, x); }
}  // namespace baton
