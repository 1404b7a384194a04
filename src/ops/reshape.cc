// reshape: the same elements in row-major order under another shape. Moves no data.
#include "ops/reshape.h"

#include "ops/element_rules.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params& params) {
  require_count("reshape", in, 1);
  const Type out{in[0].dtype, params.as<Reshape>().shape};
  bool negative = false;
  for (std::int64_t extent : out.shape) negative = negative || extent < 0;
  if (negative || out.size() != in[0].size())
    type_error("reshape", "the new shape must have the " + std::to_string(in[0].size()) + " elements of " +
                              show(in[0]) + ", found " + show(out.shape) + ".");
  return {out};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  copy_all(out[0], in[0].data);
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params&, Transformer&) {
  return {lax::reshape(ct[0], x[0].type.shape)};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  Shape shape = params.as<Reshape>().shape;
  shape.insert(shape.begin(), axis.size);
  return {{lax::reshape(batch_to_front(in[0]), shape), 0}};
}
int same_as(std::span<const Type> in, Filled, const Params& params) {
  return params.as<Reshape>().shape == in[0].shape ? 0 : -1;
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  return w.operand(0, unflat(flat(at, w.result_type(0).shape), w.operand_type(0).shape));
}
}  // namespace
extern const Primitive reshape = {.name = "reshape",
                                  .cost = Cost::free,
                                  .linear = true,
                                  .params = Reshape{},
                                  .type = type,
                                  .evaluate = evaluate,
                                  .element = element,
                                  .transpose = transpose_rule,
                                  .batch = batch,
                                  .views = true,
                                  .rearranges = true,
                                  .same_as = same_as,
                                  .examples = {{.inputs = {{f32, {2, 3}}}, .params = Reshape{{6}}},
                                               {.inputs = {{f32, {6}}}, .params = Reshape{{1, 3, 2}}},
                                               {.inputs = {{f32, {}}}, .params = Reshape{{1, 1}}},
                                               {.inputs = {{f32, {0, 2}}}, .params = Reshape{{2, 0}}}}};
}  // namespace ops
Array lax::reshape(Operand x, const Shape& shape) {
  const Array a = x.array();
  if (!a.empty() && a.shape() == shape) return a;
  return bind_one(ops::reshape, {a}, ops::Reshape{shape}, x.where());
}
Array lax::squeeze(Operand x, const std::vector<std::int64_t>& dimensions) {
  const Frame frame(x.where());
  const Array a = x.array();
  std::vector<bool> gone(static_cast<std::size_t>(a.rank()));
  for (std::int64_t d : dimensions) {
    const std::int64_t axis = ops::canonical_axis(d, a.rank());
    ops::require_axis("squeeze", a.type(), axis);
    if (a.shape()[static_cast<std::size_t>(axis)] != 1)
      type_error("squeeze", "axis " + std::to_string(d) + " of " + show(a.type()) + " must have extent 1.");
    gone[static_cast<std::size_t>(axis)] = true;
  }
  Shape shape;
  for (std::size_t i = 0; i < gone.size(); ++i)
    if (!gone[i]) shape.push_back(a.shape()[i]);
  return lax::reshape(a, shape);
}
Array lax::expand_dims(Operand x, const std::vector<std::int64_t>& dimensions) {
  const Frame frame(x.where());
  const Array a = x.array();
  const std::int64_t rank = a.rank() + static_cast<std::int64_t>(dimensions.size());
  std::vector<std::int64_t> axes;
  for (std::int64_t d : dimensions) axes.push_back(ops::canonical_axis(d, rank));
  ops::require_axes("expand_dims", {a.dtype(), Shape(static_cast<std::size_t>(rank), 1)}, axes);
  Shape shape(static_cast<std::size_t>(rank), -1);
  for (std::int64_t axis : axes) shape[static_cast<std::size_t>(axis)] = 1;
  std::size_t next = 0;
  for (std::int64_t& extent : shape)
    if (extent < 0) extent = a.shape()[next++];
  return lax::reshape(a, shape);
}
}  // namespace baton
