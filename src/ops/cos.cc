// cos: the cosine, in radians. d/dx cos x = -sin x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::cos(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("cos", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::neg(lax::mul(dx[0], lax::sin(x[0])))};
}
}  // namespace
extern const Primitive cos = {.name = "cos",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_unary<F, Domain::inexact>,
                              .element = unary_element<Do::cos>,
                              .jvp = jvp,
                              .examples = unary_examples()};
}  // namespace ops
Array lax::cos(Operand x) { return ops::bind_unary(ops::cos, x); }
}  // namespace baton
