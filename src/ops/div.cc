// div: x / y. Integers truncate towards 0; x / 0 is -1 (all bits), the smallest / -1 is itself.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
struct F {
  static constexpr bool correctly_rounded = true;
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>) {
      if (y == 0) return static_cast<T>(-1);
      if constexpr (std::is_signed_v<T>)
        if (y == -1) return wrap_sub(T(0), x);
      return static_cast<T>(x / y);
    } else {
      return x / y;
    }
  }
};
Types type(std::span<const Type> in, const Params&) { return elementwise_type<Domain::number, 2>("div", in); }
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  Array sum;
  if (!dx[0].empty()) sum = lax::div(dx[0], x[1]);
  if (!dx[1].empty())
    sum = add_any(sum, lax::mul(lax::mul(lax::neg(dx[1]), x[0]), lax::integer_pow(x[1], -2)));
  return {sum};
}
Arrays transpose(const Arrays& ct, std::span<const LinearOperand> x, const Params&, Transformer&) {
  return {lax::div(ct[0], x[1].value), Array()};  // linear in the numerator alone
}
int same_as(std::span<const Type>, Filled filled, const Params&) { return is_number(filled[1], 1) ? 0 : -1; }
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at), y = w.operand(1, at);
  return is_inexact(x.dtype()) ? x / y : integer_quotient(x, y);
}
}  // namespace
extern const Primitive div = {.name = "div",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_binary<F, Domain::number>,
                              .element = element,
                              .jvp = jvp,
                              .transpose = transpose,
                              .same_as = same_as,
                              .examples = binary_examples(0.5, 3)};
}  // namespace ops
Array lax::div(Operand x, Operand y) { return ops::bind_binary(ops::div, x, y); }
}  // namespace baton
