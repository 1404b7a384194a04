// common: dtypes and shapes of operands side by side, axes, indices.
#include "numpy/common.h"

namespace baton {
namespace numpy {

Array to(const Array& x, Dtype dtype) { return x.dtype() == dtype ? x : lax::convert_element_type(x, dtype); }

Dtype inexact(Dtype dtype) {
  if (is_inexact(dtype)) return dtype;
  return is_integer(dtype) && size_of(dtype) == 8 ? f64 : f32;
}

Array floating(Operand x) {
  if (x.is_array()) {
    const Array a = x.array();
    return to(a, inexact(a.dtype()));
  }
  return x.array(inexact(x.dtype()));
}

Dtype common_dtype(std::span<const Operand> operands) {
  std::optional<Dtype> d;
  for (const Operand& o : operands)
    if (o.is_array()) d = d ? promote(*d, o.dtype()) : o.dtype();
  for (const Operand& o : operands)
    if (!o.is_array()) d = d ? o.dtype_beside(*d) : o.dtype();
  return d.value_or(f32);
}

Array as(Operand x, Dtype dtype) { return x.is_array() ? to(x.array(), dtype) : x.array(dtype); }

std::optional<Shape> broadcast_of(std::span<const Shape> shapes) {
  Shape out;
  for (const Shape& s : shapes) {
    if (s.size() > out.size()) out.insert(out.begin(), s.size() - out.size(), 1);
    for (std::size_t i = 0; i < s.size(); ++i) {
      std::int64_t& extent = out[out.size() - s.size() + i];
      if (extent == 1) extent = s[i];
      if (s[i] != extent && s[i] != 1) return std::nullopt;
    }
  }
  return out;
}

Shape common_shape(std::string_view name, std::span<const Shape> shapes) {
  if (const auto common = broadcast_of(shapes)) return *common;
  std::vector<std::string> texts;
  for (const Shape& s : shapes) texts.push_back(show(s));
  type_error(name, "shapes must broadcast, found " + join(texts, " and ") +
                       ".\n  Counted from the last axis, extents must be equal or 1.");
}

Array broadcast(const Array& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  List axes;
  for (std::size_t i = shape.size() - x.shape().size(); i < shape.size(); ++i)
    axes.push_back(static_cast<std::int64_t>(i));
  return lax::broadcast_in_dim(x, shape, axes);
}

namespace {
Pair aligned_as(std::string_view name, Operand x, Operand y, Dtype d) {
  const Array a = as(x, d), b = as(y, d);
  if (a.shape() == b.shape()) return {a, b};
  const Shape shapes[] = {a.shape(), b.shape()};
  const Shape shape = common_shape(name, shapes);
  const Array left = broadcast(a, shape);
  return {left, broadcast(b, shape)};
}
}  // namespace

Pair aligned(std::string_view name, Operand x, Operand y) {
  const Operand both[] = {x, y};
  return aligned_as(name, x, y, common_dtype(both));
}

Pair aligned_inexact(std::string_view name, Operand x, Operand y) {
  const Operand both[] = {x, y};
  return aligned_as(name, x, y, inexact(common_dtype(both)));
}

std::int64_t axis_of(std::string_view name, std::int64_t axis, const Type& type) {
  const std::int64_t a = ops::canonical_axis(axis, type.rank());
  if (a < 0 || a >= type.rank())
    type_error(name, "axis " + std::to_string(axis) + " is out of range for " + show(type) + ".");
  return a;
}

List axes_of(std::string_view name, const Axes& axes, const Type& type) {
  if (axes.all()) return all_axes(type.rank());
  List out;
  for (std::int64_t axis : axes.list()) {
    out.push_back(axis_of(name, axis, type));
    if (std::count(out.begin(), out.end(), out.back()) > 1)
      type_error(name, "axis " + std::to_string(axis) + " is given twice for " + show(type) + ".");
  }
  return out;
}

List all_axes(std::int64_t rank) {
  List out(at(rank));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

Shape kept(const Shape& shape, const List& axes) {
  Shape out = shape;
  for (std::int64_t a : axes) out[at(a)] = 1;
  return out;
}

Shape without(const Shape& shape, const List& axes) {
  Shape out;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (!ops::holds(axes, static_cast<std::int64_t>(i))) out.push_back(shape[i]);
  return out;
}

std::int64_t product(const Shape& shape) { return Type{u8, shape}.size(); }

Array keep(const Array& reduced, const Shape& before, const List& axes, bool keepdims) {
  return keepdims ? lax::reshape(reduced, kept(before, axes)) : reduced;
}

Array spread(const Array& reduced, const Shape& before, const List& axes) {
  List rest;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!ops::holds(axes, static_cast<std::int64_t>(i))) rest.push_back(static_cast<std::int64_t>(i));
  return lax::broadcast_in_dim(reduced, before, rest);
}

namespace {
Array extreme(Dtype d, bool high) {
  if (d == boolean) return Operand(high).array(d);
  if (is_unsigned(d)) return high ? lax::bitwise_not(Operand(0).array(d)) : Operand(0).array(d);
  if (is_signed(d)) {
    const auto bits = 8 * size_of(d) - 1;
    const auto most = static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
    return Operand(high ? most : -most - 1).array(d);
  }
  const double inf = std::numeric_limits<double>::infinity();
  return Operand(high ? inf : -inf).array(d);
}
}  // namespace

Array highest(Dtype dtype) { return extreme(dtype, true); }
Array lowest(Dtype dtype) { return extreme(dtype, false); }

double largest_finite(Dtype dtype) {
  switch (real_of(dtype)) {
    case Dtype::f16:
      return 65504;
    case Dtype::bf16:
      return 0x1.FEp127;
    case Dtype::f64:
      return std::numeric_limits<double>::max();
    default:
      return static_cast<double>(std::numeric_limits<float>::max());
  }
}

Array positions(const Shape& shape, std::int64_t axis, Dtype dtype) {
  return lax::iota({dtype, shape}, static_cast<int>(axis));
}

void require_integers(std::string_view name, const Array& indices) {
  if (is_integer(indices.dtype())) return;
  std::string advice = "\n  Convert them with astype(i, s32).";
  if (indices.dtype() == boolean)
    advice =
        "\n  A mask has no fixed number of elements; use where(mask, x, y), or sum(x, {}, {.where = mask}).";
  type_error(name, "indices must be integers, found " + show(indices.type()) + "." + advice);
}

lax::GatherOptions gather_options(std::string_view name, IndexMode mode, IndexMode by_default,
                                  std::optional<double> fill_value) {
  if (mode == IndexMode::automatic) mode = by_default;
  lax::GatherOptions o;
  o.mode = mode == IndexMode::clip || mode == IndexMode::wrap ? lax::GatherMode::clip
           : mode == IndexMode::promise_in_bounds             ? lax::GatherMode::promise_in_bounds
                                                              : lax::GatherMode::fill;
  if (o.mode == lax::GatherMode::fill)
    o.fill_value = fill_value;
  else if (fill_value)
    type_error(name, "a fill_value needs mode fill.\n  Say {.mode = IndexMode::fill, .fill_value = ...}.");
  return o;
}

Array mask_of(std::string_view name, const Array& mask, const Shape& shape) {
  if (mask.dtype() != boolean)
    type_error(name,
               "a mask must be bool, found " + show(mask.type()) + ".\n  Compare first: greater(mask, 0).");
  const Shape shapes[] = {mask.shape(), shape};
  if (common_shape(name, shapes) != shape)
    type_error(name, "the mask " + show(mask.type()) + " must broadcast to " + show(shape) + ".");
  return broadcast(mask, shape);
}

}  // namespace numpy
}  // namespace baton
