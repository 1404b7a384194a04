// tanh: the hyperbolic tangent. d/dx tanh x = 1 - tanh^2 x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::tanh(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("tanh", in);
}
Arrays jvp(const Arrays&, const Arrays& y, const Arrays& dx, const Params&) {
  // (g + g y)(1 - y): no cancellation where y is near 1
  return {lax::mul(lax::add(dx[0], lax::mul(dx[0], y[0])), lax::sub(1.0, y[0]))};
}
}  // namespace
extern const Primitive tanh = {.name = "tanh",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::inexact>,
                               .element = unary_element<Do::tanh>,
                               .jvp = jvp,
                               .examples = unary_examples()};
}  // namespace ops
Array lax::tanh(Operand x) { return ops::bind_unary(ops::tanh, x); }
}  // namespace baton
