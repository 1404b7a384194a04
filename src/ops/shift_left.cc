// shift_left: x shifted left by y bits; 0 if y is at least the width. The count counts as unsigned.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x, T y) const {
    using U = std::make_unsigned_t<T>;
    const auto count = static_cast<U>(y);
    return count >= sizeof(T) * 8 ? T(0)
                                  : static_cast<T>(static_cast<std::uint64_t>(static_cast<U>(x)) << count);
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::integer, 2>("shift_left", in);
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  return shifted_element(w, Do::shift_left, x, w.operand(1, at), w.integer(x.dtype(), 0));
}
}  // namespace
extern const Primitive shift_left = {.name = "shift_left",
                                     .elementwise = true,
                                     .type = type,
                                     .evaluate = evaluate_binary<F, Domain::integer>,
                                     .element = element,
                                     .examples = integer_examples(2)};
}  // namespace ops
Array lax::shift_left(Operand x, Operand y) { return ops::bind_binary(ops::shift_left, x, y); }
}  // namespace baton
