// ceil: the smallest whole number that is not below x. Its derivative is zero.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::ceil(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 1>("ceil", in);
}
}  // namespace
extern const Primitive ceil = {.name = "ceil",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::real_floating>,
                               .element = whole_element<Do::ceil>,
                               .jvp = zero_jvp,
                               .examples = unary_examples()};
}  // namespace ops
Array lax::ceil(Operand x) { return ops::bind_unary(ops::ceil, x); }
}  // namespace baton
