// bitwise_not: ~x, bit by bit; logical for bool.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_same_v<T, bool>)
      return !x;
    else
      return static_cast<T>(~x);
  }
};
Types type(std::span<const Type> in, const Params&) { return elementwise_type<Domain::bits, 1>("not", in); }
}  // namespace
extern const Primitive bitwise_not = {.name = "not",
                                      .elementwise = true,
                                      .type = type,
                                      .evaluate = evaluate_unary<F, Domain::bits>,
                                      .element = unary_element<Do::bit_not>,
                                      .examples = integer_examples(1)};
}  // namespace ops
Array lax::bitwise_not(Operand x) { return ops::bind_unary(ops::bitwise_not, x); }
}  // namespace baton
