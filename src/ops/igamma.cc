// igamma: the regularised lower incomplete gamma function: the integral of t^(a-1) e^-t from 0 to x, by
// Gamma(a).
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/special.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T a, T x) const {
    return static_cast<T>(special::igamma(a, x));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 2>("igamma", in);
}
/// d/dx of the lower function: x^(a-1) e^-x / Gamma(a).
Array density(const Array& a, const Array& x) {
  return lax::exp(lax::sub(lax::mul(lax::sub(a, 1.0), lax::log(x)), lax::add(x, lax::lgamma(a))));
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  Array sum;
  if (!dx[0].empty()) sum = lax::mul(dx[0], lax::igamma_grad_a(x[0], x[1]));
  if (!dx[1].empty()) sum = add_any(sum, lax::mul(dx[1], density(x[0], x[1])));
  return {sum};
}
}  // namespace
extern const Primitive igamma = {.name = "igamma",
                                 .elementwise = true,
                                 .type = type,
                                 .evaluate = evaluate_binary<F, Domain::real_floating>,
                                 .element = binary_element<Do::igamma>,
                                 .jvp = jvp,
                                 .examples = binary_examples(0.5, 4, 1)};
}  // namespace ops
Array lax::igamma(Operand a, Operand x) { return ops::bind_binary(ops::igamma, a, x); }
}  // namespace baton
