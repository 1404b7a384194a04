// cumsum: running sums along an axis, from its end if reversed. Its adjoint runs the other way.
#include "ops/cumulative.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand>, const Params& params, Transformer&) {
  const auto& p = params.as<Cumulative>();
  return {lax::cumsum(ct[0], static_cast<int>(p.axis), !p.reverse)};
}
}  // namespace
extern const Primitive cumsum = {.name = "cumsum",
                                 .linear = true,
                                 .params = Cumulative{},
                                 .type = cumulative_type<cumsum, Domain::number>,
                                 .evaluate = evaluate_cumulative<Sum, Domain::number>,
                                 .transpose = transpose_rule,
                                 .batch = cumulative_batch<cumsum>,
                                 .examples = cumulative_examples()};
}  // namespace ops
Array lax::cumsum(Operand x, int axis, bool reverse) {
  return ops::bind_cumulative(ops::cumsum, x, axis, reverse);
}
}  // namespace baton
