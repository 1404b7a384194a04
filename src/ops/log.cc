// log: the natural logarithm. d/dx log x = 1/x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::log(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 1>("log", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::div(dx[0], x[0])};
}
}  // namespace
extern const Primitive log = {.name = "log",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_unary<F, Domain::inexact>,
                              .element = unary_element<Do::log>,
                              .jvp = jvp,
                              .examples = unary_examples(0.2, 3)};
}  // namespace ops
Array lax::log(Operand x) { return ops::bind_unary(ops::log, x); }
}  // namespace baton
