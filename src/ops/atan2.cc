// atan2: the angle of the point (y, x) in (-pi, pi]: operands are y first, then x.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T y, T x) const {
    if constexpr (is_complex_v<T>) {
      const T i(0, 1);
      return -i * std::log((x + i * y) / std::sqrt(x * x + y * y));
    } else {
      return std::atan2(y, x);
    }
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::inexact, 2>("atan2", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  Array sum;
  if (!dx[0].empty()) sum = lax::mul(dx[0], lax::div(x[1], lax::add(lax::square(x[0]), lax::square(x[1]))));
  if (!dx[1].empty())
    sum = add_any(sum,
                  lax::mul(dx[1], lax::div(lax::neg(x[0]), lax::add(lax::square(x[0]), lax::square(x[1])))));
  return {sum};
}
}  // namespace
extern const Primitive atan2 = {.name = "atan2",
                                .elementwise = true,
                                .type = type,
                                .evaluate = evaluate_binary<F, Domain::inexact>,
                                .element = binary_element<Do::atan2>,
                                .jvp = jvp,
                                .examples = binary_examples(0.3, 2)};
}  // namespace ops
Array lax::atan2(Operand x, Operand y) { return ops::bind_binary(ops::atan2, x, y); }
}  // namespace baton
