// products: matrix products and their like, each one dot_general.
#include "numpy/common.h"

namespace baton {
namespace {

using namespace numpy;

Pair promoted(Operand x, Operand y) {
  const Operand both[] = {x, y};
  const Dtype d = common_dtype(both);
  const Array a = as(x, d);
  return {a, as(y, d)};
}
void require_axes_of(std::string_view name, const Array& x, const Array& y) {
  for (const Array& a : {x, y})
    if (a.rank() == 0)
      type_error(name, "operands with axes are required, found " + show(a.type()) + ".\n  Scale with `*`.");
}
[[noreturn]] void mismatch(std::string_view name, const std::string& rule, const Array& x, const Array& y) {
  type_error(name, rule + ", found " + show(x.type()) + " and " + show(y.type()) + ".");
}
/// Leading axes of extent 1 on the left.
Array with_rank(const Array& x, std::size_t rank) {
  Shape shape = x.shape();
  if (shape.size() >= rank) return x;
  shape.insert(shape.begin(), rank - shape.size(), 1);
  return lax::reshape(x, shape);
}

}  // namespace

Array matmul(Operand x, Operand y) {
  const Frame frame(x.where());
  auto [a, b] = promoted(x, y);
  require_axes_of("matmul", a, b);
  const bool row = a.rank() == 1, column = b.rank() == 1;
  if (a.dim(-1) != b.dim(column ? -1 : -2))
    mismatch("matmul", "the last axis of the first operand must match the second-to-last of the second", a,
             b);
  if (row && column) return lax::dot_general(a, b, {{0}, {0}, {}, {}});
  if (column) return lax::dot_general(a, b, {{a.rank() - 1}, {0}, {}, {}});
  const std::size_t leading_a = row ? 0 : at(a.rank() - 2), leading_b = at(b.rank() - 2);
  // No batch on the right: one product of a tall matrix. With extents of 1, those axes are left out of the
  // batch.
  if (leading_b == 0) return lax::dot_general(a, b, {{a.rank() - 1}, {0}, {}, {}});
  const Shape lead[] = {Shape(a.shape().begin(), a.shape().begin() + static_cast<std::ptrdiff_t>(leading_a)),
                        Shape(b.shape().begin(), b.shape().end() - 2)};
  const Shape leading = common_shape("matmul", lead);
  const Array left = row ? a : with_rank(a, leading.size() + 2), right = with_rank(b, leading.size() + 2);
  lax::DotDims dims;
  List drop_a, drop_b;  // axes of extent 1 whose partner is longer
  List order;           // where each result axis of dot_general goes
  List free_a, free_b, batch;
  std::int64_t index_a = 0, index_b = 0;
  for (std::size_t i = 0; i < leading.size(); ++i) {
    const auto axis = static_cast<std::int64_t>(i);
    const bool has_a = !row && (left.shape()[i] != 1 || leading[i] == 1);
    const bool has_b = right.shape()[i] != 1 || leading[i] == 1;
    if (!row && !has_a) drop_a.push_back(axis);
    if (!has_b) drop_b.push_back(axis);
    if (has_a && has_b)
      dims.lhs_batch.push_back(index_a), dims.rhs_batch.push_back(index_b), batch.push_back(axis);
    else if (has_a)
      free_a.push_back(axis);
    else
      free_b.push_back(axis);
    index_a += has_a ? 1 : 0, index_b += has_b ? 1 : 0;
  }
  const Array l = drop_a.empty() ? left : lax::squeeze(left, drop_a);
  const Array r = drop_b.empty() ? right : lax::squeeze(right, drop_b);
  dims.lhs_contract = {l.rank() - 1}, dims.rhs_contract = {r.rank() - 2};
  const Array out = lax::dot_general(l, r, dims);
  // dot_general gives batch, free of a, m, free of b, n.
  List found = batch;
  const auto m = static_cast<std::int64_t>(leading.size()), n = m + 1;
  found.insert(found.end(), free_a.begin(), free_a.end());
  if (!row) found.push_back(m);
  found.insert(found.end(), free_b.begin(), free_b.end());
  found.push_back(n);
  for (std::int64_t axis = 0; axis <= n; ++axis) {
    const auto it = std::find(found.begin(), found.end(), axis);
    if (it != found.end()) order.push_back(it - found.begin());
  }
  return std::is_sorted(order.begin(), order.end()) ? out : lax::transpose(out, order);
}

Array dot(Operand x, Operand y) {
  const Frame frame(x.where());
  const auto [a, b] = promoted(x, y);
  if (a.rank() == 0 || b.rank() == 0) return multiply(a, b);
  const std::int64_t axis = b.rank() == 1 ? 0 : b.rank() - 2;
  if (a.dim(-1) != b.dim(static_cast<int>(axis)))
    mismatch("dot", "the last axis of the first operand must match the second-to-last of the second", a, b);
  return lax::dot_general(a, b, {{a.rank() - 1}, {axis}, {}, {}});
}
Array inner(Operand x, Operand y) {
  const Frame frame(x.where());
  const auto [a, b] = promoted(x, y);
  if (a.rank() == 0 || b.rank() == 0) return multiply(a, b);
  if (a.dim(-1) != b.dim(-1)) mismatch("inner", "the last axes must match", a, b);
  return lax::dot_general(a, b, {{a.rank() - 1}, {b.rank() - 1}, {}, {}});
}
Array vdot(Operand x, Operand y) {
  const Frame frame(x.where());
  const auto [a, b] = promoted(x, y);
  if (a.size() != b.size()) mismatch("vdot", "as many elements in both operands are required", a, b);
  const Array left = conj(ravel(a)), right = ravel(b);
  return lax::dot_general(left, right, {{0}, {0}, {}, {}});
}
Array vecdot(Operand x, Operand y, int axis) {
  const Frame frame(x.where());
  const auto [a, b] = promoted(x, y);
  require_axes_of("vecdot", a, b);
  const Array left = moveaxis(a, axis, -1), right = moveaxis(b, axis, -1);
  if (left.dim(-1) != right.dim(-1))
    mismatch("vecdot", "the axis must have one extent in both operands", a, b);
  const Array rows = expand_dims(conj(left), -2), columns = expand_dims(right, -1);
  return squeeze(matmul(rows, columns), {-2, -1});
}
Array outer(Operand x, Operand y) {
  const Frame frame(x.where());
  const auto [a, b] = promoted(x, y);
  const Array column = reshape(a, {-1, 1}), row = reshape(b, {1, -1});
  return multiply(column, row);
}

Array tensordot(Operand x, Operand y, int axes) {
  const Frame frame(x.where());
  const Array a = x.array();
  if (axes < 0 || axes > a.rank())
    type_error("tensordot", "the number of axes must be from 0 to the rank of " + show(a.type()) +
                                ", found " + std::to_string(axes) + ".");
  TensordotAxes list;
  for (int i = 0; i < axes; ++i) list.x.push_back(a.rank() - axes + i), list.y.push_back(i);
  return tensordot(a, y, list);
}
Array tensordot(Operand x, Operand y, const TensordotAxes& axes) {
  const Frame frame(x.where());
  const auto [a, b] = promoted(x, y);
  const List left = axes_of("tensordot", axes.x, a.type()), right = axes_of("tensordot", axes.y, b.type());
  bool match = left.size() == right.size();
  for (std::size_t i = 0; match && i < left.size(); ++i)
    match = a.shape()[at(left[i])] == b.shape()[at(right[i])];
  if (!match)
    mismatch("tensordot",
             "axes " + show(left) + " of the first operand must match axes " + show(right) + " of the second",
             a, b);
  return lax::dot_general(a, b, {left, right, {}, {}});
}

Array kron(Operand x, Operand y) {
  const Frame frame(x.where());
  auto [a, b] = promoted(x, y);
  const std::size_t rank = std::max(a.shape().size(), b.shape().size());
  a = with_rank(a, rank), b = with_rank(b, rank);
  Shape left, right, out;
  for (std::size_t i = 0; i < rank; ++i) {
    left.insert(left.end(), {a.shape()[i], 1});
    right.insert(right.end(), {1, b.shape()[i]});
    out.push_back(a.shape()[i] * b.shape()[i]);
  }
  const Array outer_part = reshape(a, left), inner_part = reshape(b, right);
  return reshape(multiply(outer_part, inner_part), out);
}

Array cross(Operand x, Operand y, int axis) {
  const Frame frame(x.where());
  const auto [first, second] = promoted(x, y);
  require_axes_of("cross", first, second);
  const Array left = moveaxis(first, axis, -1), right = moveaxis(second, axis, -1);
  if (left.dim(-1) != 3 || right.dim(-1) != 3)
    mismatch("cross", "vectors of three elements are required", first, second);
  const auto [a, b] = aligned("cross", left, right);
  auto part = [&](const Array& v, std::int64_t i) { return lax::slice_in_dim(v, i, i + 1, 1, v.rank() - 1); };
  Arrays parts;
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t j = (i + 1) % 3, k = (i + 2) % 3;
    const Array a_j = part(a, j), b_k = part(b, k), a_k = part(a, k), b_j = part(b, j);
    const Array plus = lax::mul(a_j, b_k), minus = lax::mul(a_k, b_j);
    parts.push_back(lax::sub(plus, minus));
  }
  return moveaxis(lax::concatenate(parts, a.rank() - 1), -1, axis);
}

}  // namespace baton
