// population_count: how many bits are 1.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

#include <bit>

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(std::popcount(static_cast<std::make_unsigned_t<T>>(x)));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::integer, 1>("population_count", in);
}
}  // namespace
extern const Primitive population_count = {.name = "population_count",
                                           .elementwise = true,
                                           .type = type,
                                           .evaluate = evaluate_unary<F, Domain::integer>,
                                           .element = unary_element<Do::ones>,
                                           .examples = integer_examples(1)};
}  // namespace ops
Array lax::population_count(Operand x) { return ops::bind_unary(ops::population_count, x); }
}  // namespace baton
