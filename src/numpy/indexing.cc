// indexing: functions that choose elements by integer arrays, and sort.
#include "numpy/common.h"
#include "ops/order.h"

namespace baton {
namespace {
using namespace numpy;

/// Indices modulo the extent, of a dtype that holds it.
Array around(const Array& i, std::int64_t extent) {
  const Array low = i.dtype() == u64 && extent > 0 ? remainder(i, lax::full_like(i, extent)) : i;  // fits s64
  return remainder(wrapped_index(low, extent), extent);
}
}  // namespace

Array take(Operand x, Operand indices, std::optional<int> axis, const TakeOptions& options) {
  const Frame frame(x.where());
  const Array a = axis ? x.array() : ravel(x), i = indices.array();
  require_integers("take", i);
  const std::int64_t k = axis_of("take", axis.value_or(0), a.type()), extent = a.shape()[at(k)];
  const auto o = gather_options("take", options.mode, IndexMode::fill, options.fill_value);
  if (options.mode == IndexMode::wrap) return ops::take("take", a, around(i, extent), k, o);
  // As in numpy, clipping takes negative indices to 0.
  const bool clips = o.mode == lax::GatherMode::clip;
  return ops::take("take", a, clips ? i : wrapped_index(i, extent), k, o);
}

Array take_along_axis(Operand x, Operand indices, int axis, const TakeOptions& options) {
  const Frame frame(x.where());
  const Array a = x.array(), given = indices.array();
  require_integers("take_along_axis", given);
  if (a.rank() != given.rank())
    type_error("take_along_axis", "array and indices must have as many axes, found " + show(a.type()) +
                                      " and " + show(given.type()) + ".");
  const std::int64_t k = axis_of("take_along_axis", axis, a.type()), extent = a.shape()[at(k)];
  const auto o = gather_options("take_along_axis", options.mode, IndexMode::fill, options.fill_value);
  const Array i = options.mode == IndexMode::clip   ? given
                  : options.mode == IndexMode::wrap ? around(given, extent)
                                                    : wrapped_index(given, extent);
  const Shape others[] = {kept(a.shape(), {k}), kept(i.shape(), {k})};
  Shape from = common_shape("take_along_axis", others), vectors = from;
  from[at(k)] = extent, vectors[at(k)] = i.shape()[at(k)];
  const Array places = broadcast(i, vectors);
  return ops::take_along("take_along_axis", broadcast(a, from), places, k, o);
}

Array searchsorted(Operand sorted, Operand queries, bool right) {
  const Frame frame(sorted.where());
  const Operand both[] = {sorted, queries};
  const Dtype d = common_dtype(both);
  const Array line = as(sorted, d), q = as(queries, d);
  if (line.rank() != 1)
    type_error("searchsorted", "a sorted vector is required, found " + show(line.type()) + ".");
  return ops::count_before(line, q, right);
}

Array sort(Operand x, int axis, const SortingOptions& options) {
  const Frame frame(x.where());
  const Array a = x.array();
  const auto k = static_cast<int>(axis_of("sort", axis, a.type()));
  const Array rising = lax::sort({a}, {.dimension = k})[0];
  return options.descending ? lax::rev(rising, {k}) : rising;
}
Array argsort(Operand x, int axis, const SortingOptions& options) {
  const Frame frame(x.where());
  Array a = lax::stop_gradient(x.array());
  const auto k = static_cast<int>(axis_of("argsort", axis, a.type()));
  Array i = positions(a.shape(), k);
  // Reversed before and after, so that equal elements keep their order.
  if (options.descending) a = lax::rev(a, {k}), i = lax::rev(i, {k});
  const Array order = lax::sort({a, i}, {.dimension = k})[1];
  return options.descending ? lax::rev(order, {k}) : order;
}

Array interp(Operand x, Operand xp, Operand fp, const InterpOptions& options) {
  const Frame frame(x.where());
  const Operand all_three[] = {x, xp, fp};
  const Dtype d = inexact(common_dtype(all_three));
  const Array at_x = as(x, d), knots = as(xp, d), heights = as(fp, d);
  if (knots.rank() != 1 || heights.shape() != knots.shape() || knots.size() == 0)
    type_error("interp", "two vectors of one length, at least 1, are required, found " + show(knots.type()) +
                             " and " + show(heights.type()) + ".");
  const std::int64_t last = knots.size() - 1;
  auto pick = [&](const Array& from, const Array& i) {
    return ops::take("interp", from, i, 0, {.mode = lax::GatherMode::clip});
  };
  const Array found = searchsorted(lax::stop_gradient(knots), lax::stop_gradient(at_x), true);
  const Array right = lax::clamp(std::min<std::int64_t>(1, last), found, last);
  const Array left = lax::max(lax::sub(right, 1), 0);
  const Array x0 = pick(knots, left), x1 = pick(knots, right), f0 = pick(heights, left),
              f1 = pick(heights, right);
  const Array width = lax::sub(x1, x0), none = lax::eq(width, lax::full_like(width, 0));
  const Array divisor = lax::select(none, lax::full_like(width, 1), width);
  const Array share = lax::div(lax::sub(at_x, x0), divisor);
  const Array rise = lax::mul(share, lax::sub(f1, f0));
  const Array inside = lax::select(none, f0, lax::add(f0, rise));
  const Array first = take(knots, 0, 0), end = take(knots, last, 0);
  const Array low = options.left ? Operand(*options.left).array(d) : take(heights, 0, 0);
  const Array high = options.right ? Operand(*options.right).array(d) : take(heights, last, 0);
  const Array below = where(less(at_x, first), low, inside);
  return where(greater(at_x, end), high, below);
}

}  // namespace baton
