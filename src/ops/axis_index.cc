// axis_index: the number of the lane along an axis name, from 0.
#include "ops/collective.h"

namespace baton {
namespace ops {
extern const Primitive axis_index;
namespace {
Types type(std::span<const Type> in, const Params&) {
  require_count("axis_index", in, 0);
  return {{s32, {}}};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched>, const Params& params,
                           Transformer&) {
  if (params.as<Collective>().axis_name != axis.name) return {{bind_one(axis_index, {}, params, {}), -1}};
  return {{lax::iota({s32, {axis.size}}, 0, {}), 0}};
}
}  // namespace
const Primitive axis_index = {.name = "axis_index",
                              .params = Collective{},
                              .type = type,
                              .evaluate = evaluate_collective,
                              .batch = batch,
                              .names_axis = names_axis<Collective>};
}  // namespace ops
Array lax::axis_index(const std::string& axis_name, Where where) {
  return bind_one(ops::axis_index, {}, ops::collective("axis_index", axis_name, where), where);
}
}  // namespace baton
