// linalg: the functions of jax.numpy.linalg, from the factorizations of lax.
#include "baton/linalg.h"

#include "numpy/matrices.h"

namespace baton::linalg {
namespace {

using namespace numpy;

Array adjoint(const Array& x) { return conj(linalg::matrix_transpose(x)); }
Array identity(const Array& like) { return broadcast(eye(like.dim(-1), -1, 0, like.dtype()), like.shape()); }

/// a x = b for matrices b of a's batch.
Array solved(const Array& a, const Array& b) {
  const lax::Lu f = lax::lu(a);
  Shape rows = f.permutation.shape();
  rows.push_back(1);
  const Array permuted = take_along_axis(b, broadcast(lax::reshape(f.permutation, rows), b.shape()), -2,
                                         {.mode = IndexMode::promise_in_bounds});
  const Array half = lax::triangular_solve(f.lu, permuted, {.lower = true, .unit_diagonal = true});
  return lax::triangular_solve(f.lu, half, {.lower = false});
}

Array size_squared(const Array& x) {
  return is_complex(x.dtype()) ? lax::real(lax::mul(x, lax::conj(x))) : lax::square(x);
}

}  // namespace

Array matrix_transpose(Operand x) {
  const Frame frame(x.where());
  const Array a = x.array();
  if (a.rank() < 2)
    type_error("linalg::matrix_transpose", "at least two axes are required, found " + show(a.type()) + ".");
  return swapaxes(a, -2, -1);
}
Array trace(Operand x, int offset) {
  const Frame frame(x.where());
  const Array a = x.array();
  if (a.rank() < 2)
    type_error("linalg::trace", "at least two axes are required, found " + show(a.type()) + ".");
  return sum(diagonal(a, offset, -2, -1), -1);
}

Array norm(Operand x, std::optional<Norm> kind, const Axes& axes, const KeepOptions& o) {
  const Frame frame(x.where());
  const Array a = floating(x);
  List list = axes_of("linalg::norm", axes, a.type());
  if (axes.all() && !kind) return sqrt(sum(size_squared(a), axes, {.keepdims = o.keepdims}));
  if (list.empty() || list.size() > 2)
    type_error("linalg::norm", "one axis (vectors) or two (matrices) are required, found " +
                                   std::to_string(list.size()) + " for " + show(a.type()) + ".");
  const bool vectors = list.size() == 1;
  const Norm which = kind.value_or(vectors ? Norm::two : Norm::frobenius);
  if (vectors) {
    if (which == Norm::two) return sqrt(sum(size_squared(a), list, {.keepdims = o.keepdims}));
    if (which == Norm::one) return sum(lax::abs(a), list, {.keepdims = o.keepdims});
    if (which == Norm::infinity) return max(lax::abs(a), list, {.keepdims = o.keepdims});
    type_error("linalg::norm",
               "this norm is of matrices; two axes are required, found one of " + show(a.type()) + ".");
  }
  Array result;
  const Array m = moveaxis(a, list, List{-2, -1});
  switch (which) {
    case Norm::frobenius:
      result = sqrt(sum(size_squared(m), {-2, -1}));
      break;
    case Norm::one:
      result = max(sum(lax::abs(m), -2), -1);
      break;
    case Norm::infinity:
      result = max(sum(lax::abs(m), -1), -1);
      break;
    case Norm::two:
      result = max(lax::svd(m).s, -1);
      break;
    case Norm::nuclear:
      result = sum(lax::svd(m).s, -1);
      break;
  }
  return keep(result, a.shape(), list, o.keepdims);
}

Array solve(Operand a, Operand b) {
  const Frame frame(a.where());
  const auto d = [&] {
    const Operand operands[] = {a, b};
    return inexact(common_dtype(operands));
  }();
  const Array m = square_matrix("solve", as(a, d));
  Array right = as(b, d);
  const bool vector = right.rank() == 1;
  if (vector) right = expand_dims(right, -1);
  if (right.rank() < 2 || right.dim(-2) != m.dim(-1))
    type_error("linalg::solve", "as many rows as in the matrix are required, found " + show(m.type()) +
                                    " and " + show(b.array().type()) + ".");
  const Shape leading[] = {Shape(m.shape().begin(), m.shape().end() - 2),
                           Shape(right.shape().begin(), right.shape().end() - 2)};
  const Shape batch = common_shape("linalg::solve", leading);
  auto batched = [&](const Array& x) {
    Shape shape = batch;
    shape.insert(shape.end(), {x.dim(-2), x.dim(-1)});
    return broadcast(x, shape);
  };
  const Array left = batched(m);
  const Array x = solved(left, batched(right));
  return vector ? squeeze(x, -1) : x;
}
Array inv(Operand a) {
  const Frame frame(a.where());
  const Array m = square_matrix("inv", a);
  return solved(m, identity(m));
}
Array pinv(Operand a, std::optional<double> rtol) {
  const Frame frame(a.where());
  const Array m = matrix("pinv", a);
  const auto [u, s, vt] = lax::svd(m);
  const double epsilon = real_of(m.dtype()) == f64 ? 0x1p-52 : 0x1p-23;
  const double tolerance =
      rtol.value_or(10.0 * static_cast<double>(std::max(m.dim(-1), m.dim(-2))) * epsilon);
  const Array cutoff = lax::mul(max(s, -1, {.keepdims = true, .initial = 0}), tolerance);
  const Array counts = greater(s, cutoff);
  const Array safe = where(counts, s, 1.0);
  const Array inverse = expand_dims(where(counts, reciprocal(safe), 0.0), -1);
  const Array scaled = multiply(adjoint(u), inverse);
  return matmul(adjoint(vt), scaled);
}

Array cholesky(Operand a) {
  const Frame frame(a.where());
  return lax::cholesky(square_matrix("cholesky", a));
}
Qr qr(Operand a, bool full_matrices) {
  const Frame frame(a.where());
  const auto [q, r] = lax::qr(matrix("qr", a), full_matrices);
  return {q, r};
}
lax::Eigh eigh(Operand a) {
  const Frame frame(a.where());
  return lax::eigh(square_matrix("eigh", a));
}
Array eigvalsh(Operand a) {
  const Frame frame(a.where());
  return lax::eigh(square_matrix("eigvalsh", a)).values;
}
lax::Svd svd(Operand a, bool full_matrices) {
  const Frame frame(a.where());
  return lax::svd(matrix("svd", a), full_matrices);
}
Array svdvals(Operand a) {
  const Frame frame(a.where());
  return lax::svd(matrix("svdvals", a)).s;
}

Array matrix_power(Operand a, int exponent) {
  const Frame frame(a.where());
  std::int64_t n = exponent;
  Array m = a.array();
  if (m.rank() < 2 || m.dim(-1) != m.dim(-2)) m = square_matrix("matrix_power", a);
  if (n < 0) m = inv(m), n = -n;
  Array result;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = result.empty() ? m : matmul(result, m);
    if (n > 1) m = matmul(m, m);
  }
  return result.empty() ? identity(m) : result;
}

}  // namespace baton::linalg
