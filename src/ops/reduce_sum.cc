// reduce_sum: the sum over some axes, taken away. Summed one precision up, in row-major order; integers wrap.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"

namespace baton {
namespace ops {
namespace {
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  return {unreduce(ct[0], x[0].type.shape, params.as<Reduction>().axes)};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const Dtype d = w.result_type(0).dtype;
  return reduction_element(w, at, params.as<Reduction>().axes, Do::add,
                           is_inexact(d) ? w.number(d, 0) : w.integer(d, 0));
}
}  // namespace
extern const Primitive reduce_sum = {.name = "reduce_sum",
                                     .linear = true,
                                     .params = Reduction{},
                                     .type = reduction_type<reduce_sum, Domain::number>,
                                     .evaluate = evaluate_reduction<Sum, Domain::number>,
                                     .element = element,
                                     .transpose = transpose_rule,
                                     .batch = reduction_batch<reduce_sum>,
                                     .examples = reduction_examples(2)};
}  // namespace ops
Array lax::reduce_sum(Operand x, const std::vector<std::int64_t>& axes) {
  const Array a = x.array();
  if (axes.empty() && !a.empty() && a.dtype() != boolean) return a;
  return bind_one(ops::reduce_sum, {a}, ops::Reduction{axes}, x.where());
}
}  // namespace baton
