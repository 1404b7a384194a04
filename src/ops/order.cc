// order: what sort, sort_by and top_k share.
#include "ops/order.h"

#include "ops/indexing.h"

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
  if (in[0].type->size() == 0) return;  // a lane may be long where there is none
  lanes[axis] = 1;
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

Array take_sorted(const Array& x, const Array& indices, std::int64_t dimension) {
  return take_along("sort", x, indices, dimension,
                    {.mode = lax::GatherMode::promise_in_bounds, .unique_indices = true});
}

Array count_before(const Array& sorted, const Array& queries, bool or_equal) {
  // Halving: `low` elements are known to come before, `high` is known to be enough.
  Array low = lax::full(queries.shape(), Operand(0).array(s32)),
        high = lax::full(queries.shape(), Operand(sorted.size()).array(s32));
  for (std::int64_t n = sorted.size(); n > 0; n /= 2) {
    const Array middle = lax::shift_right_logical(lax::add(low, high), lax::full_like(low, 1));
    const Array element = take("searchsorted", sorted, middle, 0, {.mode = lax::GatherMode::clip});
    const Array open = lax::lt(low, high);
    const Array before =
        or_equal ? lax::bitwise_not(lax::lt_total(queries, element)) : lax::lt_total(element, queries);
    const Array up = lax::bitwise_and(open, before), down = lax::bitwise_and(open, lax::bitwise_not(before));
    low = lax::select(up, lax::add(middle, 1), low);
    high = lax::select(down, middle, high);
  }
  return low;
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
    moved.push_back(t.empty() ? Array() : take_sorted(t, permutation, dimension));
  return {outs, moved};
}

}  // namespace baton::ops
