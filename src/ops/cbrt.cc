// cbrt: the real cube root. d/dx = 1/(3 cbrt(x)^2).
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::cbrt(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 1>("cbrt", in);
}
Arrays jvp(const Arrays&, const Arrays& y, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::mul(lax::integer_pow(y[0], -2), 1.0 / 3))};
}
}  // namespace
extern const Primitive cbrt = {.name = "cbrt",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::real_floating>,
                               .element = unary_element<Do::cbrt>,
                               .jvp = jvp,
                               .examples = unary_examples(0.3, 3)};
}  // namespace ops
Array lax::cbrt(Operand x) { return ops::bind_unary(ops::cbrt, x); }
}  // namespace baton
