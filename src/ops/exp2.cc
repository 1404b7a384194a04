// exp2: 2 to the power x. d/dx 2^x = 2^x log 2.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

#include <numbers>

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    if constexpr (is_complex_v<T>)
      return std::exp(x * std::numbers::ln2_v<typename T::value_type>);
    else
      return std::exp2(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("exp2", in);
}
Arrays jvp(const Arrays&, const Arrays& y, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::mul(y[0], std::numbers::ln2))};
}
}  // namespace
extern const Primitive exp2 = {.name = "exp2",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::inexact>,
                               .element = unary_element<Do::exp2>,
                               .jvp = jvp,
                               .examples = unary_examples()};
}  // namespace ops
Array lax::exp2(Operand x) { return ops::bind_unary(ops::exp2, x); }
}  // namespace baton
