// indexing: checks and index arithmetic of dynamic slices, gather and scatter.
#include "ops/indexing.h"

namespace baton::ops {

namespace {
/// Whether something of this shape is to be gathered along an axis that has elements.
bool gathers(std::string_view name, const Array& x, std::int64_t axis, const Shape& result) {
  if (std::find(result.begin(), result.end(), 0) != result.end()) return false;
  if (x.shape()[at(axis)] == 0)
    type_error(name, "axis " + std::to_string(axis) + " of " + show(x.type()) +
                         " has no elements to take, found indices for " + show(Type{x.dtype(), result}) +
                         ".\n  Give indices without elements, or an axis with some.");
  return true;
}
}  // namespace

Array take(std::string_view name, const Array& x, const Array& indices, std::int64_t axis,
           const lax::GatherOptions& options) {
  Shape result = x.shape(), sizes = x.shape();
  result.erase(result.begin() + axis);
  result.insert(result.begin() + axis, indices.shape().begin(), indices.shape().end());
  if (!gathers(name, x, axis, result)) return zeros_of({x.dtype(), result});
  lax::GatherDims dims{.collapsed_slice_dims = {axis}, .start_index_map = {axis}};
  sizes[at(axis)] = 1;
  const std::int64_t batch = indices.rank();
  for (std::int64_t i = 0; i < x.rank() - 1; ++i) dims.offset_dims.push_back(i < axis ? i : i + batch);
  return lax::gather(x, lax::expand_dims(indices, {batch}), dims, sizes, options);
}

Array take_along(std::string_view name, const Array& x, const Array& indices, std::int64_t axis,
                 const lax::GatherOptions& options) {
  if (!gathers(name, x, axis, indices.shape())) return zeros_of({x.dtype(), indices.shape()});
  lax::GatherDims dims{.collapsed_slice_dims = {axis}, .start_index_map = {axis}};
  dims.operand_batching_dims = dims.start_indices_batching_dims = other_axes(x.rank(), {axis});
  return lax::gather(x, lax::expand_dims(indices, {indices.rank()}), dims, Shape(x.shape().size(), 1),
                     options);
}

Array wrapped_index(const Array& index, std::int64_t extent) {
  const bool wide = size_of(index.dtype()) == 8 || index.dtype() == u32 || extent > INT32_MAX;
  // Beyond s64 an index is out of bounds whatever it is, but would turn negative.
  const Array low = index.dtype() == u64 ? lax::min(index, lax::full_like(index, INT64_MAX)) : index;
  const Array i = lax::convert_element_type(low, wide ? s64 : s32);
  if (is_unsigned(index.dtype())) return i;
  const Array shifted = lax::add(i, extent), negative = lax::lt(i, 0);
  return lax::select(negative, shifted, i);
}

Arrays wrapped_starts(const Arrays& starts, const Type& x) {
  if (starts.size() != x.shape.size()) return starts;  // the type rule says what is wrong
  Arrays result;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const Array& s = starts[i];
    result.push_back(s);
    if (s.empty() || s.rank() != 0 || !is_signed(s.dtype())) continue;
    const Trace* trace = Trace::current();
    if (const Literal* l = trace ? trace->as_literal(s) : nullptr) {
      const Type& type = s.type();
      const std::int64_t known = integer_at({&type, const_cast<unsigned char*>(l->bytes)}, 0);
      if (known < 0) result.back() = Operand(known + x.shape[i]).array(s64);
    } else if (!trace) {
      const std::int64_t known = lax::convert_element_type(s, s64).item<std::int64_t>();
      if (known < 0) result.back() = Array(known + x.shape[i]);
    } else {
      result.back() = wrapped_index(s, x.shape[i]);
    }
  }
  return result;
}

void require_starts(std::string_view name, std::span<const Type> in, std::size_t first, const Type& x) {
  if (in.size() - first != x.shape.size())
    type_error(name, "one start for each axis of " + show(x) + " is required, found " +
                         std::to_string(in.size() - first) + ".");
  for (std::size_t i = first; i < in.size(); ++i)
    if (in[i].rank() != 0 || !is_integer(in[i].dtype))
      type_error(name, "starts must be integer scalars, found " + show(in[i]) + " for axis " +
                           std::to_string(i - first) + " of " + show(x) + ".");
}

Array stacked_starts(std::span<const Batched> starts, const BatchAxis& axis) {
  bool alike = true;
  for (const Batched& s : starts) alike = alike && s.value.dtype() == starts[0].value.dtype();
  Arrays columns;
  for (const Batched& s : starts) {
    const Array column = alike ? with_batch(s, axis) : lax::convert_element_type(with_batch(s, axis), s64);
    columns.push_back(lax::reshape(column, {axis.size, 1}));
  }
  return lax::concatenate(columns, 1);
}

void IndexMap::require(std::string_view name, const Type& operand, const Type& indices) const {
  if (!is_integer(indices.dtype) || indices.rank() < 1)
    type_error(name, "indices must be integers with the index vectors along their last axis, found " +
                         show(indices) + ".");
  if (static_cast<std::int64_t>(to_operand.size()) != indices.shape.back())
    type_error(name, "index vectors must have one element for each of the operand axes " + show(to_operand) +
                         ", found the last axis of " + show(indices) + ".");
  require_axes(name, operand, to_operand);
  require_axes(name, operand, operand_batching);
  require_axes(name, operand, dropped);
  const Type vectors{indices.dtype, Shape(indices.shape.begin(), indices.shape.end() - 1)};
  require_axes(name, vectors, indices_batching);
  if (operand_batching.size() != indices_batching.size())
    type_error(name, "as many batching axes of the operand as of the indices are required, found " +
                         show(operand_batching) + " and " + show(indices_batching) + ".");
  for (std::size_t i = 0; i < operand_batching.size(); ++i) {
    const std::int64_t axis = operand_batching[i];
    if (operand.shape[at(axis)] != vectors.shape[at(indices_batching[i])])
      type_error(name, "batching axes differ: axis " + std::to_string(axis) + " of the operand " +
                           show(operand) + " and axis " + std::to_string(indices_batching[i]) +
                           " of the indices " + show(indices) + ".");
    if (holds(dropped, axis) || holds(to_operand, axis))
      type_error(name, "the batching axis " + std::to_string(axis) +
                           " of the operand must be neither indexed nor " + "dropped from the window.");
  }
}

std::vector<std::int64_t> IndexMap::window_axes(std::int64_t operand_rank) const {
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = 0; axis < operand_rank; ++axis)
    if (!holds(dropped, axis) && !holds(operand_batching, axis)) axes.push_back(axis);
  return axes;
}

std::vector<std::int64_t> window_offsets(const Shape& operand, const View& indices, const IndexMap& map,
                                         const Shape& window, bool clip) {
  const auto strides = strides_of(operand);
  const auto length = static_cast<std::int64_t>(map.to_operand.size());
  std::vector<std::int64_t> offsets;
  for (Counter c(Shape(indices.shape().begin(), indices.shape().end() - 1)); !c.done(); c.next()) {
    const auto first = static_cast<std::int64_t>(offsets.size()) * length;
    std::int64_t offset = 0;
    bool inside = true;
    for (std::int64_t k = 0; k < length; ++k) {
      const std::size_t axis = at(map.to_operand[at(k)]);
      const std::int64_t high = operand[axis] - window[axis];
      const std::int64_t start = high < 0 ? 0 : clamped_at(indices, first + k, high);
      if (high < 0 || (!clip && start != integer_at(indices, first + k))) inside = false;
      offset += start * strides[axis];
    }
    for (std::size_t i = 0; i < map.operand_batching.size(); ++i)
      offset += c[at(map.indices_batching[i])] * strides[at(map.operand_batching[i])];
    offsets.push_back(inside ? offset : -1);
  }
  return offsets;
}

}  // namespace baton::ops
