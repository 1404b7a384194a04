// all_to_all: part i of each lane's split axis goes to lane i, which puts the parts of all lanes together on
// its concat axis. Not tiled, a part is one element: the split axis goes and the concat axis is new. Its
// adjoint swaps the axes.
#include "ops/collective.h"

namespace baton {
namespace ops {
extern const Primitive all_to_all;
namespace {
struct AllToAll {
  std::string axis_name;
  std::int64_t axis_size = 0, split_axis = 0, concat_axis = 0;
  bool tiled = false;
  BATON_FIELDS(axis_name, axis_size, split_axis, concat_axis, tiled)
};
Types type(std::span<const Type> in, const Params& params) {
  require_count("all_to_all", in, 1);
  const auto& p = params.as<AllToAll>();
  require_split("all_to_all", in[0], p.split_axis, p.axis_size, p.tiled);
  require_axis("all_to_all", in[0], p.concat_axis);
  Type out = in[0];
  if (p.tiled) {
    out.shape[static_cast<std::size_t>(p.split_axis)] /= p.axis_size;
    std::int64_t& extent = out.shape[static_cast<std::size_t>(p.concat_axis)];
    extent = extent_product(extent, p.axis_size);
  } else {
    out.shape.erase(out.shape.begin() + p.split_axis);
    out.shape.insert(out.shape.begin() + p.concat_axis, p.axis_size);
  }
  return {out};
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand>, const Params& params, Transformer&) {
  AllToAll p = params.as<AllToAll>();
  std::swap(p.split_axis, p.concat_axis);
  return {bind_one(all_to_all, {ct[0]}, p, {})};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  AllToAll p = params.as<AllToAll>();
  if (p.axis_name != axis.name) {
    ++p.split_axis;
    ++p.concat_axis;
    return {{bind_one(all_to_all, {batch_to_front(in[0])}, p, {}), 0}};
  }
  Array x = with_batch(in[0], axis);  // [source lane, ...]
  if (p.tiled) x = split_axis(x, p.split_axis + 1, axis.size);
  x = move_axis(x, static_cast<int>(p.split_axis) + 1, 0);   // [destination lane, source lane, ...]
  x = move_axis(x, 1, static_cast<int>(p.concat_axis) + 1);  // the source lanes before the concat axis
  return {{p.tiled ? merge_axes(x, p.concat_axis + 1) : x, 0}};
}
}  // namespace
const Primitive all_to_all = {.name = "all_to_all",
                              .linear = true,
                              .params = AllToAll{},
                              .type = type,
                              .evaluate = evaluate_collective,
                              .transpose = transpose_rule,
                              .batch = batch,
                              .names_axis = names_axis<AllToAll>};
}  // namespace ops
Array lax::all_to_all(Operand x, const std::string& axis_name, int split_axis, int concat_axis, bool tiled) {
  const std::int64_t size = AxisName::size_of(axis_name, "all_to_all", x.where());
  const Array a = x.array();
  const std::int64_t rank = a.empty() ? 0 : a.rank();
  return bind_one(ops::all_to_all, {a},
                  ops::AllToAll{axis_name, size, ops::canonical_axis(split_axis, rank),
                                ops::canonical_axis(concat_axis, rank), tiled},
                  x.where());
}
}  // namespace baton
