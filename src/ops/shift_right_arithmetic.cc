// shift_right_arithmetic: x shifted right by y bits, filled with its sign bit, also for unsigned dtypes.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x, T y) const {
    using S = std::make_signed_t<T>;
    const auto count = static_cast<std::make_unsigned_t<T>>(y);
    const int shift = count >= sizeof(T) * 8 ? static_cast<int>(sizeof(T) * 8) - 1 : static_cast<int>(count);
    return static_cast<T>(static_cast<S>(x) >> shift);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::integer, 2>("shift_right_arithmetic", in);
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  const Scalar sign = w.integer(x.dtype(), static_cast<std::int64_t>(8 * size_of(x.dtype())) - 1);
  return shifted_element(w, Do::shift_right_arithmetic, x, w.operand(1, at),
                         emit(Do::shift_right_arithmetic, x, sign));
}
}  // namespace
extern const Primitive shift_right_arithmetic = {.name = "shift_right_arithmetic",
                                                 .elementwise = true,
                                                 .type = type,
                                                 .evaluate = evaluate_binary<F, Domain::integer>,
                                                 .element = element,
                                                 .examples = integer_examples(2)};
}  // namespace ops
Array lax::shift_right_arithmetic(Operand x, Operand y) {
  return ops::bind_binary(ops::shift_right_arithmetic, x, y);
}
}  // namespace baton
