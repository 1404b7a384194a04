// lgamma: log |Gamma(x)|; inf at 0 and the negative integers. d/dx = digamma x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/special.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(special::lgamma(x));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 1>("lgamma", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::digamma(x[0]))};
}
}  // namespace
extern const Primitive lgamma = {.name = "lgamma",
                                 .elementwise = true,
                                 .type = type,
                                 .evaluate = evaluate_unary<F, Domain::real_floating>,
                                 .element = unary_element<Do::lgamma>,
                                 .jvp = jvp,
                                 .examples = unary_examples(0.4, 4)};
}  // namespace ops
Array lax::lgamma(Operand x) { return ops::bind_unary(ops::lgamma, x); }
}  // namespace baton
