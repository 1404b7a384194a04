// erf: the error function, 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

#include <numbers>

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::erf(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 1>("erf", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::mul(lax::mul(dx[0], lax::exp(lax::neg(lax::square(x[0])))), 2 * std::numbers::inv_sqrtpi)};
}
}  // namespace
extern const Primitive erf = {.name = "erf",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_unary<F, Domain::real_floating>,
                              .element = unary_element<Do::erf>,
                              .jvp = jvp,
                              .examples = unary_examples()};
}  // namespace ops
Array lax::erf(Operand x) { return ops::bind_unary(ops::erf, x); }
}  // namespace baton
