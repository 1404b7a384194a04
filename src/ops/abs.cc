// abs: the magnitude; real for complex. The derivative at 0 is 1, as that of x where x >= 0.
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  const Types out = elementwise_type<Domain::number, 1>("abs", in);
  return {{real_of(out[0].dtype), out[0].shape}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    const auto x = in[0].as<T>();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if constexpr (is_complex_v<T>) {
        using R = typename T::value_type;
        const auto z = widen(x[i]);
        out[0].as<R>()[i] = static_cast<R>(std::hypot(z.real(), z.imag()));
      } else if constexpr (is_real_v<T>) {
        out[0].as<T>()[i] = narrow<T>(std::fabs(widen(x[i])));
      } else {
        out[0].as<T>()[i] = x[i] < T(0) ? wrap_sub(T(0), x[i]) : x[i];
      }
    }
  });
}
Arrays jvp(const Arrays& x, const Arrays& y, const Arrays& dx, const Params&) {
  if (!is_complex(x[0].dtype())) return {lax::select(lax::ge(x[0], 0), dx[0], lax::neg(dx[0]))};
  const Array size = lax::select(lax::eq(y[0], 0.0), lax::full_like(y[0], 1), y[0]);
  const Array direction = lax::div(lax::conj(x[0]), lax::convert_element_type(size, x[0].dtype()));
  return {lax::real(lax::mul(dx[0], direction))};
}
}  // namespace
extern const Primitive abs = {.name = "abs",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate,
                              .jvp = jvp,
                              .examples = unary_examples()};
}  // namespace ops
Array lax::abs(Operand x) { return ops::bind_unary(ops::abs, x); }
}  // namespace baton
