// mulhi: the upper half of the double-width product of integers.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x, T y) const {
    using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>((static_cast<Wide>(x) * static_cast<Wide>(y)) >> (sizeof(T) * 8));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::integer, 2>("mulhi", in);
}
}  // namespace
extern const Primitive mulhi = {.name = "mulhi",
                                .elementwise = true,
                                .type = type,
                                .evaluate = evaluate_binary<F, Domain::integer>,
                                .element = binary_element<Do::mulhi>,
                                .examples = integer_examples(2)};
}  // namespace ops
Array lax::mulhi(Operand x, Operand y) { return ops::bind_binary(ops::mulhi, x, y); }
}  // namespace baton
