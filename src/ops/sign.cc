// sign: -1, 0 or 1 as x is below, at or above 0; NaN for NaN; z/|z| for complex. Its derivative is zero.
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    if constexpr (is_complex_v<T>) {
      if (std::isnan(x.real()) || std::isnan(x.imag())) return T(NAN, NAN);
      const auto size = std::hypot(x.real(), x.imag());
      return size == 0 ? x : x / size;
    } else if constexpr (std::is_unsigned_v<T>) {
      return static_cast<T>(x != 0);
    } else {
      return x > 0 ? T(1) : x < 0 ? T(-1) : x;  // keeps -0 and NaN
    }
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::number, 1>("sign", in);
}
std::vector<Example> examples() {
  std::vector<Example> rows = unary_examples();
  for (Example& row : rows) row.complex_order = 0;  // z/|z| turns with z; that, too, counts as no derivative
  return rows;
}
}  // namespace
extern const Primitive sign = {.name = "sign",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::number>,
                               .jvp = zero_jvp,
                               .examples = examples()};
}  // namespace ops
Array lax::sign(Operand x) { return ops::bind_unary(ops::sign, x); }
}  // namespace baton
