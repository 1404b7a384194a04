// erf_inv: the x with erf x = y, for -1 <= y <= 1. d/dy = sqrt(pi)/2 e^(x^2).
#include "ops/element_rules.h"
#include "ops/elementwise.h"

#include <numbers>

#include "ops/special.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(special::erf_inv(x));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 1>("erf_inv", in);
}
Arrays jvp(const Arrays&, const Arrays& y, const Arrays& dx, const Params&) {
  return {lax::mul(lax::mul(dx[0], lax::exp(lax::square(y[0]))), 0.5 / std::numbers::inv_sqrtpi)};
}
}  // namespace
extern const Primitive erf_inv = {.name = "erf_inv",
                                  .elementwise = true,
                                  .type = type,
                                  .evaluate = evaluate_unary<F, Domain::real_floating>,
                                  .element = unary_element<Do::erf_inv>,
                                  .jvp = jvp,
                                  .examples = unary_examples(-0.8, 0.8)};
}  // namespace ops
Array lax::erf_inv(Operand x) { return ops::bind_unary(ops::erf_inv, x); }
}  // namespace baton
