// logistic: 1/(1 + e^-x). d/dx y = y (1 - y).
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return T(1) / (T(1) + std::exp(-x));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("logistic", in);
}
Arrays jvp(const Arrays&, const Arrays& y, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::mul(y[0], lax::sub(1.0, y[0])))};
}
/// Of f64 by e = exp(-|x|), which is never infinite.
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at), one = w.number(x.dtype(), 1);
  if (x.dtype() == f32) return emit(Do::logistic, x);
  const Scalar e = emit(Do::exp, -emit(Do::abs, x));
  return select(compare(Do::lt, x, w.number(x.dtype(), 0)), e, one) / (one + e);
}
}  // namespace
extern const Primitive logistic = {.name = "logistic",
                                   .elementwise = true,
                                   .type = type,
                                   .evaluate = evaluate_unary<F, Domain::inexact>,
                                   .element = element,
                                   .jvp = jvp,
                                   .examples = unary_examples()};
}  // namespace ops
Array lax::logistic(Operand x) { return ops::bind_unary(ops::logistic, x); }
}  // namespace baton
