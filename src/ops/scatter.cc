// scatter: the operand with windows replaced by updates. At one place the last update in row-major order
// stays. Linear in operand and updates together: a cotangent goes to the update that stayed, else to the
// operand.
#include "ops/scatter.h"

namespace baton {
namespace ops {
extern const Primitive scatter;
namespace {
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  copy_all(out[0], in[0].data);
  const auto offsets = update_offsets(in[0].shape(), in[1], in[2].shape(), params.as<Scatter>());
  for (std::size_t i = 0; i < offsets.size(); ++i)
    if (offsets[i] >= 0) copy_element(out[0], offsets[i], in[2], static_cast<std::int64_t>(i));
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  const auto& p = params.as<Scatter>();
  const Array& indices = x[1].value;
  Arrays result(3);
  if (x[0].linear()) result[0] = bind_scatter(scatter, ct[0], indices, zeros_of(x[2].type), p);
  if (x[2].linear()) {
    result[2] = gather_updates(ct[0], indices, x[2].type.shape, p);
    if (!p.unique_indices && x[2].type.size() > 0) {
      // Scatter the numbers of the updates and read them back: an update stayed where it finds its own
      // number.
      const Type flat{s64, {x[2].type.size()}};
      const Array numbers =
          lax::reshape(lax::add(lax::iota(flat, 0), lax::full_like(zeros_of(flat), 1)), x[2].type.shape);
      const Array stayed = bind_scatter(scatter, zeros_of({s64, x[0].type.shape}), indices, numbers, p);
      const Array found = gather_updates(stayed, indices, x[2].type.shape, p);
      result[2] = lax::select(lax::eq(found, numbers), result[2], zeros_of(x[2].type));
    }
  }
  return result;
}
}  // namespace
extern const Primitive scatter = {.name = "scatter",
                                  .params = Scatter{},
                                  .type = scatter_type<scatter, Domain::any>,
                                  .evaluate = evaluate,
                                  .jvp = linear_scatter_jvp<scatter>,
                                  .transpose = transpose_rule,
                                  .batch = scatter_batch<scatter>,
                                  .examples = scatter_examples(-2, 2, false)};
}  // namespace ops
Array lax::scatter(Operand operand, Operand indices, Operand updates, const ScatterDims& d,
                   const ScatterOptions& o) {
  return ops::bind_scatter(ops::scatter, operand, indices, updates, d, o);
}
}  // namespace baton
