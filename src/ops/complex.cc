// complex: x + i y from two real arrays; f32 parts give c64, f64 parts c128.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  const Types parts = elementwise_type<Domain::real_floating, 2>("complex", in);
  if (parts[0].dtype != f32 && parts[0].dtype != f64)
    type_error("complex", "the parts must be f32 or f64, found " + show(in[0]) +
                              ".\n  Convert them first: astype(x, f32).");
  return {{complex_of(parts[0].dtype), parts[0].shape}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (std::is_floating_point_v<T>) {
      const auto x = in[0].as<T>(), y = in[1].as<T>();
      for (std::size_t i = 0; i < x.size(); ++i) out[0].as<std::complex<T>>()[i] = {x[i], y[i]};
    }
  });
}
Arrays transpose(const Arrays& ct, std::span<const LinearOperand> x, const Params&, Transformer&) {
  return {x[0].linear() ? lax::real(ct[0]) : Array(), x[1].linear() ? lax::neg(lax::imag(ct[0])) : Array()};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  return baton::complex(x, w.operand(1, at));
}
}  // namespace
extern const Primitive complex = {.name = "complex",
                                  .elementwise = true,
                                  .linear = true,
                                  .type = type,
                                  .evaluate = evaluate,
                                  .element = element,
                                  .transpose = transpose,
                                  .examples = binary_examples()};
}  // namespace ops
Array lax::complex(Operand x, Operand y) { return ops::bind_binary(ops::complex, x, y); }
}  // namespace baton
