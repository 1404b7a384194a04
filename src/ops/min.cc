// min: the smaller of x and y; NaN if either is. Equals share the derivative. Complex: by real, then
// imaginary part.
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) { return elementwise_type<Domain::any, 2>("min", in); }
Arrays jvp(const Arrays& x, const Arrays& y, const Arrays& dx, const Params&) {
  Array sum;
  if (!dx[0].empty()) sum = lax::mul(dx[0], share_ties(x[0], y[0], x[1]));
  if (!dx[1].empty()) sum = add_any(sum, lax::mul(dx[1], share_ties(x[1], y[0], x[0])));
  return {sum};
}
}  // namespace
extern const Primitive min = {.name = "min",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate_binary<Smaller, Domain::any>,
                              .jvp = jvp,
                              .examples = binary_examples()};
}  // namespace ops
Array lax::min(Operand x, Operand y) { return ops::bind_binary(ops::min, x, y); }
}  // namespace baton
