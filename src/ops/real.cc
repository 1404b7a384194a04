// real: the real part of a complex array. Cotangents are not conjugated: Re(c z) = c Re z for real c.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  auto operator()(T z) const {
    return z.real();
  }
};
Types type(std::span<const Type> in, const Params&) { return real_type<Domain::complex, 1>("real", in); }
Arrays transpose(const Arrays& ct, std::span<const LinearOperand>, const Params&, Transformer&) {
  return {lax::complex(ct[0], 0.0)};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) { return w.operand(0, at).real(); }
}  // namespace
extern const Primitive real = {.name = "real",
                               .elementwise = true,
                               .linear = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::complex>,
                               .element = element,
                               .transpose = transpose,
                               .examples = complex_examples()};
}  // namespace ops
Array lax::real(Operand x) { return ops::bind_unary(ops::real, x); }
}  // namespace baton
