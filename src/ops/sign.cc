// sign: -1, 0 or 1 as x is below, at or above 0; NaN for NaN; z/|z| for complex. Its derivative is zero.
#include "ops/element_rules.h"
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
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  const Dtype d = x.dtype();
  const auto number = [&](std::int64_t n) {
    return is_inexact(d) ? w.number(d, static_cast<double>(n)) : w.integer(d, n);
  };
  const Scalar below =
      !is_inexact(d) && !is_signed(d) ? x : select(compare(Do::lt, x, number(0)), number(-1), x);
  return select(compare(Do::gt, x, number(0)), number(1), below);  // keeps -0 and NaN
}
}  // namespace
extern const Primitive sign = {.name = "sign",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::number>,
                               .element = element,
                               .jvp = zero_jvp,
                               .examples = examples()};
}  // namespace ops
Array lax::sign(Operand x) { return ops::bind_unary(ops::sign, x); }
}  // namespace baton
