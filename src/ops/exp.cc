// exp: e to the power x. d/dx exp x = exp x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::exp(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("exp", in);
}
Arrays jvp(const Arrays&, const Arrays& y, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], y[0])};
}
}  // namespace
extern const Primitive exp = {.name = "exp",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_unary<F, Domain::inexact>,
                              .element = unary_element<Do::exp>,
                              .jvp = jvp,
                              .examples = unary_examples()};
}  // namespace ops
Array lax::exp(Operand x) { return ops::bind_unary(ops::exp, x); }
}  // namespace baton
