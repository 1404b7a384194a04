// shift_right_arithmetic: x shifted right by y bits, filled with its sign bit, also for unsigned dtypes.
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
}  // namespace
extern const Primitive shift_right_arithmetic = {.name = "shift_right_arithmetic",
                                                 .elementwise = true,
                                                 .type = type,
                                                 .evaluate = evaluate_binary<F, Domain::integer>,
                                                 .examples = integer_examples(2)};
}  // namespace ops
Array lax::shift_right_arithmetic(Operand x, Operand y) {
  return ops::bind_binary(ops::shift_right_arithmetic, x, y);
}
}  // namespace baton
