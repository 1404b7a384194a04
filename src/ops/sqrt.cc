// sqrt: the square root; NaN below 0, complex operands have one with real part >= 0. d/dx = 1/(2 sqrt x).
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  static constexpr bool correctly_rounded = true;
  template <class T>
  T operator()(T x) const {
    return std::sqrt(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("sqrt", in);
}
Arrays jvp(const Arrays&, const Arrays& y, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::div(0.5, y[0]))};
}
}  // namespace
extern const Primitive sqrt = {.name = "sqrt",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::inexact>,
                               .element = unary_element<Do::sqrt>,
                               .jvp = jvp,
                               .examples = unary_examples(0.2, 3)};
}  // namespace ops
Array lax::sqrt(Operand x) { return ops::bind_unary(ops::sqrt, x); }
}  // namespace baton
