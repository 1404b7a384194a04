// broadcast_in_dim: repeats an array along new axes and along axes of extent 1. Its adjoint is a sum.
#include "ops/element_rules.h"
#include "ops/rules.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
struct BroadcastInDim {
  Shape shape;
  std::vector<std::int64_t> dimensions;  // operand axis i is result axis dimensions[i]; they rise
  BATON_FIELDS(shape, dimensions)
};
Types type(std::span<const Type> in, const Params& params) {
  require_count("broadcast_in_dim", in, 1);
  const auto& p = params.as<BroadcastInDim>();
  const Type out{in[0].dtype, p.shape};
  for (std::int64_t extent : p.shape)
    if (extent < 0)
      type_error("broadcast_in_dim", "an extent of the shape " + show(p.shape) + " is negative.");
  if (static_cast<int>(p.dimensions.size()) != in[0].rank())
    type_error("broadcast_in_dim", "one result axis for each axis of " + show(in[0]) +
                                       " is required, found " + show(p.dimensions) + ".");
  require_axes("broadcast_in_dim", out, p.dimensions);
  for (std::size_t i = 0; i < p.dimensions.size(); ++i) {
    const std::int64_t have = in[0].shape[i], want = p.shape[static_cast<std::size_t>(p.dimensions[i])];
    if (have != 1 && have != want)
      type_error("broadcast_in_dim", "axis " + std::to_string(i) + " of " + show(in[0]) +
                                         " must have extent 1 or that of result axis " +
                                         std::to_string(p.dimensions[i]) + " of " + show(out) + ".");
  }
  return {out};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<BroadcastInDim>();
  const auto strides = strides_of(in[0].shape());
  std::int64_t to = 0;
  for (Counter c(out[0].shape()); !c.done(); c.next(), ++to) {
    std::int64_t from = 0;
    for (std::size_t i = 0; i < p.dimensions.size(); ++i)
      if (in[0].shape()[i] != 1) from += c[static_cast<std::size_t>(p.dimensions[i])] * strides[i];
    copy_element(out[0], to, in[0], from);
  }
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  const auto& p = params.as<BroadcastInDim>();
  std::vector<std::int64_t> summed;  // result axes that hold copies
  for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(p.shape.size()); ++axis) {
    const auto it = std::find(p.dimensions.begin(), p.dimensions.end(), axis);
    const bool kept = it != p.dimensions.end() &&
                      (x[0].type.shape[static_cast<std::size_t>(it - p.dimensions.begin())] != 1 ||
                       p.shape[static_cast<std::size_t>(axis)] == 1);
    if (!kept) summed.push_back(axis);
  }
  Array sum = summed.empty() ? ct[0] : lax::reduce_sum(ct[0], summed);
  // What is left stands in the order of the result; dimensions need not rise.
  std::vector<std::int64_t> order(p.dimensions.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) {
    return p.dimensions[static_cast<std::size_t>(a)] < p.dimensions[static_cast<std::size_t>(b)];
  });
  Shape in_order;
  std::vector<std::int64_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    in_order.push_back(x[0].type.shape[static_cast<std::size_t>(order[i])]);
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  }
  if (sum.shape() != in_order) sum = lax::reshape(sum, in_order);
  return {std::is_sorted(back.begin(), back.end()) ? sum : lax::transpose(sum, back)};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  const auto& p = params.as<BroadcastInDim>();
  Shape shape = p.shape;
  shape.insert(shape.begin(), axis.size);
  std::vector<std::int64_t> dims = {0};
  for (std::int64_t d : p.dimensions) dims.push_back(d + 1);
  return {{lax::broadcast_in_dim(batch_to_front(in[0]), shape, dims), 0}};
}
int same_as(std::span<const Type> in, Filled, const Params& params) {
  const auto& p = params.as<BroadcastInDim>();
  return p.shape == in[0].shape && std::is_sorted(p.dimensions.begin(), p.dimensions.end()) ? 0 : -1;
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const auto& p = params.as<BroadcastInDim>();
  std::vector<Position> from;
  for (std::size_t i = 0; i < p.dimensions.size(); ++i)
    from.push_back(w.operand_type(0).shape[i] == 1 ? Position(0)
                                                   : at[static_cast<std::size_t>(p.dimensions[i])]);
  return w.operand(0, from);
}
}  // namespace
extern const Primitive broadcast_in_dim = {
    .name = "broadcast_in_dim",
    .cost = Cost::free,
    .linear = true,
    .params = BroadcastInDim{},
    .type = type,
    .evaluate = evaluate,
    .element = element,
    .transpose = transpose_rule,
    .batch = batch,
    .rearranges = true,
    .same_as = same_as,
    .examples = {
        {.inputs = {{f32, {}}}, .params = BroadcastInDim{{2, 3}, {}}},
        {.inputs = {{f32, {3}}}, .params = BroadcastInDim{{2, 3}, {1}}},
        {.inputs = {{f32, {2, 1}}}, .params = BroadcastInDim{{2, 4, 3}, {0, 2}}},
        {.inputs = {{f32, {1}}}, .params = BroadcastInDim{{1, 0}, {0}}},
        {.inputs = {{f32, {2, 3}}}, .params = BroadcastInDim{{3, 2}, {1, 0}}, .note = "axes swapped"}}};
}  // namespace ops
Array lax::broadcast_in_dim(Operand x, const Shape& shape, const std::vector<std::int64_t>& dimensions) {
  const Array a = x.array();
  if (!a.empty() && a.shape() == shape && dimensions == ops::other_axes(a.rank(), {}))
    return a;  // nothing to repeat
  return bind_one(ops::broadcast_in_dim, {a}, ops::BroadcastInDim{shape, dimensions}, x.where());
}
Array lax::full(const Shape& shape, Operand value) {
  const Frame frame(value.where());
  return lax::broadcast_in_dim(value.array(), shape, {});
}
Array lax::full_like(const Array& x, Operand value) {
  const Frame frame(value.where());
  return lax::broadcast_in_dim(value.array(x.dtype()), x.shape(), {});
}
Array lax::zeros(const Type& type, Where where) {
  const Frame frame(where);
  const Literal zero = make_integer_literal(type.dtype, 0);
  return lax::broadcast_in_dim(Array({type.dtype, {}}, zero.bytes, where), type.shape, {});
}
}  // namespace baton
