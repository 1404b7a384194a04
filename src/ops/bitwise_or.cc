// bitwise_or: x | y, bit by bit; logical for bool.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x, T y) const {
    return static_cast<T>(x | y);
  }
};
Types type(std::span<const Type> in, const Params&) { return elementwise_type<Domain::bits, 2>("or", in); }
}  // namespace
extern const Primitive bitwise_or = {.name = "or",
                                     .elementwise = true,
                                     .type = type,
                                     .evaluate = evaluate_binary<F, Domain::bits>,
                                     .element = binary_element<Do::bit_or>,
                                     .examples = integer_examples(2)};
}  // namespace ops
Array lax::bitwise_or(Operand x, Operand y) { return ops::bind_binary(ops::bitwise_or, x, y); }
}  // namespace baton
