// asinh: the inverse hyperbolic sine. d/dx = 1/sqrt(x^2 + 1).
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::asinh(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("asinh", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::rsqrt(lax::add(lax::square(x[0]), 1.0)))};
}
}  // namespace
extern const Primitive asinh = {.name = "asinh",
                                .elementwise = true,
                                .type = type,
                                .evaluate = evaluate_unary<F, Domain::inexact>,
                                .element = unary_element<Do::asinh>,
                                .jvp = jvp,
                                .examples = unary_examples()};
}  // namespace ops
Array lax::asinh(Operand x) { return ops::bind_unary(ops::asinh, x); }
}  // namespace baton
