// erfc: 1 - erf x, exact where that is small.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

#include <numbers>

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::erfc(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 1>("erfc", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::mul(lax::mul(dx[0], lax::exp(lax::neg(lax::square(x[0])))), -2 * std::numbers::inv_sqrtpi)};
}
}  // namespace
extern const Primitive erfc = {.name = "erfc",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::real_floating>,
                               .element = unary_element<Do::erfc>,
                               .jvp = jvp,
                               .examples = unary_examples()};
}  // namespace ops
Array lax::erfc(Operand x) { return ops::bind_unary(ops::erfc, x); }
}  // namespace baton
