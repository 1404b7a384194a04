// rsqrt: 1/sqrt x. d/dx = -1/(2 x sqrt x).
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    if constexpr (is_complex_v<T>)
      return x == T(0) ? T(INFINITY) : T(1) / std::sqrt(x);
    else
      return 1 / std::sqrt(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("rsqrt", in);
}
Arrays jvp(const Arrays& x, const Arrays& y, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::mul(lax::div(y[0], x[0]), -0.5))};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  const Scalar result = w.number(x.dtype(), 1) / emit(Do::sqrt, x);
  if (!x.is_complex()) return result;
  return select(compare(Do::eq, x, w.number(x.dtype(), 0)),
                w.number(x.dtype(), std::numeric_limits<double>::infinity()), result);
}
}  // namespace
extern const Primitive rsqrt = {.name = "rsqrt",
                                .elementwise = true,
                                .type = type,
                                .evaluate = evaluate_unary<F, Domain::inexact>,
                                .element = element,
                                .jvp = jvp,
                                .examples = unary_examples(0.3, 3)};
}  // namespace ops
Array lax::rsqrt(Operand x) { return ops::bind_unary(ops::rsqrt, x); }
}  // namespace baton
