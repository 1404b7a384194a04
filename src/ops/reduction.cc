// reduction: the shared pieces of reductions that need no template.
#include "ops/reduction.h"

namespace baton::ops {

Shape without_axes(const Shape& shape, const std::vector<std::int64_t>& axes) {
  Shape left;
  for (std::int64_t i : other_axes(static_cast<std::int64_t>(shape.size()), axes))
    left.push_back(shape[static_cast<std::size_t>(i)]);
  return left;
}

std::vector<std::int64_t> reduced_strides(const Shape& shape, const std::vector<std::int64_t>& axes) {
  const auto others = other_axes(static_cast<std::int64_t>(shape.size()), axes);
  const auto kept = strides_of(without_axes(shape, axes));
  std::vector<std::int64_t> strides(shape.size());
  for (std::size_t k = 0; k < others.size(); ++k) strides[static_cast<std::size_t>(others[k])] = kept[k];
  return strides;
}

Types reduction_type(std::string_view name, std::span<const Type> in, const Params& params, Domain domain) {
  require_count(name, in, 1);
  require_dtype(name, in, 0, domain);
  const auto& axes = params.as<Reduction>().axes;
  require_axes(name, in[0], axes);
  return {{in[0].dtype, without_axes(in[0].shape, axes)}};
}

std::vector<Batched> reduction_batch(const Primitive& primitive, std::span<const Batched> in,
                                     const Params& params) {
  Reduction p = params.as<Reduction>();
  for (std::int64_t& axis : p.axes) ++axis;
  return {{bind_one(primitive, {batch_to_front(in[0])}, p, {}), 0}};
}

Array unreduce(const Array& reduced, const Shape& shape, const std::vector<std::int64_t>& axes) {
  return lax::broadcast_in_dim(reduced, shape, other_axes(static_cast<std::int64_t>(shape.size()), axes));
}

Array flatten_axes(const Array& x, const std::vector<std::int64_t>& axes) {
  std::vector<std::int64_t> order = axes;
  const auto others = other_axes(x.rank(), axes);
  order.insert(order.end(), others.begin(), others.end());
  Shape shape = {1};
  for (std::int64_t axis : axes) shape[0] *= x.shape()[static_cast<std::size_t>(axis)];
  for (std::int64_t axis : others) shape.push_back(x.shape()[static_cast<std::size_t>(axis)]);
  return lax::reshape(lax::transpose(x, order), shape);
}

Arrays chooser_jvp(const Arrays& x, const Arrays& out, const Arrays& dx, const Params& params) {
  if (x[0].size() == 0) return {Array()};  // the result is a constant
  const auto& axes = params.as<Reduction>().axes;
  const Array chosen =
      lax::convert_element_type(lax::eq(x[0], unreduce(out[0], x[0].shape(), axes)), dx[0].dtype());
  return {lax::div(lax::reduce_sum(lax::mul(dx[0], chosen), axes), lax::reduce_sum(chosen, axes))};
}

Array bind_reduction(const Primitive& primitive, Operand x, const std::vector<std::int64_t>& axes) {
  return bind_one(primitive, {x.array()}, Reduction{axes}, x.where());
}

std::vector<Example> reduction_examples(int order, bool distinct, bool smooth_empty, Dtype dtype) {
  auto row = [&](Shape shape, std::vector<std::int64_t> axes, std::string_view note) {
    return Example{.inputs = {{dtype, shape}},
                   .params = Reduction{std::move(axes)},
                   .order = order,
                   .note = note,
                   .distinct = distinct};
  };
  std::vector<Example> rows = {
      row({2, 3}, {0}, "the first axis"), row({2, 3, 4}, {2, 0}, "two axes, not in order"),
      row({5}, {0}, "to a scalar"),       row({3, 1}, {1}, "an axis of extent 1"),
      row({2, 2}, {}, "no axes"),         row({}, {}, "a scalar"),
      row({0, 3}, {1}, "no results")};
  rows.push_back(row({2, 0}, {1}, "an empty axis"));
  if (!smooth_empty) rows.back().order = 0;
  return rows;
}

}  // namespace baton::ops
