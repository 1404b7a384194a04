// square: x x. Integers wrap. d/dx x^2 = 2 x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  static constexpr bool correctly_rounded = true;
  template <class T>
  T operator()(T x) const {
    return wrap_mul(x, x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::number, 1>("square", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  return {lax::mul(dx[0], lax::mul(x[0], 2.0))};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  return x * x;
}
}  // namespace
extern const Primitive square = {.name = "square",
                                 .elementwise = true,
                                 .type = type,
                                 .evaluate = evaluate_unary<F, Domain::number>,
                                 .element = element,
                                 .jvp = jvp,
                                 .examples = unary_examples()};
}  // namespace ops
Array lax::square(Operand x) { return ops::bind_unary(ops::square, x); }
}  // namespace baton
