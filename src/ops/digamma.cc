// digamma: the derivative of log Gamma; NaN at 0 and the negative integers.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/special.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(special::digamma(x));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 1>("digamma", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::polygamma(1.0, x[0]))};
}
}  // namespace
extern const Primitive digamma = {.name = "digamma",
                                  .elementwise = true,
                                  .type = type,
                                  .evaluate = evaluate_unary<F, Domain::real_floating>,
                                  .element = unary_element<Do::digamma>,
                                  .jvp = jvp,
                                  .examples = unary_examples(0.6, 4)};
}  // namespace ops
Array lax::digamma(Operand x) { return ops::bind_unary(ops::digamma, x); }
}  // namespace baton
