// atanh: the inverse hyperbolic tangent. d/dx = 1/(1 - x^2).
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::atanh(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("atanh", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::div(lax::div(dx[0], lax::add(x[0], 1.0)), lax::sub(1.0, x[0]))};
}
}  // namespace
extern const Primitive atanh = {.name = "atanh",
                                .elementwise = true,
                                .type = type,
                                .evaluate = evaluate_unary<F, Domain::inexact>,
                                .element = unary_element<Do::atanh>,
                                .jvp = jvp,
                                .examples = unary_examples(-0.7, 0.7)};
}  // namespace ops
Array lax::atanh(Operand x) { return ops::bind_unary(ops::atanh, x); }
}  // namespace baton
