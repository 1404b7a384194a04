// reduce_sum: the sum over some axes, taken away. Summed one precision up, in row-major order; integers wrap.
#include "ops/rules.h"

namespace baton {
namespace ops {
namespace {
struct ReduceSum {
  std::vector<std::int64_t> axes;
  BATON_FIELDS(axes)
};
bool reduced(const ReduceSum& p, std::int64_t axis) { return std::find(p.axes.begin(), p.axes.end(), axis) != p.axes.end(); }
Types type(std::span<const Type> in, const Params& params) {
  require_count("reduce_sum", in, 1);
  require_dtype("reduce_sum", in, 0, Domain::number);
  const auto& p = params.as<ReduceSum>();
  require_axes("reduce_sum", in[0], p.axes);
  Shape shape;
  for (int i = 0; i < in[0].rank(); ++i)
    if (!reduced(p, i)) shape.push_back(in[0].shape[static_cast<std::size_t>(i)]);
  return {{in[0].dtype, shape}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<ReduceSum>();
  std::vector<std::int64_t> strides;  // of the result, seen from the operand's axes
  const auto kept = strides_of(out[0].shape());
  for (std::size_t i = 0, k = 0; i < in[0].shape().size(); ++i)
    strides.push_back(reduced(p, static_cast<std::int64_t>(i)) ? 0 : kept[k++]);
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (!std::is_same_v<T, bool>) {
      const auto x = in[0].as<T>(), y = out[0].as<T>();
      std::vector<wide_t<T>> sums(y.size());
      std::size_t from = 0;
      for (Counter c(in[0].shape()); !c.done(); c.next(), ++from) {
        auto& sum = sums[static_cast<std::size_t>(offset_of(c.index(), strides))];
        if constexpr (std::is_integral_v<T>) sum = static_cast<T>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(x[from]));
        else sum += widen(x[from]);
      }
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = narrow<T>(sums[i]);
    }
  });
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params, Transformer&) {
  const auto& p = params.as<ReduceSum>();
  std::vector<std::int64_t> dims;
  for (int i = 0; i < x[0].type.rank(); ++i)
    if (!reduced(p, i)) dims.push_back(i);
  return {lax::broadcast_in_dim(ct[0], x[0].type.shape, dims)};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params, Transformer&) {
  std::vector<std::int64_t> axes;
  for (std::int64_t axis : params.as<ReduceSum>().axes) axes.push_back(axis + 1);
  return {{lax::reduce_sum(batch_to_front(in[0]), axes), 0}};
}
}  // namespace
extern const Primitive reduce_sum = {.name = "reduce_sum",
                                     .linear = true,
                                     .params = ReduceSum{},
                                     .type = type,
                                     .evaluate = evaluate,
                                     .transpose = transpose_rule,
                                     .batch = batch,
                                     .examples = {{.inputs = {{f32, {2, 3}}}, .params = ReduceSum{{0}}},
                                                  {.inputs = {{f32, {2, 3, 4}}}, .params = ReduceSum{{2, 0}}},
                                                  {.inputs = {{f32, {2, 0}}}, .params = ReduceSum{{1}}},
                                                  {.inputs = {{f32, {3}}}, .params = ReduceSum{{0}}},
                                                  {.inputs = {{f32, {1, 2}}}, .params = ReduceSum{{}}}}};
}  // namespace ops
Array lax::reduce_sum(Operand x, const std::vector<std::int64_t>& axes) {
  const Array a = x.array();
  if (axes.empty() && !a.empty() && a.dtype() != boolean) return a;
  return bind_one(ops::reduce_sum, {a}, ops::ReduceSum{axes}, x.where());
}
}  // namespace baton
