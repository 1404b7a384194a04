// max: the larger of x and y; NaN if either is. Equals share the derivative. Complex: by real, then imaginary
// part.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) { return elementwise_type<Domain::any, 2>("max", in); }
}  // namespace
extern const Primitive max = {.name = "max",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_binary<Larger, Domain::any>,
                              .element = binary_element<Do::max>,
                              .jvp = chooser_of_two_jvp,
                              .examples = binary_examples()};
}  // namespace ops
Array lax::max(Operand x, Operand y) { return ops::bind_binary(ops::max, x, y); }
}  // namespace baton
