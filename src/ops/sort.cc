// sort: sorts lanes along an axis by the first `num_keys` operands, in the order of lt_total; the others
// follow. Its derivative permutes.
#include "ops/order.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<Sort>();
  const Types out = sort_type("sort", in, p.dimension);
  if (p.num_keys < 1 || p.num_keys > static_cast<std::int64_t>(in.size()))
    type_error("sort", "num_keys must be from 1 to the number of operands, " + std::to_string(in.size()) +
                           ", found " + std::to_string(p.num_keys) + ".");
  return out;
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<Sort>();
  sort_lanes(in, out, p.dimension, [&](std::int64_t i, std::int64_t j) {
    for (std::size_t key = 0; key < static_cast<std::size_t>(p.num_keys); ++key)
      if (const int order = compare_total(in[key], i, j)) return order < 0;
    return false;
  });
}
std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer&) {
  return sort_jvp(primals, tangents, params.as<Sort>().dimension,
                  [&](const Arrays& operands) { return bind(sort, operands, params, {}); });
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  Sort p = params.as<Sort>();
  ++p.dimension;
  return batch_at_front(sort, axis, in, p);
}
}  // namespace
extern const Primitive sort = {
    .name = "sort",
    .params = Sort{},
    .type = type,
    .evaluate = evaluate,
    .jvp_whole = jvp_whole,
    .batch = batch,
    .examples = {
        {.inputs = {{f32, {5}}}, .params = Sort{0, true, 1}, .distinct = true},
        {.inputs = {{f32, {2, 3, 4}}}, .params = Sort{1, false, 1}, .distinct = true},
        {.inputs = {{f32, {6}}, {f32, {6}}},
         .params = Sort{0, true, 1},
         .note = "a follower",
         .distinct = true},
        {.inputs = {{s32, {2, 6}}, {f32, {2, 6}}, {f32, {2, 6}}},
         .params = Sort{1, true, 2},
         .note = "two keys, the first with ties",
         .distinct = true},
        {.inputs = {{s8, {7}}, {u32, {7}}}, .params = Sort{0, true, 1}, .order = 0, .note = "stable ties"},
        {.inputs = {{f32, {3, 1}}}, .params = Sort{1, true, 1}},
        {.inputs = {{f32, {2, 0}}}, .params = Sort{1, true, 1}},
        {.inputs = {{f32, {0, 2}}}, .params = Sort{1, true, 1}},
        {.inputs = {{boolean, {4}}}, .params = Sort{0, true, 1}, .order = 0}}};
}  // namespace ops
Arrays lax::sort(Operands operands, const SortOptions& options) {
  const std::int64_t rank =
      operands.arrays().empty() || operands.arrays()[0].empty() ? 0 : operands.arrays()[0].rank();
  return bind(ops::sort, operands.arrays(),
              ops::Sort{ops::canonical_axis(options.dimension, rank), options.is_stable, options.num_keys},
              operands.where());
}
}  // namespace baton
