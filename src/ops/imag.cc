// imag: the imaginary part of a complex array. Cotangents are not conjugated: Re(-i c z) = c Im z for real c.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  auto operator()(T z) const {
    return z.imag();
  }
};
Types type(std::span<const Type> in, const Params&) { return real_type<Domain::complex, 1>("imag", in); }
Arrays transpose(const Arrays& ct, std::span<const LinearOperand>, const Params&, Transformer&) {
  return {lax::complex(0.0, lax::neg(ct[0]))};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) { return w.operand(0, at).imag(); }
}  // namespace
extern const Primitive imag = {.name = "imag",
                               .elementwise = true,
                               .linear = true,
                               .type = type,
                               .evaluate = evaluate_unary<F, Domain::complex>,
                               .element = element,
                               .transpose = transpose,
                               .examples = complex_examples()};
}  // namespace ops
Array lax::imag(Operand x) { return ops::bind_unary(ops::imag, x); }
}  // namespace baton
