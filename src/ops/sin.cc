// sin: the sine, in radians. d/dx sin x = cos x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::sin(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("sin", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::cos(x[0]))};
}
}  // namespace
extern const Primitive sin = {.name = "sin",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_unary<F, Domain::inexact>,
                              .element = unary_element<Do::sin>,
                              .jvp = jvp,
                              .examples = unary_examples()};
}  // namespace ops
Array lax::sin(Operand x) { return ops::bind_unary(ops::sin, x); }
}  // namespace baton
