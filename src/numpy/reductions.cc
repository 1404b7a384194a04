// reductions: sums and their like over axes, running sums, and segments.
#include "numpy/common.h"

namespace baton {
namespace {

using namespace numpy;

/// The dtype that sums of this dtype have: small integers and bool grow to 32 bits.
Dtype sum_dtype(Dtype d) {
  if (d == boolean) return s32;
  if (is_integer(d) && size_of(d) < 4) return is_unsigned(d) ? u32 : s32;
  return d;
}
/// Half precision adds up in f32.
Dtype wide(Dtype d) { return d == f16 || d == bf16 ? f32 : d; }

using Reduce = Array (*)(Operand, const List&);
using Combine = Array (*)(Operand, Operand);

/// What is left out counts as `neutral`; `initial` is one more element.
Array reduced(std::string_view name, const Array& x, const Axes& axes, const ReduceOptions& o, Reduce reduce,
              Combine combine, const Array& neutral) {
  const List list = axes_of(name, axes, x.type());
  Array a = x;
  if (!o.where.empty()) {
    const Array mask = mask_of(name, o.where, x.shape());
    a = lax::select(mask, x, lax::full(x.shape(), neutral));
  }
  Array result = list.empty() ? a : reduce(a, list);
  if (o.initial) result = combine(result, *o.initial);
  return keep(result, x.shape(), list, o.keepdims);
}

Array summed(std::string_view name, Operand x, const Axes& axes, const ReduceOptions& o, Reduce reduce,
             Combine combine, int neutral) {
  const Frame frame(x.where());
  const Array a = x.array();
  const Dtype result = o.dtype.value_or(sum_dtype(a.dtype())), inside = wide(result);
  const Array value = reduced(name, to(a, inside), axes, o, reduce, combine, Operand(neutral).array(inside));
  return to(value, result);
}

Array extremal(std::string_view name, Operand x, const Axes& axes, const ReduceOptions& o, bool most) {
  const Frame frame(x.where());
  const Array a = o.dtype ? to(x.array(), *o.dtype) : x.array();
  const List list = axes_of(name, axes, a.type());
  for (std::int64_t axis : list)
    if (a.shape()[at(axis)] == 0 && !o.initial)
      type_error(name, "an axis with elements is required, found " + show(a.type()) + " axis " +
                           std::to_string(axis) + ".\n  Give the result for no elements: {.initial = ...}.");
  if (!o.where.empty() && !o.initial)
    type_error(name, "a mask needs a result for no elements.\n  Give it: {.initial = ..., .where = mask}.");
  if (most) return reduced(name, a, axes, o, lax::reduce_max, lax::max, lowest(a.dtype()));
  return reduced(name, a, axes, o, lax::reduce_min, lax::min, highest(a.dtype()));
}

/// How many elements go into each result.
Array mean_of(const Array& x, const List& axes, double less = 0) {
  std::int64_t n = 1;
  for (std::int64_t axis : axes) n *= x.shape()[at(axis)];
  if (is_integer(x.dtype())) return lax::div(lax::reduce_sum(x, axes), Operand(n));
  return lax::div(lax::reduce_sum(x, axes), static_cast<double>(n) - less);
}

}  // namespace

Array sum(Operand x, const Axes& axes, const ReduceOptions& o) {
  return summed("sum", x, axes, o, lax::reduce_sum, lax::add, 0);
}
Array prod(Operand x, const Axes& axes, const ReduceOptions& o) {
  return summed("prod", x, axes, o, lax::reduce_prod, lax::mul, 1);
}
Array max(Operand x, const Axes& axes, const ReduceOptions& o) { return extremal("max", x, axes, o, true); }
Array min(Operand x, const Axes& axes, const ReduceOptions& o) { return extremal("min", x, axes, o, false); }
Array amax(Operand x, const Axes& axes, const ReduceOptions& o) { return extremal("amax", x, axes, o, true); }
Array amin(Operand x, const Axes& axes, const ReduceOptions& o) {
  return extremal("amin", x, axes, o, false);
}

Array mean(Operand x, const Axes& axes, const ReduceOptions& o) {
  const Frame frame(x.where());
  if (o.initial) type_error("mean", "a mean has no initial value.");
  const Array a = x.array();
  const Dtype result = o.dtype.value_or(inexact(a.dtype())), inside = wide(result);
  const List list = axes_of("mean", axes, a.type());
  if (o.where.empty()) {
    const Array m = mean_of(to(a, inside), list);
    return to(keep(m, a.shape(), list, o.keepdims), result);
  }
  const Array mask = mask_of("mean", o.where, a.shape());
  const Array total = sum(to(a, inside), axes, {.keepdims = o.keepdims, .where = mask});
  const Array count = sum(mask, axes, {.keepdims = o.keepdims, .dtype = inside});
  return to(lax::div(total, count), result);
}

Array var(Operand x, const Axes& axes, const VarianceOptions& o) {
  const Frame frame(x.where());
  const Array before = floating(x);
  const Dtype result = real_of(before.dtype());
  const Array a = to(before, wide(before.dtype()));
  const List list = axes_of("var", axes, a.type());
  const Array centre = spread(mean_of(a, list), a.shape(), list);
  const Array distance = lax::sub(a, centre);
  Array squares =
      is_complex(a.dtype()) ? lax::real(lax::mul(distance, lax::conj(distance))) : lax::square(distance);
  const Array v = mean_of(squares, list, o.ddof);
  return to(keep(v, a.shape(), list, o.keepdims), result);
}
Array stddev(Operand x, const Axes& axes, const VarianceOptions& o) {
  const Frame frame(x.where());
  return lax::sqrt(var(x, axes, o));
}

namespace {
Array tested(std::string_view name, Operand x, const Axes& axes, const KeepOptions& o, Reduce reduce) {
  const Frame frame(x.where());
  const Array a = as(x, boolean);
  const List list = axes_of(name, axes, a.type());
  return keep(list.empty() ? a : reduce(a, list), a.shape(), list, o.keepdims);
}
Array arg(std::string_view name, Operand x, std::optional<int> axis, const KeepOptions& o,
          Array (*find)(Operand, int, Dtype)) {
  const Frame frame(x.where());
  const Array a = x.array();
  const Array line = axis ? a : ravel(a);
  const std::int64_t k = axis ? axis_of(name, *axis, a.type()) : 0;
  if (line.shape()[at(k)] == 0)
    type_error(name, "an axis with elements is required, found " + show(a.type()) + ".");
  const Array i = find(line, static_cast<int>(k), s32);
  return keep(i, a.shape(), axis ? List{k} : all_axes(a.rank()), o.keepdims);
}
}  // namespace

Array any(Operand x, const Axes& axes, const KeepOptions& o) {
  return tested("any", x, axes, o, lax::reduce_or);
}
Array All::operator()(Operand x, const Axes& axes, const KeepOptions& o) const {
  return tested("all", x, axes, o, lax::reduce_and);
}
Array argmax(Operand x, std::optional<int> axis, const KeepOptions& o) {
  return arg("argmax", x, axis, o, lax::argmax);
}
Array argmin(Operand x, std::optional<int> axis, const KeepOptions& o) {
  return arg("argmin", x, axis, o, lax::argmin);
}

namespace {
Array running(std::string_view name, Operand x, std::optional<int> axis, Array (*run)(Operand, int, bool)) {
  const Frame frame(x.where());
  const Array a = x.array();
  const Array numbers = a.dtype() == boolean ? to(a, s32) : a;
  if (!axis) return run(ravel(numbers), 0, false);
  return run(numbers, static_cast<int>(axis_of(name, *axis, a.type())), false);
}
}  // namespace

Array cumsum(Operand x, std::optional<int> axis) { return running("cumsum", x, axis, lax::cumsum); }
Array cumprod(Operand x, std::optional<int> axis) { return running("cumprod", x, axis, lax::cumprod); }

Array diff(Operand x, int n, int axis) {
  const Frame frame(x.where());
  Array a = x.array();
  if (n < 0) type_error("diff", "the order must not be negative, found " + std::to_string(n) + ".");
  const auto k = static_cast<int>(axis_of("diff", axis, a.type()));
  for (int i = 0; i < n; ++i) {
    const std::int64_t extent = a.dim(k);
    if (extent == 0) break;
    const Array after = lax::slice_in_dim(a, 1, extent, 1, k),
                before = lax::slice_in_dim(a, 0, extent - 1, 1, k);
    a = a.dtype() == boolean ? lax::ne(after, before) : lax::sub(after, before);
  }
  return a;
}

namespace {
using Scatter = Array (*)(Operand, Operand, Operand, const lax::ScatterDims&, const lax::ScatterOptions&);

Array segments(std::string_view name, Operand data, Operand ids, std::int64_t count, Scatter scatter,
               const Array& neutral) {
  const Array x = data.array(), i = ids.array();
  require_integers(name, i);
  if (i.rank() > x.rank() || !std::equal(i.shape().begin(), i.shape().end(), x.shape().begin()))
    type_error(name, "one id is required for each slice of the data, found " + show(x.type()) + " and ids " +
                         show(i.type()) + ".");
  if (count < 0) type_error(name, "0 or more segments are required, found " + std::to_string(count) + ".");
  Shape shape(x.shape().begin() + i.rank(), x.shape().end()), vectors = i.shape();
  shape.insert(shape.begin(), count);
  vectors.push_back(1);
  lax::ScatterDims dims;
  for (int k = i.rank(); k < x.rank(); ++k) dims.update_window_dims.push_back(k);
  dims.inserted_window_dims = {0};
  dims.scatter_dims_to_operand_dims = {0};
  const Array start = lax::full(shape, neutral);
  return scatter(start, lax::reshape(i, vectors), x, dims, {});
}
}  // namespace

Array segment_sum(Operand data, Operand ids, std::int64_t count) {
  const Frame frame(data.where());
  return segments("segment_sum", data, ids, count, lax::scatter_add, Operand(0).array(data.dtype()));
}
Array segment_prod(Operand data, Operand ids, std::int64_t count) {
  const Frame frame(data.where());
  return segments("segment_prod", data, ids, count, lax::scatter_mul, Operand(1).array(data.dtype()));
}
Array segment_max(Operand data, Operand ids, std::int64_t count) {
  const Frame frame(data.where());
  return segments("segment_max", data, ids, count, lax::scatter_max, lowest(data.dtype()));
}
Array segment_min(Operand data, Operand ids, std::int64_t count) {
  const Frame frame(data.where());
  return segments("segment_min", data, ids, count, lax::scatter_min, highest(data.dtype()));
}

}  // namespace baton
