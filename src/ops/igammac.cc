// igammac: 1 - igamma(a, x), exact where that is small.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/special.h"

namespace baton {
namespace ops {
extern const Primitive igamma;
namespace {
struct F {
  template <class T>
  T operator()(T a, T x) const {
    return static_cast<T>(special::igammac(a, x));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 2>("igammac", in);
}
Arrays jvp(const Arrays& x, const Arrays& out, const Arrays& dx, const Params& params) {
  return {lax::neg(igamma.jvp(x, out, dx, params)[0])};  // the two add to 1
}
}  // namespace
extern const Primitive igammac = {.name = "igammac",
                                  .elementwise = true,
                                  .type = type,
                                  .evaluate = evaluate_binary<F, Domain::real_floating>,
                                  .element = binary_element<Do::igammac>,
                                  .jvp = jvp,
                                  .examples = binary_examples(0.5, 4, 1)};
}  // namespace ops
Array lax::igammac(Operand a, Operand x) { return ops::bind_binary(ops::igammac, a, x); }
}  // namespace baton
