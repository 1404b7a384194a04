// clz: how many bits above the highest 1 are 0; the width for 0.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

#include <bit>

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(std::countl_zero(static_cast<std::make_unsigned_t<T>>(x)));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::integer, 1>("clz", in);
}
}  // namespace
extern const Primitive clz = {.name = "clz",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_unary<F, Domain::integer>,
                              .element = unary_element<Do::leading_zeros>,
                              .examples = integer_examples(1)};
}  // namespace ops
Array lax::clz(Operand x) { return ops::bind_unary(ops::clz, x); }
}  // namespace baton
