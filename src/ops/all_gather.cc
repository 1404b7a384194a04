// all_gather: every lane's array, on a new axis or, tiled, one after the other along an axis; every lane gets
// all. Its adjoint is psum_scatter.
#include "ops/collective.h"

namespace baton {
namespace ops {
extern const Primitive all_gather;
namespace {
struct Gather {
  std::string axis_name;
  std::int64_t axis_size = 0, axis = 0;
  bool tiled = false;
  BATON_FIELDS(axis_name, axis_size, axis, tiled)
};
Types type(std::span<const Type> in, const Params& params) {
  require_count("all_gather", in, 1);
  const auto& p = params.as<Gather>();
  Type out = in[0];
  if (p.tiled) {
    require_axis("all_gather", in[0], p.axis);
    std::int64_t& extent = out.shape[static_cast<std::size_t>(p.axis)];
    extent = extent_product(extent, p.axis_size);
  } else {
    if (p.axis < 0 || p.axis > in[0].rank())
      type_error("all_gather",
                 "a new axis " + std::to_string(p.axis) + " is out of range for " + show(in[0]) + ".");
    out.shape.insert(out.shape.begin() + p.axis, p.axis_size);
  }
  return {out};
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand>, const Params& params, Transformer&) {
  const auto& p = params.as<Gather>();
  return {scatter_over_lanes(ct[0], p.axis_name, p.axis_size, p.axis, p.tiled)};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  Gather p = params.as<Gather>();
  if (p.axis_name != axis.name) {
    ++p.axis;
    return {{bind_one(all_gather, {batch_to_front(in[0])}, p, {}), 0}};
  }
  const Array moved = move_axis(with_batch(in[0], axis), 0, static_cast<int>(p.axis));
  return {{p.tiled ? merge_axes(moved, p.axis) : moved, -1}};
}
}  // namespace
const Primitive all_gather = {.name = "all_gather",
                              .linear = true,
                              .params = Gather{},
                              .type = type,
                              .evaluate = evaluate_collective,
                              .transpose = transpose_rule,
                              .batch = batch,
                              .names_axis = names_axis<Gather>};
Array gather_over_lanes(const Array& x, const std::string& name, std::int64_t size, std::int64_t axis,
                        bool tiled) {
  return bind_one(all_gather, {x}, Gather{name, size, axis, tiled}, {});
}
}  // namespace ops
Array lax::all_gather(Operand x, const std::string& axis_name, int axis, bool tiled) {
  const std::int64_t size = AxisName::size_of(axis_name, "all_gather", x.where());
  const Array a = x.array();
  const std::int64_t rank = a.empty() ? 0 : a.rank() + (tiled ? 0 : 1);
  return bind_one(ops::all_gather, {a}, ops::Gather{axis_name, size, ops::canonical_axis(axis, rank), tiled},
                  x.where());
}
}  // namespace baton
