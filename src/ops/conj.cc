// conj: the complex conjugate. Linear over the reals: Re(c conj z) = Re(conj(c) z).
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return std::conj(x);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::complex, 1>("conj", in);
}
Arrays transpose(const Arrays& ct, std::span<const LinearOperand>, const Params&, Transformer&) {
  return {lax::conj(ct[0])};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  return baton::complex(x.real(), -x.imag());
}
}  // namespace
extern const Primitive conj = {.name = "conj",
                               .elementwise = true,
                               .linear = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::complex>,
                               .element = element,
                               .transpose = transpose,
                               .examples = complex_examples()};
}  // namespace ops
Array lax::conj(Operand x) { return ops::bind_unary(ops::conj, x); }
}  // namespace baton
