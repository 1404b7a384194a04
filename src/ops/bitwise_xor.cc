// bitwise_xor: x ^ y, bit by bit; logical for bool.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x, T y) const {
    return static_cast<T>(x ^ y);
  }
};
Types type(std::span<const Type> in, const Params&) { return elementwise_type<Domain::bits, 2>("xor", in); }
}  // namespace
extern const Primitive bitwise_xor = {.name = "xor",
                                      .elementwise = true,
                                      .type = type,
                                      .evaluate = evaluate_binary<F, Domain::bits>,
                                      .element = binary_element<Do::bit_xor>,
                                      .examples = integer_examples(2)};
}  // namespace ops
Array lax::bitwise_xor(Operand x, Operand y) { return ops::bind_binary(ops::bitwise_xor, x, y); }
}  // namespace baton
