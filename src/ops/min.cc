// min: the smaller of x and y; NaN if either is. Equals share the derivative. Complex: by real, then
// imaginary part.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) { return elementwise_type<Domain::any, 2>("min", in); }
}  // namespace
extern const Primitive min = {.name = "min",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_binary<Smaller, Domain::any>,
                              .element = binary_element<Do::min>,
                              .jvp = chooser_of_two_jvp,
                              .examples = binary_examples()};
}  // namespace ops
Array lax::min(Operand x, Operand y) { return ops::bind_binary(ops::min, x, y); }
}  // namespace baton
