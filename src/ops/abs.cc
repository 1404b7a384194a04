// abs: the magnitude; real for complex. The derivative at 0 is 1, as that of x where x >= 0.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  auto operator()(T x) const {
    if constexpr (is_complex_v<T>)
      return std::hypot(x.real(), x.imag());
    else if constexpr (std::is_floating_point_v<T>)
      return std::fabs(x);
    else
      return x < T(0) ? wrap_sub(T(0), x) : x;
  }
};
Types type(std::span<const Type> in, const Params&) { return real_type<Domain::number, 1>("abs", in); }
Arrays jvp(const Arrays& x, const Arrays& y, const Arrays& dx, const Params&) {
  if (!is_complex(x[0].dtype())) return {lax::select(lax::ge(x[0], 0), dx[0], lax::neg(dx[0]))};
  const Array size = lax::select(lax::eq(y[0], 0.0), lax::full_like(y[0], 1), y[0]);
  const Array direction = lax::div(lax::conj(x[0]), lax::convert_element_type(size, x[0].dtype()));
  return {lax::real(lax::mul(dx[0], direction))};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  return is_inexact(x.dtype()) || is_signed(x.dtype()) ? emit(Do::abs, x) : x;
}
}  // namespace
extern const Primitive abs = {.name = "abs",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_unary<F, Domain::number>,
                              .element = element,
                              .jvp = jvp,
                              .examples = unary_examples()};
}  // namespace ops
Array lax::abs(Operand x) { return ops::bind_unary(ops::abs, x); }
}  // namespace baton
