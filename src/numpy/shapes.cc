// shapes: functions that move elements and compute none.
#include "numpy/common.h"

namespace baton {
namespace {
using namespace numpy;
}  // namespace

Array reshape(Operand x, const Shape& shape) {
  const Frame frame(x.where());
  const Array a = x.array();
  const auto unknown = std::count(shape.begin(), shape.end(), -1);
  if (unknown > 1) type_error("reshape", "one extent may be -1, found " + show(shape) + ".");
  Shape to = shape;
  if (unknown == 1) {
    Shape others = shape;
    *std::find(others.begin(), others.end(), -1) = 1;
    if (const std::string fault = fault_of_extents({a.dtype(), others}); !fault.empty())
      type_error("reshape", fault + ".");
    const std::int64_t known = product(others);
    if (known == 0 || a.size() % known != 0)
      type_error("reshape", "the " + std::to_string(a.size()) + " elements of " + show(a.type()) +
                                " do not fill the shape " + show(shape) + ".");
    *std::find(to.begin(), to.end(), -1) = a.size() / known;
  }
  return a.shape() == to ? a : lax::reshape(a, to);
}
Array ravel(Operand x) {
  const Frame frame(x.where());
  return reshape(x, {-1});
}

Array transpose(Operand x, const std::vector<std::int64_t>& axes) {
  const Frame frame(x.where());
  const Array a = x.array();
  List order = axes;
  if (axes.empty()) order = all_axes(a.rank()), std::reverse(order.begin(), order.end());
  for (std::int64_t& axis : order) axis = axis_of("transpose", axis, a.type());
  return lax::transpose(a, order);
}
Array swapaxes(Operand x, int axis1, int axis2) {
  const Frame frame(x.where());
  const Array a = x.array();
  List order = all_axes(a.rank());
  const auto first = axis_of("swapaxes", axis1, a.type()), second = axis_of("swapaxes", axis2, a.type());
  std::swap(order[at(first)], order[at(second)]);
  return lax::transpose(a, order);
}
Array moveaxis(Operand x, const Axes& source, const Axes& destination) {
  const Frame frame(x.where());
  const Array a = x.array();
  const List from = axes_of("moveaxis", source, a.type()),
             target = axes_of("moveaxis", destination, a.type());
  if (from.size() != target.size())
    type_error("moveaxis", "as many destinations as sources are required, found " + show(from) + " and " +
                               show(target) + ".");
  List order(at(a.rank()), -1), rest;
  for (std::size_t i = 0; i < from.size(); ++i) order[at(target[i])] = from[i];
  for (std::int64_t k = 0; k < a.rank(); ++k)
    if (!ops::holds(from, k)) rest.push_back(k);
  auto next = rest.begin();
  for (std::int64_t& k : order)
    if (k < 0) k = *next++;
  return lax::transpose(a, order);
}

Array expand_dims(Operand x, const Axes& axes) {
  const Frame frame(x.where());
  const Array a = x.array();
  if (axes.all()) type_error("expand_dims", "the axes must be given.");
  Type result = a.type();  // only its rank counts
  result.shape.resize(result.shape.size() + axes.list().size(), 1);
  List list = axes_of("expand_dims", axes, result);
  std::sort(list.begin(), list.end());
  return lax::expand_dims(a, list);
}
Array squeeze(Operand x, const Axes& axes) {
  const Frame frame(x.where());
  const Array a = x.array();
  List list;
  if (!axes.all()) list = axes_of("squeeze", axes, a.type());
  for (std::int64_t k = 0; axes.all() && k < a.rank(); ++k)
    if (a.shape()[at(k)] == 1) list.push_back(k);
  for (std::int64_t k : list)
    if (a.shape()[at(k)] != 1)
      type_error("squeeze", "only axes of extent 1 can go, found axis " + std::to_string(k) + " of " +
                                show(a.type()) + ".");
  return list.empty() ? a : lax::squeeze(a, list);
}

Array broadcast_to(Operand x, const Shape& shape) {
  const Frame frame(x.where());
  const Array a = x.array();
  const Shape shapes[] = {a.shape(), shape};
  bool fits = a.shape().size() <= shape.size();
  for (std::size_t i = 0; fits && i < a.shape().size(); ++i) {
    const std::int64_t extent = a.shape()[i];
    fits = extent == 1 || extent == shape[shape.size() - a.shape().size() + i];
  }
  if (!fits)
    type_error("broadcast_to",
               "the shape " + show(shape) + " cannot be reached from " + show(a.type()) +
                   ".\n  Counted from the last axis, extents must be equal or 1 in the operand.");
  return broadcast(a, common_shape("broadcast_to", shapes));
}
Shape broadcast_shapes(const std::vector<Shape>& shapes, Where where) {
  const Frame frame(where);
  return common_shape("broadcast_shapes", shapes);
}
Arrays broadcast_arrays(Operands operands) {
  const Frame frame(operands.where());
  std::vector<Shape> shapes;
  for (const Array& a : operands.arrays()) shapes.push_back(a.shape());
  const Shape shape = common_shape("broadcast_arrays", shapes);
  Arrays out;
  for (const Array& a : operands.arrays()) out.push_back(broadcast(a, shape));
  return out;
}

namespace {
/// The arrays in their common dtype.
Arrays promoted(std::string_view name, const Operands& operands) {
  if (operands.size() == 0) type_error(name, "at least one array is required, found none.");
  Dtype d = operands.arrays()[0].dtype();
  for (const Array& a : operands.arrays()) d = promote(d, a.dtype());
  Arrays out;
  for (const Array& a : operands.arrays()) out.push_back(to(a, d));
  return out;
}
Array joined(std::string_view name, const Arrays& arrays, int axis) {
  const auto k = axis_of(name, axis, arrays[0].type());
  const Shape first = without(arrays[0].shape(), {k});
  for (const Array& a : arrays)
    if (a.rank() != arrays[0].rank() || without(a.shape(), {k}) != first)
      type_error(name, "shapes may differ along axis " + std::to_string(k) + " only, found " +
                           show(arrays[0].type()) + " and " + show(a.type()) + ".");
  return lax::concatenate(arrays, static_cast<int>(k));
}
}  // namespace

Array concatenate(Operands operands, int axis) {
  const Frame frame(operands.where());
  return joined("concatenate", promoted("concatenate", operands), axis);
}
Array stack(Operands operands, int axis) {
  const Frame frame(operands.where());
  Arrays arrays = promoted("stack", operands);
  for (const Array& a : arrays)
    if (a.shape() != arrays[0].shape())
      type_error("stack",
                 "one shape is required, found " + show(arrays[0].type()) + " and " + show(a.type()) + ".");
  Type result = arrays[0].type();
  result.shape.push_back(1);
  const auto k = axis_of("stack", axis, result);
  for (Array& a : arrays) a = lax::expand_dims(a, {k});
  return lax::concatenate(arrays, static_cast<int>(k));
}
Array vstack(Operands operands) {
  const Frame frame(operands.where());
  Arrays arrays = promoted("vstack", operands);
  for (Array& a : arrays)
    if (a.rank() < 2) a = reshape(a, {1, -1});
  return joined("vstack", arrays, 0);
}
Array hstack(Operands operands) {
  const Frame frame(operands.where());
  Arrays arrays = promoted("hstack", operands);
  for (Array& a : arrays)
    if (a.rank() == 0) a = reshape(a, {1});
  return joined("hstack", arrays, arrays[0].rank() == 1 ? 0 : 1);
}

Arrays split(Operand x, const std::vector<std::int64_t>& indices, int axis) {
  const Frame frame(x.where());
  const Array a = x.array();
  const auto k = axis_of("split", axis, a.type());
  const std::int64_t extent = a.shape()[at(k)];
  Arrays out;
  std::int64_t from = 0;
  for (std::size_t i = 0; i <= indices.size(); ++i) {
    std::int64_t end = extent;
    if (i < indices.size())
      end = std::clamp<std::int64_t>(indices[i] < 0 ? indices[i] + extent : indices[i], 0, extent);
    out.push_back(lax::slice_in_dim(a, from, std::max(from, end), 1, static_cast<int>(k)));
    from = end;
  }
  return out;
}
Arrays split(Operand x, int sections, int axis) {
  const Frame frame(x.where());
  const Array a = x.array();
  const std::int64_t extent = a.shape()[at(axis_of("split", axis, a.type()))];
  if (sections < 1 || extent % sections != 0)
    type_error("split", "axis " + std::to_string(axis) + " of " + show(a.type()) + " cannot be cut into " +
                            std::to_string(sections) +
                            " equal parts.\n  Say where to cut: split(x, {2, 5}).");
  List indices;
  for (int i = 1; i < sections; ++i) indices.push_back(extent / sections * i);
  return split(a, indices, axis);
}

Array tile(Operand x, const std::vector<std::int64_t>& repeats) {
  const Frame frame(x.where());
  Array a = x.array();
  List times = repeats;
  Shape shape = a.shape();
  if (times.size() < shape.size()) times.insert(times.begin(), shape.size() - times.size(), 1);
  if (shape.size() < times.size()) shape.insert(shape.begin(), times.size() - shape.size(), 1);
  Shape parts, whole;
  List places;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (times[i] < 0) type_error("tile", "repeats must not be negative, found " + show(repeats) + ".");
    parts.insert(parts.end(), {times[i], shape[i]});
    whole.push_back(ops::extent_product(times[i], shape[i]));
    places.push_back(static_cast<std::int64_t>(2 * i + 1));
  }
  if (const std::string fault = fault_of_extents({u8, whole}); !fault.empty())
    type_error("tile", fault + ".");
  return lax::reshape(lax::broadcast_in_dim(lax::reshape(a, shape), parts, places), whole);
}
Array repeat(Operand x, std::int64_t repeats, std::optional<int> axis) {
  const Frame frame(x.where());
  if (repeats < 0)
    type_error("repeat", "repeats must not be negative, found " + std::to_string(repeats) + ".");
  const Array a = axis ? x.array() : ravel(x);
  const auto k = axis_of("repeat", axis.value_or(0), a.type());
  Shape parts = a.shape(), whole = a.shape();
  parts.insert(parts.begin() + k + 1, repeats);
  whole[at(k)] = ops::extent_product(whole[at(k)], repeats);
  if (const std::string fault = fault_of_extents({u8, whole}); !fault.empty())
    type_error("repeat", fault + ".");
  List places;
  for (std::int64_t i = 0; i < a.rank(); ++i) places.push_back(i <= k ? i : i + 1);
  return lax::reshape(lax::broadcast_in_dim(a, parts, places), whole);
}
Array flip(Operand x, const Axes& axes) {
  const Frame frame(x.where());
  const Array a = x.array();
  const List list = axes_of("flip", axes, a.type());
  return list.empty() ? a : lax::rev(a, list);
}
Array roll(Operand x, std::int64_t shift, std::optional<int> axis) {
  const Frame frame(x.where());
  const Array a = x.array();
  if (!axis) return reshape(roll(ravel(a), shift, 0), a.shape());
  const auto k = static_cast<int>(axis_of("roll", *axis, a.type()));
  const std::int64_t extent = a.dim(k);
  if (extent == 0) return a;
  const std::int64_t cut = (extent - shift % extent) % extent;
  if (cut == 0) return a;
  const Array tail = lax::slice_in_dim(a, cut, extent, 1, k), head = lax::slice_in_dim(a, 0, cut, 1, k);
  return lax::concatenate({tail, head}, k);
}

Array pad(Operand x, const std::vector<std::pair<std::int64_t, std::int64_t>>& widths, Operand value) {
  const Frame frame(x.where());
  const Array a = x.array();
  if (widths.size() != 1 && widths.size() != at(a.rank()))
    type_error("pad", "one pair of widths is required, or one for each axis of " + show(a.type()) +
                          ", found " + std::to_string(widths.size()) + " pairs.");
  std::vector<lax::Padding> padding;
  for (std::size_t i = 0; i < at(a.rank()); ++i) {
    const auto& [before, after] = widths[widths.size() == 1 ? 0 : i];
    if (before < 0 || after < 0)
      type_error("pad", "widths must not be negative, found " + show(List{before, after}) +
                            ".\n  Index with ranges.");
    padding.push_back({before, after, 0});
  }
  return lax::pad(a, as(value, a.dtype()), padding);
}

}  // namespace baton
