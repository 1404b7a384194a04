// bessel_i1e: e^-|x| I1(x), the scaled modified Bessel function of order 1. Odd.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/special.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(special::bessel_ie(1, x));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 1>("bessel_i1e", in);
}
Arrays jvp(const Arrays& x, const Arrays& y, const Arrays& dx, const Params&) {
  const double eps = x[0].dtype() == f64 ? 0x1p-52 : x[0].dtype() == f32 ? 0x1p-23 : 0x1p-10;
  const Array small = lax::le(lax::abs(x[0]), eps);  // there y/x is 1/2
  const Array safe = lax::select(small, eps, x[0]);
  const Array slope =
      lax::sub(lax::bessel_i0e(safe), lax::mul(y[0], lax::add(lax::sign(safe), lax::div(1.0, safe))));
  return {lax::mul(dx[0], lax::select(small, 0.5, slope))};
}
}  // namespace
extern const Primitive bessel_i1e = {.name = "bessel_i1e",
                                     .elementwise = true,
                                     .type = type,
                                     .evaluate = evaluate_unary<F, Domain::real_floating>,
                                     .element = unary_element<Do::bessel_i1e>,
                                     .jvp = jvp,
                                     .examples = unary_examples(0.2, 4)};
}  // namespace ops
Array lax::bessel_i1e(Operand x) { return ops::bind_unary(ops::bessel_i1e, x); }
}  // namespace baton
