// stop_gradient: the operand itself; its derivative is zero by definition.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  require_count("stop_gradient", in, 1);
  return {in[0]};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  copy_all(out[0], in[0].data);
}
/// Finite differences know nothing of the definition.
std::vector<Example> examples() { return unary_examples(-2, 2, 0); }
}  // namespace
extern const Primitive stop_gradient = {.name = "stop_gradient",
                                        .cost = Cost::free,
                                        .elementwise = true,
                                        .type = type,
                                        .evaluate = evaluate,
                                        .element = same_element,
                                        .jvp = zero_jvp,
                                        .views = true,
                                        .same_as = same_as_operand,
                                        .examples = examples()};
}  // namespace ops
Array lax::stop_gradient(Operand x) { return ops::bind_unary(ops::stop_gradient, x); }
}  // namespace baton
