// rem: the remainder of x / y truncated; it has the sign of x. Integers: x rem 0 is x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
/// trunc(x/y), of which x - y trunc(x/y) is the remainder.
Array quotient(const Array& x, const Array& y) {
  const Array q = lax::div(x, y);
  return lax::mul(lax::sign(q), lax::floor(lax::abs(q)));
}
struct F {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>) {
      if (y == 0) return x;
      if constexpr (std::is_signed_v<T>)
        if (y == -1) return 0;
      return static_cast<T>(x % y);
    } else {
      return std::fmod(x, y);
    }
  }
};
Types type(std::span<const Type> in, const Params&) { return elementwise_type<Domain::real, 2>("rem", in); }
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  Array sum;
  if (!dx[0].empty()) sum = dx[0];
  if (!dx[1].empty()) sum = add_any(sum, lax::neg(lax::mul(dx[1], quotient(x[0], x[1]))));
  return {sum};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at), y = w.operand(1, at);
  return is_inexact(x.dtype()) ? emit(Do::rem, x, y) : integer_remainder(x, y);
}
}  // namespace
extern const Primitive rem = {.name = "rem",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_binary<F, Domain::real>,
                              .element = element,
                              .jvp = jvp,
                              .examples = binary_examples(0.5, 3)};
}  // namespace ops
Array lax::rem(Operand x, Operand y) { return ops::bind_binary(ops::rem, x, y); }
}  // namespace baton
