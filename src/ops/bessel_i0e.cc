// bessel_i0e: e^-|x| I0(x), the scaled modified Bessel function of order 0. Even.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/special.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(special::bessel_ie(0, x));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 1>("bessel_i0e", in);
}
Arrays jvp(const Arrays& x, const Arrays& y, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::sub(lax::bessel_i1e(x[0]), lax::mul(lax::sign(x[0]), y[0])))};
}
}  // namespace
extern const Primitive bessel_i0e = {.name = "bessel_i0e",
                                     .elementwise = true,
                                     .type = type,
                                     .evaluate = evaluate_unary<F, Domain::real_floating>,
                                     .element = unary_element<Do::bessel_i0e>,
                                     .jvp = jvp,
                                     .examples = unary_examples(0.2, 4)};
}  // namespace ops
Array lax::bessel_i0e(Operand x) { return ops::bind_unary(ops::bessel_i0e, x); }
}  // namespace baton
