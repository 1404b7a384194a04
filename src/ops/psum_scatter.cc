// psum_scatter: the sum over the lanes of an axis name, of which lane i keeps part i of an axis: element i,
// which takes the axis away, or, tiled, the i-th of equal parts. Its adjoint is all_gather.
#include "ops/collective.h"

namespace baton {
namespace ops {
extern const Primitive psum_scatter;
namespace {
struct Scatter {
  std::string axis_name;
  std::int64_t axis_size = 0, scatter_dimension = 0;
  bool tiled = false;
  BATON_FIELDS(axis_name, axis_size, scatter_dimension, tiled)
};
Types type(std::span<const Type> in, const Params& params) {
  require_count("psum_scatter", in, 1);
  require_dtype("psum_scatter", in, 0, Domain::number);
  const auto& p = params.as<Scatter>();
  require_split("psum_scatter", in[0], p.scatter_dimension, p.axis_size, p.tiled);
  Type out = in[0];
  if (p.tiled)
    out.shape[static_cast<std::size_t>(p.scatter_dimension)] /= p.axis_size;
  else
    out.shape.erase(out.shape.begin() + p.scatter_dimension);
  return {out};
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand>, const Params& params, Transformer&) {
  const auto& p = params.as<Scatter>();
  return {gather_over_lanes(ct[0], p.axis_name, p.axis_size, p.scatter_dimension, p.tiled)};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  Scatter p = params.as<Scatter>();
  if (p.axis_name != axis.name) {
    ++p.scatter_dimension;
    return {{bind_one(psum_scatter, {batch_to_front(in[0])}, p, {}), 0}};
  }
  const Array sum = lax::reduce_sum(with_batch(in[0], axis), {0});
  return {{p.tiled ? split_axis(sum, p.scatter_dimension, axis.size) : sum,
           static_cast<int>(p.scatter_dimension)}};
}
}  // namespace
const Primitive psum_scatter = {.name = "psum_scatter",
                                .linear = true,
                                .params = Scatter{},
                                .type = type,
                                .evaluate = evaluate_collective,
                                .transpose = transpose_rule,
                                .batch = batch,
                                .names_axis = names_axis<Scatter>};
Array scatter_over_lanes(const Array& x, const std::string& name, std::int64_t size, std::int64_t axis,
                         bool tiled) {
  return bind_one(psum_scatter, {x}, Scatter{name, size, axis, tiled}, {});
}
}  // namespace ops
Array lax::psum_scatter(Operand x, const std::string& axis_name, int scatter_dimension, bool tiled) {
  const std::int64_t size = AxisName::size_of(axis_name, "psum_scatter", x.where());
  const Array a = x.array();
  const std::int64_t axis = ops::canonical_axis(scatter_dimension, a.empty() ? 0 : a.rank());
  return bind_one(ops::psum_scatter, {a}, ops::Scatter{axis_name, size, axis, tiled}, x.where());
}
}  // namespace baton
