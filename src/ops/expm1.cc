// expm1: e^x - 1, exact near 0. d/dx = e^x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    if constexpr (is_complex_v<T>) {
      // e^a cos b - 1 = expm1(a) cos b - 2 sin^2(b/2)
      const auto a = x.real(), b = x.imag(), s = std::sin(b / 2);
      return T(b == 0 ? std::expm1(a) : std::expm1(a) * std::cos(b) - 2 * s * s,
               b == 0 ? b : std::exp(a) * std::sin(b));
    } else {
      return std::expm1(x);
    }
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("expm1", in);
}
Arrays jvp(const Arrays&, const Arrays& y, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::add(y[0], 1.0))};
}
}  // namespace
extern const Primitive expm1 = {.name = "expm1",
                                .elementwise = true,
                                .type = type,
                                .evaluate = evaluate_unary<F, Domain::inexact>,
                                .element = unary_element<Do::expm1>,
                                .jvp = jvp,
                                .examples = unary_examples()};
}  // namespace ops
Array lax::expm1(Operand x) { return ops::bind_unary(ops::expm1, x); }
}  // namespace baton
