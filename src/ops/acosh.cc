// acosh: the inverse hyperbolic cosine, for x >= 1. d/dx = 1/sqrt(x^2 - 1).
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::acosh(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("acosh", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  if (!is_complex(x[0].dtype())) return {lax::mul(dx[0], lax::rsqrt(lax::sub(lax::square(x[0]), 1.0)))};
  // sqrt(z^2 - 1) has the wrong sign in the left half plane.
  return {lax::mul(dx[0], lax::mul(lax::rsqrt(lax::sub(x[0], 1.0)), lax::rsqrt(lax::add(x[0], 1.0))))};
}
}  // namespace
extern const Primitive acosh = {.name = "acosh",
                                .elementwise = true,
                                .type = type,
                                .evaluate = evaluate_unary<F, Domain::inexact>,
                                .element = unary_element<Do::acosh>,
                                .jvp = jvp,
                                .examples = unary_examples(1.3, 4)};
}  // namespace ops
Array lax::acosh(Operand x) { return ops::bind_unary(ops::acosh, x); }
}  // namespace baton
