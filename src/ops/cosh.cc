// cosh: the hyperbolic cosine. d/dx cosh x = sinh x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::cosh(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("cosh", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::sinh(x[0]))};
}
}  // namespace
extern const Primitive cosh = {.name = "cosh",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::inexact>,
                               .element = unary_element<Do::cosh>,
                               .jvp = jvp,
                               .examples = unary_examples()};
}  // namespace ops
Array lax::cosh(Operand x) { return ops::bind_unary(ops::cosh, x); }
}  // namespace baton
