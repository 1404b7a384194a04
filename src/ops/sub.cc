// sub: x - y. Integers wrap.
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
    return wrap_sub(x, y);
  }
};
Types type(std::span<const Type> in, const Params&) { return elementwise_type<Domain::number, 2>("sub", in); }
Arrays jvp(const Arrays&, const Arrays&, const Arrays& dx, const Params&) {
  if (dx[1].empty()) return {dx[0]};
  if (dx[0].empty()) return {lax::neg(dx[1])};
  return {lax::sub(dx[0], dx[1])};
}
Arrays transpose(const Arrays& ct, std::span<const LinearOperand> x, const Params&, Transformer&) {
  return {x[0].linear() ? ct[0] : Array(), x[1].linear() ? lax::neg(ct[0]) : Array()};
}
int same_as(std::span<const Type>, Filled filled, const Params&) {
  return is_number(filled[1], 0.0) ? 0 : -1;
}
}  // namespace
extern const Primitive sub = {.name = "sub",
                              .elementwise = true,
                              .linear = true,
                              .type = type,
                              .evaluate = evaluate_binary<F, Domain::number>,
                              .element = binary_element<Do::sub>,
                              .jvp = jvp,
                              .transpose = transpose,
                              .same_as = same_as,
                              .examples = binary_examples()};
}  // namespace ops
Array lax::sub(Operand x, Operand y) { return ops::bind_binary(ops::sub, x, y); }
}  // namespace baton
