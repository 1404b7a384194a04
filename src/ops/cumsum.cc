// cumsum: running sums along an axis, from its end if reversed. Its adjoint runs the other way.
#include "ops/cumulative.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
extern const Primitive cumsum;
namespace {
struct F {
  template <class T>
  T operator()(T x, T y) const {
    return wrap_add(x, y);
  }
};
Types type(std::span<const Type> in, const Params& params) {
  return cumulative_type("cumsum", in, params, Domain::number);
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand>, const Params& params, Transformer&) {
  const auto& p = params.as<Cumulative>();
  return {lax::cumsum(ct[0], static_cast<int>(p.axis), !p.reverse)};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return cumulative_batch(cumsum, in, params);
}
}  // namespace
const Primitive cumsum = {.name = "cumsum",
                          .linear = true,
                          .params = Cumulative{},
                          .type = type,
                          .evaluate = evaluate_cumulative<F, Domain::number>,
                          .transpose = transpose_rule,
                          .batch = batch,
                          .examples = cumulative_examples()};
}  // namespace ops
Array lax::cumsum(Operand x, int axis, bool reverse) {
  return ops::bind_cumulative(ops::cumsum, x, axis, reverse);
}
}  // namespace baton
