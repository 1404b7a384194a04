// atan: the inverse tangent, in [-pi/2, pi/2]. d/dx = 1/(1 + x^2).
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::atan(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("atan", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::div(dx[0], lax::add(lax::square(x[0]), 1.0))};
}
}  // namespace
extern const Primitive atan = {.name = "atan",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::inexact>,
                               .element = unary_element<Do::atan>,
                               .jvp = jvp,
                               .examples = unary_examples()};
}  // namespace ops
Array lax::atan(Operand x) { return ops::bind_unary(ops::atan, x); }
}  // namespace baton
