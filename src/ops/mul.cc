// mul: x y. Integers wrap.
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
    return wrap_mul(x, y);
  }
};
Types type(std::span<const Type> in, const Params&) { return elementwise_type<Domain::number, 2>("mul", in); }
Arrays transpose(const Arrays& ct, std::span<const LinearOperand> x, const Params&, Transformer&) {
  if (x[0].linear()) return {lax::mul(ct[0], x[1].value), Array()};
  return {Array(), lax::mul(x[0].value, ct[0])};
}
int same_as(std::span<const Type>, Filled filled, const Params&) {
  return is_number(filled[1], 1) ? 0 : is_number(filled[0], 1) ? 1 : -1;
}
}  // namespace
extern const Primitive mul = {.name = "mul",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_binary<F, Domain::number>,
                              .element = binary_element<Do::mul>,
                              .jvp = bilinear_jvp<mul>,
                              .transpose = transpose,
                              .same_as = same_as,
                              .examples = binary_examples()};
}  // namespace ops
Array lax::mul(Operand x, Operand y) { return ops::bind_binary(ops::mul, x, y); }
}  // namespace baton
