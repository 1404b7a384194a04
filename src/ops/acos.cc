// acos: the inverse cosine, in [0, pi]. d/dx = -1/sqrt(1 - x^2).
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::acos(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("acos", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::neg(lax::rsqrt(lax::sub(1.0, lax::square(x[0])))))};
}
}  // namespace
extern const Primitive acos = {.name = "acos",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::inexact>,
                               .element = unary_element<Do::acos>,
                               .jvp = jvp,
                               .examples = unary_examples(-0.8, 0.8)};
}  // namespace ops
Array lax::acos(Operand x) { return ops::bind_unary(ops::acos, x); }
}  // namespace baton
