// imag: the imaginary part of a complex array. Cotangents are not conjugated: Re(-i c z) = c Im z for real c.
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  const Types out = elementwise_type<Domain::complex, 1>("imag", in);
  return {{real_of(out[0].dtype), out[0].shape}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (is_complex_v<T>) {
      const auto x = in[0].as<T>();
      for (std::size_t i = 0; i < x.size(); ++i) out[0].as<typename T::value_type>()[i] = x[i].imag();
    }
  });
}
Arrays transpose(const Arrays& ct, std::span<const LinearOperand>, const Params&, Transformer&) {
  return {lax::complex(0.0, lax::neg(ct[0]))};
}
std::vector<Example> examples() {
  std::vector<Example> rows = unary_examples();
  for (Example& row : rows) row.inputs[0].dtype = c64;
  return rows;
}
}  // namespace
extern const Primitive imag = {.name = "imag",
                               .elementwise = true,
                               .linear = true,
                               .type = type,
                               .evaluate = evaluate,
                               .transpose = transpose,
                               .examples = examples()};
}  // namespace ops
Array lax::imag(Operand x) { return ops::bind_unary(ops::imag, x); }
}  // namespace baton
