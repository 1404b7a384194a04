// slice: a strided part of an array, with bounds known when traced. Its adjoint pads with zeros.
#include "ops/element_rules.h"
#include "ops/rules.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
struct Slice {
  Shape start, limit, strides;
  BATON_FIELDS(start, limit, strides)
};
Types type(std::span<const Type> in, const Params& params) {
  require_count("slice", in, 1);
  const auto& p = params.as<Slice>();
  const std::size_t rank = in[0].shape.size();
  if (p.start.size() != rank || p.limit.size() != rank || p.strides.size() != rank)
    type_error("slice", "one start, limit and stride for each axis of " + show(in[0]) +
                            " is required, found " + show(p.start) + ", " + show(p.limit) + " and " +
                            show(p.strides) + ".");
  Shape shape;
  for (std::size_t i = 0; i < rank; ++i) {
    if (p.start[i] < 0 || p.start[i] > p.limit[i] || p.limit[i] > in[0].shape[i])
      type_error("slice", "0 <= start <= limit <= extent is required on axis " + std::to_string(i) + " of " +
                              show(in[0]) + ", found start " + std::to_string(p.start[i]) + " and limit " +
                              std::to_string(p.limit[i]) + ".");
    if (p.strides[i] < 1)
      type_error("slice", "strides must be positive, found " + show(p.strides) +
                              ".\n  Use rev to turn an axis round.");
    shape.push_back((p.limit[i] - p.start[i] + p.strides[i] - 1) / p.strides[i]);
  }
  return {{in[0].dtype, shape}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<Slice>();
  auto strides = strides_of(in[0].shape());
  const std::int64_t first = offset_of(p.start, strides);
  for (std::size_t i = 0; i < strides.size(); ++i)
    strides[i] *= std::min(p.strides[i], std::max<std::int64_t>(in[0].shape()[i], 1));
  std::int64_t to = 0;
  for (Counter c(out[0].shape()); !c.done(); c.next(), ++to)
    copy_element(out[0], to, in[0], first + offset_of(c.index(), strides));
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  const auto& p = params.as<Slice>();
  std::vector<lax::Padding> padding;
  for (std::size_t i = 0; i < p.start.size(); ++i) {
    const std::int64_t n = ct[0].shape()[i], covered = n == 0 ? 0 : 1 + (n - 1) * p.strides[i];
    padding.push_back({p.start[i], x[0].type.shape[i] - p.start[i] - covered, p.strides[i] - 1});
  }
  return {lax::pad(ct[0], 0, padding)};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  auto p = params.as<Slice>();
  p.start.insert(p.start.begin(), 0);
  p.limit.insert(p.limit.begin(), axis.size);
  p.strides.insert(p.strides.begin(), 1);
  return {{lax::slice(batch_to_front(in[0]), p.start, p.limit, p.strides), 0}};
}
int same_as(std::span<const Type> in, Filled, const Params& params) {
  return type(in, params)[0] == in[0] ? 0 : -1;  // as many elements as there are: all of them
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const auto& p = params.as<Slice>();
  std::vector<Position> from;
  for (std::size_t i = 0; i < at.size(); ++i) from.push_back(at[i] * p.strides[i] + p.start[i]);
  return w.operand(0, from);
}
}  // namespace
extern const Primitive slice = {
    .name = "slice",
    .cost = Cost::free,
    .linear = true,
    .params = Slice{},
    .type = type,
    .evaluate = evaluate,
    .element = element,
    .transpose = transpose_rule,
    .batch = batch,
    .rearranges = true,
    .same_as = same_as,
    .examples = {{.inputs = {{f32, {4, 5}}}, .params = Slice{{1, 0}, {3, 5}, {1, 1}}},
                 {.inputs = {{f32, {7, 5}}}, .params = Slice{{1, 0}, {6, 5}, {2, 3}}, .note = "strides"},
                 {.inputs = {{f32, {7}}}, .params = Slice{{0}, {7}, {3}}, .note = "last element is hit"},
                 {.inputs = {{f32, {7}}}, .params = Slice{{0}, {6}, {3}}, .note = "a tail is left over"},
                 {.inputs = {{f32, {3, 2}}}, .params = Slice{{2, 0}, {2, 2}, {2, 1}}, .note = "nothing"},
                 {.inputs = {{f32, {0, 2}}}, .params = Slice{{0, 1}, {0, 2}, {1, 1}}, .note = "of nothing"},
                 {.inputs = {{f32, {1}}}, .params = Slice{{0}, {1}, {5}}},
                 {.inputs = {{f32, {}}}, .params = Slice{}}}};
}  // namespace ops
Array lax::slice(Operand x, const Shape& start, const Shape& limit, const Shape& strides) {
  const Array a = x.array();
  const Shape steps = strides.empty() ? Shape(limit.size(), 1) : strides;
  if (!a.empty() && limit == a.shape() && start == Shape(limit.size(), 0) && steps == Shape(limit.size(), 1))
    return a;
  return bind_one(ops::slice, {a}, ops::Slice{start, limit, steps}, x.where());
}
Array lax::slice_in_dim(Operand x, std::int64_t start, std::int64_t limit, std::int64_t stride, int axis) {
  const Frame frame(x.where());
  const Array a = x.array();
  const std::int64_t d = ops::canonical_axis(axis, a.rank());
  ops::require_axis("slice_in_dim", a.type(), d);
  Shape starts(a.shape().size(), 0), limits = a.shape(), strides(a.shape().size(), 1);
  starts[ops::at(d)] = start < 0 ? start + limits[ops::at(d)] : start;
  strides[ops::at(d)] = stride;
  limits[ops::at(d)] = limit < 0 ? limit + limits[ops::at(d)] : limit;
  return lax::slice(a, starts, limits, strides);
}
}  // namespace baton
