// scatter: the operand with windows replaced by updates. At one place the last update in row-major order
// stays. Linear in operand and updates together: a cotangent goes to the update that stayed, else to the
// operand.
#include "ops/scatter.h"

namespace baton {
namespace ops {
extern const Primitive scatter;
namespace {
Types type(std::span<const Type> in, const Params& p) {
  return scatter_type("scatter", in, p.as<Scatter>(), Domain::any);
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  copy_all(out[0], in[0].data);
  const auto offsets = update_offsets(in[0].shape(), in[1], in[2].shape(), params.as<Scatter>());
  for (std::size_t i = 0; i < offsets.size(); ++i)
    if (offsets[i] >= 0) copy_element(out[0], offsets[i], in[2], static_cast<std::int64_t>(i));
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  return {bind_scatter(scatter, dx[0].empty() ? zeros_like(x[0]) : dx[0], x[1],
                       dx[2].empty() ? zeros_like(x[2]) : dx[2], params.as<Scatter>())};
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
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return batch_scatter(scatter, axis, in, params);
}
}  // namespace
extern const Primitive scatter = {.name = "scatter",
                                  .params = Scatter{},
                                  .type = type,
                                  .evaluate = evaluate,
                                  .jvp = jvp,
                                  .transpose = transpose_rule,
                                  .batch = batch,
                                  .examples = scatter_examples(-2, 2, false)};
}  // namespace ops
Array lax::scatter(Operand operand, Operand indices, Operand updates, const ScatterDims& d,
                   const ScatterOptions& o) {
  return ops::bind_scatter(ops::scatter, operand, indices, updates, d, o);
}
}  // namespace baton
