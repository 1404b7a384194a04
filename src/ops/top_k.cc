// top_k: the k largest elements of the last axis in falling order of lt_total, and their indices; of equals
// the first.
#include "ops/order.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params& params) {
  require_count("top_k", in, 1);
  require_dtype("top_k", in, 0, Domain::real);
  const std::int64_t k = params.as<TopK>().k;
  if (in[0].rank() == 0) type_error("top_k", "the operand must have an axis, found " + show(in[0]) + ".");
  if (k < 0 || k > in[0].shape.back())
    type_error("top_k", "k must be from 0 to the extent of the last axis of " + show(in[0]) + ", found " +
                            std::to_string(k) + ".");
  Shape shape = in[0].shape;
  shape.back() = k;
  return {{in[0].dtype, shape}, {s32, shape}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const std::int64_t k = params.as<TopK>().k, n = in[0].shape().back();
  if (k == 0) return;
  const auto indices = out[1].as<std::int32_t>();
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  for (std::int64_t start = 0, to = 0; start < in[0].type->size(); start += n) {
    std::iota(order.begin(), order.end(), start);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t i, std::int64_t j) { return compare_total(in[0], i, j) > 0; });
    for (std::int64_t i = 0; i < k; ++i, ++to) {
      copy_element(out[0], to, in[0], order[static_cast<std::size_t>(i)]);
      indices[static_cast<std::size_t>(to)] =
          static_cast<std::int32_t>(order[static_cast<std::size_t>(i)] - start);
    }
  }
}
Arrays jvp(const Arrays& x, const Arrays& outs, const Arrays& dx, const Params&) {
  return {take_sorted(dx[0], outs[1], x[0].rank() - 1), Array()};
}
}  // namespace
extern const Primitive top_k = {
    .name = "top_k",
    .params = TopK{},
    .type = type,
    .evaluate = evaluate,
    .jvp = jvp,
    .batch = batch_at_front<top_k>,
    .examples = {{.inputs = {{f32, {6}}}, .params = TopK{3}, .distinct = true},
                 {.inputs = {{f32, {2, 3, 4}}}, .params = TopK{4}, .note = "all of them", .distinct = true},
                 {.inputs = {{f32, {2, 3}}}, .params = TopK{0}, .note = "none"},
                 {.inputs = {{f32, {0, 3}}}, .params = TopK{2}, .note = "no lanes"},
                 {.inputs = {{f32, {1}}}, .params = TopK{1}},
                 {.inputs = {{s32, {8}}}, .params = TopK{5}, .order = 0, .note = "ties of integers"}}};
}  // namespace ops
std::pair<Array, Array> lax::top_k(Operand x, std::int64_t k) {
  const Arrays outs = bind(ops::top_k, {x.array()}, ops::TopK{k}, x.where());
  return {outs[0], outs[1]};
}
}  // namespace baton
