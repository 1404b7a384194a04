// cumulative: the shared pieces of running combinations that need no template.
#include "ops/cumulative.h"

namespace baton::ops {
namespace {

Dual slice(const Dual& d, std::int64_t start, std::int64_t limit, std::int64_t stride, int axis) {
  return {lax::slice_in_dim(d.x, start, limit, stride, axis),
          lax::slice_in_dim(d.dx, start, limit, stride, axis)};
}

/// even[0], odd[0], even[1], odd[1], ...
Array interleave(const Array& even, const Array& odd, int axis) {
  const std::int64_t n = odd.dim(axis);
  auto column = [&](const Array& a) {
    return lax::expand_dims(lax::slice_in_dim(a, 0, n, 1, axis), {axis + 1});
  };
  Shape shape = odd.shape();
  shape[static_cast<std::size_t>(axis)] = 2 * n;
  const Array pairs = lax::reshape(lax::concatenate({column(even), column(odd)}, axis + 1), shape);
  if (even.dim(axis) == n) return pairs;
  return lax::concatenate({pairs, lax::slice_in_dim(even, n, n + 1, 1, axis)}, axis);
}

Dual scan(const Dual& d, int axis, FunctionRef<Dual(const Dual&, const Dual&)> combine) {
  const std::int64_t n = d.x.dim(axis);
  if (n < 2) return d;
  const Dual odd = scan(combine(slice(d, 0, n - 1, 2, axis), slice(d, 1, n, 2, axis)), axis, combine);
  Dual even = slice(d, 0, 1, 1, axis);
  if (n > 2) {
    const Dual later = combine(slice(odd, 0, (n - 1) / 2, 1, axis), slice(d, 2, n, 2, axis));
    even = {lax::concatenate({even.x, later.x}, axis), lax::concatenate({even.dx, later.dx}, axis)};
  }
  return {interleave(even.x, odd.x, axis), interleave(even.dx, odd.dx, axis)};
}

}  // namespace

Types cumulative_type(std::string_view name, std::span<const Type> in, const Params& params, Domain domain) {
  require_count(name, in, 1);
  require_dtype(name, in, 0, domain);
  require_axis(name, in[0], params.as<Cumulative>().axis);
  return {in[0]};
}

std::vector<Batched> cumulative_batch(const Primitive& primitive, std::span<const Batched> in,
                                      const Params& params) {
  Cumulative p = params.as<Cumulative>();
  p.axis = shifted(p.axis, in[0].axis);
  return {{bind_one(primitive, {in[0].value}, p, {}), in[0].axis}};
}

Array bind_cumulative(const Primitive& primitive, Operand x, int axis, bool reverse) {
  const Array a = x.array();
  const std::int64_t rank = a.empty() ? 0 : a.rank();
  return bind_one(primitive, {a}, Cumulative{canonical_axis(axis, rank), reverse}, x.where());
}

Array cumulative_jvp(const Array& x, const Array& dx, const Params& params,
                     FunctionRef<Dual(const Dual&, const Dual&)> combine) {
  const auto& p = params.as<Cumulative>();
  const int axis = static_cast<int>(p.axis);
  if (!p.reverse) return scan({x, dx}, axis, combine).dx;
  return lax::rev(scan({lax::rev(x, {axis}), lax::rev(dx, {axis})}, axis, combine).dx, {axis});
}

Array chosen_tangent(const Array& prefer_first, const Array& prefer_second, const Array& da,
                     const Array& db) {
  const Array both = lax::mul(lax::add(da, db), 0.5);
  return lax::select(prefer_first, da, lax::select(prefer_second, db, both));
}

std::vector<Example> cumulative_examples(bool distinct) {
  auto row = [&](Shape shape, std::int64_t axis, bool reverse, std::string_view note) {
    return Example{.inputs = {{f32, std::move(shape)}},
                   .params = Cumulative{axis, reverse},
                   .complex_order = distinct ? 0 : 2,  // complex numbers have no order to differentiate
                   .note = note,
                   .distinct = distinct};
  };
  return {row({6}, 0, false, "an even length"),   row({5}, 0, true, "an odd length, from the end"),
          row({2, 3, 4}, 1, false, "the middle"), row({3, 7}, 1, true, "the last axis, from the end"),
          row({1}, 0, false, "one element"),      row({2, 0}, 1, true, "no elements"),
          row({0, 2}, 1, false, "no lanes")};
}

}  // namespace baton::ops
