// sinh: the hyperbolic sine. d/dx sinh x = cosh x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::sinh(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("sinh", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::cosh(x[0]))};
}
}  // namespace
extern const Primitive sinh = {.name = "sinh",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::inexact>,
                               .element = unary_element<Do::sinh>,
                               .jvp = jvp,
                               .examples = unary_examples()};
}  // namespace ops
Array lax::sinh(Operand x) { return ops::bind_unary(ops::sinh, x); }
}  // namespace baton
