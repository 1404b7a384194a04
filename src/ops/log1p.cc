// log1p: log(1 + x), exact near 0. d/dx = 1/(1 + x).
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    if constexpr (is_complex_v<T>) {
      // |1 + z|^2 - 1 = 2a + a^2 + b^2, without the 1 where that is small
      const auto a = x.real(), b = x.imag();
      const auto angle = std::atan2(b, 1 + a);
      if (std::fabs(a) < 1 && std::fabs(b) < 1) return T(std::log1p(a * (2 + a) + b * b) / 2, angle);
      return T(std::log(std::hypot(1 + a, b)), angle);
    } else {
      return std::log1p(x);
    }
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("log1p", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::div(dx[0], lax::add(x[0], 1.0))};
}
}  // namespace
extern const Primitive log1p = {.name = "log1p",
                                .elementwise = true,
                                .type = type,
                                .evaluate = evaluate_unary<F, Domain::inexact>,
                                .element = unary_element<Do::log1p>,
                                .jvp = jvp,
                                .examples = unary_examples(-0.7, 2)};
}  // namespace ops
Array lax::log1p(Operand x) { return ops::bind_unary(ops::log1p, x); }
}  // namespace baton
