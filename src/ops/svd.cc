// svd: x = u diag(s) vt with falling s >= 0, by one-sided Jacobi rotations of columns, one precision up.
// The largest element of each column of u, the first among equals, is made positive.
#include "ops/matrix.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params& params) {
  require_count("svd", in, 1);
  require_matrices("svd", in, 0);
  const Shape& s = in[0].shape;
  const std::int64_t m = s[s.size() - 2], n = s.back(), k = std::min(m, n);
  const bool full = params.as<SvdParams>().full_matrices;
  Shape values(s.begin(), s.end() - 2);
  values.push_back(k);
  return {{in[0].dtype, with_matrix(s, {m, full ? m : k})},
          {real_of(in[0].dtype), values},
          {in[0].dtype, with_matrix(s, {full ? n : k, n})}};
}
/// Makes column j orthogonal to the columns before it and of length 1; from a unit vector where nothing is
/// left of it.
template <class W>
void complete(Matrix<W>& u, std::int64_t j, bool given) {
  using R = decltype(real_part(W()));
  for (std::int64_t unit = given ? -1 : 0; unit < u.rows; ++unit) {
    if (unit >= 0)
      for (std::int64_t i = 0; i < u.rows; ++i) u(i, j) = W(i == unit ? 1 : 0);
    for (int twice = 0; twice < 2; ++twice)
      for (std::int64_t k = 0; k < j; ++k) {
        W dot = W(0);
        for (std::int64_t i = 0; i < u.rows; ++i) dot += conjugate(u(i, k)) * u(i, j);
        for (std::int64_t i = 0; i < u.rows; ++i) u(i, j) -= dot * u(i, k);
      }
    R length = 0;
    for (std::int64_t i = 0; i < u.rows; ++i) length += squared(u(i, j));
    // Of n unit vectors at least one keeps 1/n of its length.
    if (length > R(0.25) / static_cast<R>(u.rows)) {
      for (std::int64_t i = 0; i < u.rows; ++i) u(i, j) /= W(std::sqrt(length));
      return;
    }
  }
}
/// a (at least as many rows as columns) becomes a v with orthogonal columns.
template <class W>
void orthogonalize(Matrix<W>& a, Matrix<W>& v) {
  using R = decltype(real_part(W()));
  bool turned = true;
  for (int sweep = 0; turned && sweep < 60; ++sweep) {
    turned = false;
    for (std::int64_t p = 0; p < a.cols; ++p)
      for (std::int64_t q = p + 1; q < a.cols; ++q) {
        R pp = 0, qq = 0;
        W pq = W(0);
        for (std::int64_t i = 0; i < a.rows; ++i) {
          pp += squared(a(i, p));
          qq += squared(a(i, q));
          pq += conjugate(a(i, p)) * a(i, q);
        }
        const R size = std::abs(pq);
        if (!(size > std::numeric_limits<R>::epsilon() * std::sqrt(pp * qq))) continue;
        turned = true;
        const W phase = pq / W(size);
        const R theta = (qq - pp) / (2 * size);
        const R t = std::copysign(R(1), theta) / (std::abs(theta) + std::hypot(theta, R(1)));
        const R c = 1 / std::hypot(t, R(1)), s = t * c;
        for (Matrix<W>* m : {&a, &v})
          for (std::int64_t i = 0; i < m->rows; ++i) {
            const W x = (*m)(i, p), y = conjugate(phase) * (*m)(i, q);
            (*m)(i, p) = W(c) * x - W(s) * y;
            (*m)(i, q) = W(s) * x + W(c) * y;
          }
      }
  }
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_matrix_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    using W = wide_t<T>;
    using R = decltype(real_part(W()));
    using Value = decltype(real_part(T()));
    const auto values = out[1].as<Value>();
    for (std::int64_t b = 0; b < matrix_count(in[0].shape()); ++b) {
      const Matrix<W> x = load_matrix<T>(in[0], b);
      if (has_non_finite(x)) {
        const auto fill = [&](const View& v, auto nan) {
          const auto all = v.as<decltype(nan)>();
          const auto each = all.size() / static_cast<std::size_t>(matrix_count(in[0].shape()));
          std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(b) * each), each,
                      nan);
        };
        constexpr R none = std::numeric_limits<R>::quiet_NaN();
        fill(out[0], narrow<T>(W(none)));
        fill(out[1], static_cast<Value>(none));
        fill(out[2], narrow<T>(W(none)));
        continue;
      }
      const bool wide = x.rows < x.cols;  // then the adjoint is decomposed, and u and v change places
      Matrix<W> a = wide ? adjoint_of(x) : x, v = identity<W>(a.cols);
      orthogonalize(a, v);
      const std::int64_t m = a.rows, n = a.cols;
      std::vector<R> lengths(static_cast<std::size_t>(n));
      for (std::int64_t j = 0; j < n; ++j) {
        R sum = 0;
        for (std::int64_t i = 0; i < m; ++i) sum += squared(a(i, j));
        lengths[static_cast<std::size_t>(j)] = std::sqrt(sum);
      }
      std::vector<std::int64_t> order(static_cast<std::size_t>(n));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) {
        return lengths[static_cast<std::size_t>(i)] > lengths[static_cast<std::size_t>(j)];
      });
      const bool full =
          out[0].shape().back() == x.rows && out[2].shape()[out[2].shape().size() - 2] == x.cols;
      Matrix<W> left(m, full ? m : n), right(n, n);
      const R largest = n > 0 ? lengths[static_cast<std::size_t>(order[0])] : R(0);
      for (std::int64_t j = 0; j < left.cols; ++j) {
        const std::int64_t from = j < n ? order[static_cast<std::size_t>(j)] : 0;
        const R length = j < n ? lengths[static_cast<std::size_t>(from)] : R(0);
        const bool given = length > largest * std::numeric_limits<R>::epsilon() && length > 0;
        if (given)
          for (std::int64_t i = 0; i < m; ++i) left(i, j) = a(i, from) / W(length);
        complete(left, j, given);
        if (j >= n) continue;
        for (std::int64_t i = 0; i < n; ++i) right(i, j) = v(i, from);
        values[static_cast<std::size_t>(b * n + j)] = static_cast<Value>(length);
      }
      Matrix<W>&u = wide ? right : left, &w = wide ? left : right;
      for (std::int64_t j = 0; j < std::min(u.cols, w.cols); ++j) {
        std::int64_t top = 0;
        for (std::int64_t i = 1; i < u.rows; ++i)
          if (std::abs(u(i, j)) > std::abs(u(top, j)) * R(1.0001)) top = i;
        if (u(top, j) == W(0)) continue;
        const W turn = conjugate(u(top, j)) / W(std::abs(u(top, j)));
        for (std::int64_t i = 0; i < u.rows; ++i) u(i, j) *= turn;
        for (std::int64_t i = 0; i < w.rows; ++i) w(i, j) *= turn;
      }
      store_matrix<T>(out[0], b, u);
      store_matrix<T>(out[2], b, adjoint_of(w));
    }
  });
}
Arrays jvp(const Arrays& primals, const Arrays& outs, const Arrays& tangents, const Params& params) {
  const Array &x = primals[0], &dx = tangents[0], &u = outs[0], &s = outs[1], &vt = outs[2];
  const std::int64_t m = x.dim(-2), n = x.dim(-1), k = s.dim(-1);
  if (params.as<SvdParams>().full_matrices && m != n)
    type_error("svd", "its derivative is not defined for full_matrices of " + show(x.type()) +
                          ", which is not square.\n  Set full_matrices = false.");
  const Dtype dtype = x.dtype();
  auto cast = [&](const Array& a) { return lax::convert_element_type(a, dtype); };
  const Array ut = adjoint(u), v = adjoint(vt);
  const Array rows = as_rows(s, k), columns = as_columns(s, k);  // s_j and s_i at (i, j)
  const Array inner = matmul(matmul(ut, dx), v);
  const Array ds = diagonal(inner);
  // f_ij = 1 / (s_j^2 - s_i^2), and 0 where they are equal.
  const Array gaps = lax::mul(lax::add(rows, columns), lax::sub(rows, columns));
  const Array equal = lax::convert_element_type(lax::eq(gaps, 0.0), s.dtype());
  const Array f = cast(lax::sub(lax::div(lax::full_like(gaps, 1.0), lax::add(gaps, equal)), equal));
  const Array by_rows = lax::mul(cast(rows), inner), by_columns = lax::mul(cast(columns), inner);
  Array du = lax::mul(f, lax::add(by_rows, adjoint(by_rows)));
  if (is_complex(dtype)) {  // the phase that u and v share is left to u
    const Array none = lax::convert_element_type(lax::eq(rows, 0.0), s.dtype());
    const Array inverse = lax::sub(lax::div(lax::full_like(rows, 1.0), lax::add(rows, none)), none);
    const Array on_diagonal = lax::mul(inverse, eye(s.dtype(), inverse.shape()));
    du = lax::add(du, lax::mul(halved(lax::sub(inner, adjoint(inner))), cast(on_diagonal)));
  }
  du = matmul(u, du);
  Array dv = matmul(v, lax::mul(f, lax::add(by_columns, adjoint(by_columns))));
  if (m > n) {
    const Array moved = matmul(dx, v);
    du = lax::add(du, lax::div(lax::sub(moved, matmul(u, matmul(ut, moved))), cast(as_rows(s, m))));
  }
  if (n > m) {
    const Array moved = matmul(adjoint(dx), u);
    dv = lax::add(dv, lax::div(lax::sub(moved, matmul(v, matmul(vt, moved))), cast(as_rows(s, n))));
  }
  return {du, is_complex(dtype) ? lax::real(ds) : ds, adjoint(dv)};
}
}  // namespace
extern const Primitive svd = {
    .name = "svd",
    .cost = Cost::compute_bound,
    .params = SvdParams{},
    .type = type,
    .evaluate = evaluate,
    .jvp = jvp,
    .batch = batch_at_front<svd>,
    .examples = {{.inputs = {{f32, {3, 3}}},
                  .params = SvdParams{true},
                  .complex_order = 0,
                  .values = {{2, 0.5, -1, 1, -1.5, 0.5, 0.25, 1, 3}}},
                 {.inputs = {{f32, {4, 2}}},
                  .params = SvdParams{},
                  .complex_order = 0,
                  .values = {{2, 0.5, -1, 1, -1.5, 0.5, 0.25, 1}}},
                 {.inputs = {{f32, {2, 3}}},
                  .params = SvdParams{},
                  .complex_order = 0,
                  .values = {{2, 0.5, -1, 1, -1.5, 0.5}}},
                 {.inputs = {{f32, {2, 2, 2}}},
                  .params = SvdParams{},
                  .complex_order = 0,
                  .values = {{2, 0.5, -1, 1, -1.5, 0.5, 0.25, 1}}},
                 {.inputs = {{f32, {3, 2}}}, .params = SvdParams{true}, .order = 0, .note = "a full u"},
                 {.inputs = {{c64, {2, 3}}}, .params = SvdParams{true}, .order = 0, .note = "a full v"},
                 {.inputs = {{f32, {1, 1}}}, .params = SvdParams{}, .low = 0.5, .complex_order = 0},
                 {.inputs = {{f32, {0, 2, 2}}}, .params = SvdParams{}, .note = "no matrices"},
                 {.inputs = {{f32, {3, 0}}}, .params = SvdParams{true}, .order = 0, .note = "no columns"}}};
}  // namespace ops
lax::Svd lax::svd(Operand x, bool full_matrices) {
  const Arrays outs = bind(ops::svd, {x.array()}, ops::SvdParams{full_matrices}, x.where());
  return {outs[0], outs[1], outs[2]};
}
}  // namespace baton
