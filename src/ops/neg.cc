// neg: -x. Unsigned integers wrap.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_integral_v<T>)
      return wrap_sub<T>(0, x);
    else
      return -x;
  }
};
Types type(std::span<const Type> in, const Params&) { return elementwise_type<Domain::number, 1>("neg", in); }
Arrays transpose(const Arrays& ct, std::span<const LinearOperand>, const Params&, Transformer&) {
  return {lax::neg(ct[0])};
}
}  // namespace
extern const Primitive neg = {.name = "neg",
                              .elementwise = true,
                              .linear = true,
                              .type = type,
                              .evaluate = evaluate_unary<F, Domain::number>,
                              .element = unary_element<Do::neg>,
                              .transpose = transpose,
                              .examples = unary_examples()};
}  // namespace ops
Array lax::neg(Operand x) { return ops::bind_unary(ops::neg, x); }
}  // namespace baton
