// reduce_sum: the sum over some axes, taken away. Summed one precision up, in row-major order; integers wrap.
#include "ops/elementwise.h"
#include "ops/reduction.h"

namespace baton {
namespace ops {
extern const Primitive reduce_sum;
namespace {
struct F {
  template <class T>
  static T start() {
    return T{};
  }
  template <class T>
  T operator()(T x, T y) const {
    return wrap_add(x, y);
  }
};
Types type(std::span<const Type> in, const Params& params) {
  return reduction_type("reduce_sum", in, params, Domain::number);
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  return {unreduce(ct[0], x[0].type.shape, params.as<Reduction>().axes)};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return reduction_batch(reduce_sum, in, params);
}
}  // namespace
const Primitive reduce_sum = {.name = "reduce_sum",
                              .linear = true,
                              .params = Reduction{},
                              .type = type,
                              .evaluate = evaluate_reduction<F, Domain::number>,
                              .transpose = transpose_rule,
                              .batch = batch,
                              .examples = reduction_examples(2)};
}  // namespace ops
Array lax::reduce_sum(Operand x, const std::vector<std::int64_t>& axes) {
  const Array a = x.array();
  if (axes.empty() && !a.empty() && a.dtype() != boolean) return a;
  return bind_one(ops::reduce_sum, {a}, ops::Reduction{axes}, x.where());
}
}  // namespace baton
