// creation: arrays from shapes and numbers, and the diagonals of matrices.
#include "numpy/common.h"

namespace baton {
namespace {

using namespace numpy;

void require_extents(std::string_view name, const Shape& shape) {
  for (std::int64_t extent : shape)
    if (extent < 0) type_error(name, "extents must not be negative, found " + show(shape) + ".");
  if (const std::string fault = fault_of_extents({u8, shape}); !fault.empty()) type_error(name, fault + ".");
}

/// bool[rows, columns]: true where column - row - k is at least 0 (or, with `exactly`, 0).
Array band(std::int64_t rows, std::int64_t columns, std::int64_t k, bool exactly) {
  const Shape shape{rows, columns};
  k = std::clamp(k, -rows, columns);  // beyond the matrix nothing changes
  const Array row = positions(shape, 0), column = positions(shape, 1);
  const Array shifted = lax::add(row, k);
  return exactly ? lax::eq(column, shifted) : lax::ge(column, shifted);
}

}  // namespace

Array full(const Shape& shape, Operand value, std::optional<Dtype> dtype) {
  const Frame frame(value.where());
  require_extents("full", shape);
  const Array number = as(value, dtype.value_or(value.dtype()));
  const Shape shapes[] = {number.shape(), shape};
  if (common_shape("full", shapes) != shape)
    type_error("full",
               "the value " + show(number.type()) + " must broadcast to the shape " + show(shape) + ".");
  return broadcast(number, shape);
}
Array zeros(const Shape& shape, Dtype dtype, Where where) {
  const Frame frame(where);
  require_extents("zeros", shape);
  return lax::zeros({dtype, shape});
}
Array ones(const Shape& shape, Dtype dtype, Where where) {
  const Frame frame(where);
  require_extents("ones", shape);
  return full(shape, 1, dtype);
}
Array full_like(Operand x, Operand value) {
  const Frame frame(x.where());
  const Array a = x.array();
  return full(a.shape(), value, a.dtype());
}
Array zeros_like(Operand x) { return full_like(x, 0); }
Array ones_like(Operand x) { return full_like(x, 1); }

Array eye(std::int64_t rows, std::int64_t columns, int k, Dtype dtype, Where where) {
  const Frame frame(where);
  if (columns < 0) columns = rows;
  require_extents("eye", {rows, columns});
  return to(band(rows, columns, k, true), dtype);
}

Array arange(Number stop, std::optional<Dtype> dtype, Where where) {
  return arange(0, stop, 1, dtype, where);
}
namespace {
std::string show_number(const Number& x) {
  if (x.integer) return std::to_string(x.whole);
  return show(make_literal(f64, x.value));
}
}  // namespace
Array arange(Number start, Number stop, Number step, std::optional<Dtype> dtype, Where where) {
  const Frame frame(where);
  if (step.value == 0) type_error("arange", "a step other than 0 is required.");
  const bool integers = start.integer && stop.integer && step.integer;
  const Dtype d = dtype.value_or(integers ? s32 : f32);
  double count = std::ceil((stop.value - start.value) / step.value);
  if (!std::isfinite(start.value) || !std::isfinite(stop.value) || !std::isfinite(step.value))
    type_error("arange", "finite numbers are required, found start " + show_number(start) + ", stop " +
                             show_number(stop) + " and step " + show_number(step) + ".");
  std::int64_t n = count >= 0x1p62 ? std::int64_t{1} << 62 : count > 0 ? static_cast<std::int64_t>(count) : 0;
  if (integers) {
    const __int128 distance = static_cast<__int128>(stop.whole) - start.whole;
    const __int128 whole = distance / step.whole + (distance % step.whole != 0);
    n = (distance > 0) == (step.whole > 0) && distance != 0
            ? static_cast<std::int64_t>(std::min<__int128>(whole, std::int64_t{1} << 62))
            : 0;
  }
  if (const std::string fault = fault_of_extents({d, {n}}); !fault.empty())
    type_error("arange", "start " + show_number(start) + ", stop " + show_number(stop) + " and step " +
                             show_number(step) + " give " + show(Type{d, {n}}) + ": " + fault + ".");
  const Array i = lax::iota({d == boolean ? s32 : d, {n}}, 0);
  if (start.value == 0 && step.value == 1) return to(i, d);
  auto number = [&](const Number& x) { return x.integer ? Operand(x.whole) : Operand(x.value); };
  const Array steps = step.value == 1 ? i : lax::mul(i, full(i.shape(), number(step), i.dtype()));
  return to(lax::add(steps, full(i.shape(), number(start), i.dtype())), d);
}

Array linspace(Operand start, Operand stop, std::int64_t count, const LinspaceOptions& options) {
  const Frame frame(start.where());
  if (count < 0)
    type_error("linspace", "a count of 0 or more is required, found " + std::to_string(count) + ".");
  const auto [from, end] = aligned_inexact("linspace", start, stop);
  const Dtype inside = from.dtype(), result = options.dtype.value_or(inside);
  Shape shape = from.shape();
  shape.insert(shape.begin(), count);
  const std::int64_t parts = options.endpoint ? count - 1 : count;
  if (parts < 1) return to(broadcast(from, shape), result);
  shape[0] = parts;
  const Array a = broadcast(from, shape), b = broadcast(end, shape);
  // Mixed from both ends; the last element is `stop` itself, whatever the others are.
  const Array share = lax::div(positions(shape, 0, inside), static_cast<double>(parts));
  const Array rest = lax::sub(lax::full_like(share, 1), share);
  const Array left = lax::mul(a, rest), right = lax::mul(b, share);
  Array mixed = lax::add(left, right);
  if (options.endpoint) mixed = lax::concatenate({mixed, lax::expand_dims(end, {0})}, 0);
  if (is_inexact(result)) return to(mixed, result);
  return to(lax::floor(mixed), result);
}

Arrays meshgrid(Operands operands, const MeshOptions& options) {
  const Frame frame(operands.where());
  Shape shape;
  for (const Array& a : operands.arrays()) {
    if (a.rank() > 1) type_error("meshgrid", "vectors are required, found " + show(a.type()) + ".");
    shape.push_back(a.size());
  }
  const bool swap = !options.ij && shape.size() >= 2;
  if (swap) std::swap(shape[0], shape[1]);
  Arrays out;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::size_t axis = swap && i < 2 ? 1 - i : i;
    out.push_back(
        lax::broadcast_in_dim(ravel(operands.arrays()[i]), shape, {static_cast<std::int64_t>(axis)}));
  }
  return out;
}

namespace {
Array triangle(std::string_view name, Operand x, int k, bool lower) {
  const Frame frame(x.where());
  const Array a = x.array();
  if (a.rank() < 2) type_error(name, "at least two axes are required, found " + show(a.type()) + ".");
  const Array upper = band(a.dim(-2), a.dim(-1), std::int64_t{k} + lower, false);
  const Array mask = broadcast(upper, a.shape()), none = lax::full_like(a, 0);
  return lower ? lax::select(mask, none, a) : lax::select(mask, a, none);
}
}  // namespace

Array tril(Operand x, int k) { return triangle("tril", x, k, true); }
Array triu(Operand x, int k) { return triangle("triu", x, k, false); }

Array diagonal(Operand x, int offset, int axis1, int axis2) {
  const Frame frame(x.where());
  const Array a = x.array();
  const std::int64_t first = axis_of("diagonal", axis1, a.type()),
                     second = axis_of("diagonal", axis2, a.type());
  if (first == second) type_error("diagonal", "two axes are required, found one of " + show(a.type()) + ".");
  const Array m = moveaxis(a, List{first, second}, List{-2, -1});
  const std::int64_t rows = m.dim(-2), columns = m.dim(-1);
  const std::int64_t down = std::clamp<std::int64_t>(-std::int64_t{offset}, 0, rows),
                     right = std::clamp<std::int64_t>(offset, 0, columns);
  const std::int64_t n = std::max<std::int64_t>(0, std::min(rows - down, columns - right));
  // Row i of the flattened matrix starts at i * columns: diagonal elements are columns + 1 apart.
  Shape flat(m.shape().begin(), m.shape().end() - 2);
  flat.push_back(rows * columns);
  const Array elements = lax::reshape(m, flat);
  const std::int64_t start = std::min(down * columns + right, rows * columns);
  const std::int64_t end = n == 0 ? start : start + (n - 1) * (columns + 1) + 1;
  return lax::slice_in_dim(elements, start, end, columns + 1, m.rank() - 2);
}

Array diag(Operand x, int k) {
  const Frame frame(x.where());
  const Array a = x.array();
  if (a.rank() == 2) return diagonal(a, k);
  if (a.rank() != 1) type_error("diag", "a vector or a matrix is required, found " + show(a.type()) + ".");
  const std::int64_t right = std::max<std::int64_t>(k, 0), down = std::max<std::int64_t>(-std::int64_t{k}, 0);
  const std::int64_t n = a.size() + right + down;
  if (const std::string fault = fault_of_extents({a.dtype(), {n, n}}); !fault.empty())
    type_error("diag", fault + ".");
  const Array padded = lax::pad(a, Operand(0).array(a.dtype()), {{right, down, 0}});
  const Array rows = broadcast(padded, {n, n});
  const Array here = band(n, n, k, true);
  return lax::select(here, rows, lax::full_like(rows, 0));
}

}  // namespace baton
