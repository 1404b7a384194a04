// order: what sort, sort_by and top_k share.
#include "ops/order.h"

namespace baton::ops {

Types sort_type(std::string_view name, std::span<const Type> in, std::int64_t dimension) {
  if (in.empty()) type_error(name, "at least one operand is required, found none.");
  for (const Type& t : in)
    if (t.shape != in[0].shape)
      type_error(name, "operands must have one shape, found " + show(in[0]) + " and " + show(t) + ".");
  require_axis(name, in[0], dimension);
  return {in.begin(), in.end()};
}

void sort_lanes(std::span<const View> in, std::span<const View> out, std::int64_t dimension,
                FunctionRef<bool(std::int64_t, std::int64_t)> less) {
  Shape lanes = in[0].shape();
  const auto strides = strides_of(lanes);
  const auto axis = static_cast<std::size_t>(dimension);
  const std::int64_t n = lanes[axis], step = strides[axis];
  lanes[axis] = n > 0 ? 1 : 0;
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  for (Counter c(lanes); !c.done(); c.next()) {
    const std::int64_t start = offset_of(c.index(), strides);
    for (std::int64_t k = 0; k < n; ++k) order[static_cast<std::size_t>(k)] = start + k * step;
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t i, std::int64_t j) { return less(i, j); });
    for (std::size_t operand = 0; operand < in.size(); ++operand)
      for (std::int64_t k = 0; k < n; ++k)
        copy_element(out[operand], start + k * step, in[operand], order[static_cast<std::size_t>(k)]);
  }
}

Array take_along(const Array& x, const Array& indices, std::int64_t dimension) {
  if (indices.size() == 0) return zeros_of({x.dtype(), indices.shape()});  // a slice of one would not fit
  lax::GatherDims dims{.collapsed_slice_dims = {dimension}, .start_index_map = {dimension}};
  for (std::int64_t i = 0; i < x.rank(); ++i)
    if (i != dimension) dims.operand_batching_dims.push_back(i);
  dims.start_indices_batching_dims = dims.operand_batching_dims;
  return lax::gather(x, lax::expand_dims(indices, {indices.rank()}), dims, Shape(x.shape().size(), 1),
                     {.mode = lax::GatherMode::promise_in_bounds, .unique_indices = true});
}

Array positions(const Shape& shape, std::int64_t dimension) {
  return lax::iota({s32, shape}, static_cast<int>(dimension), {});
}

std::pair<Arrays, Arrays> sort_jvp(const Arrays& primals, const Arrays& tangents, std::int64_t dimension,
                                   FunctionRef<Arrays(const Arrays&)> sort_with_positions) {
  Arrays operands = primals;
  operands.push_back(positions(primals[0].shape(), dimension));
  Arrays outs = sort_with_positions(operands);
  const Array permutation = outs.back();
  outs.pop_back();
  Arrays moved;
  for (const Array& t : tangents)
    moved.push_back(t.empty() ? Array() : take_along(t, permutation, dimension));
  return {outs, moved};
}

}  // namespace baton::ops
