// igamma_grad_a: the derivative of igamma(a, x) in a.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/special.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T a, T x) const {
    return static_cast<T>(special::igamma_grad_a(a, x));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 2>("igamma_grad_a", in);
}
}  // namespace
extern const Primitive igamma_grad_a = {.name = "igamma_grad_a",
                                        .elementwise = true,
                                        .type = type,
                                        .evaluate = evaluate_binary<F, Domain::real_floating>,
                                        .element = binary_element<Do::igamma_grad_a>,
                                        .examples = binary_examples(0.5, 4, 0)};
}  // namespace ops
Array lax::igamma_grad_a(Operand a, Operand x) { return ops::bind_binary(ops::igamma_grad_a, a, x); }
}  // namespace baton
