// add: x + y. Integers wrap.
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
    return wrap_add(x, y);
  }
};
Types type(std::span<const Type> in, const Params&) { return elementwise_type<Domain::number, 2>("add", in); }
Arrays jvp(const Arrays&, const Arrays&, const Arrays& dx, const Params&) { return {add_any(dx[0], dx[1])}; }
Arrays transpose(const Arrays& ct, std::span<const LinearOperand> x, const Params&, Transformer&) {
  return {x[0].linear() ? ct[0] : Array(), x[1].linear() ? ct[0] : Array()};
}
int same_as(std::span<const Type> in, Filled filled, const Params&) {
  const double zero = is_inexact(in[0].dtype) ? -0.0 : 0.0;
  return is_number(filled[1], zero) ? 0 : is_number(filled[0], zero) ? 1 : -1;
}
}  // namespace
extern const Primitive add = {.name = "add",
                              .elementwise = true,
                              .linear = true,
                              .type = type,
                              .evaluate = evaluate_binary<F, Domain::number>,
                              .element = binary_element<Do::add>,
                              .jvp = jvp,
                              .transpose = transpose,
                              .same_as = same_as,
                              .examples = binary_examples()};
}  // namespace ops
Array lax::add(Operand x, Operand y) { return ops::bind_binary(ops::add, x, y); }
}  // namespace baton
