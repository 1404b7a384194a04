#pragma once
// matrix: what the operations on batches of matrices share, for their references and for their derivatives.
#include "ops/rules.h"

namespace baton::ops {

extern const Primitive cholesky, triangular_solve, lu, qr, eigh, svd;

struct TriangularSolve {
  bool left_side = true, lower = false, transpose_a = false, conjugate_a = false, unit_diagonal = false;
  BATON_FIELDS(left_side, lower, transpose_a, conjugate_a, unit_diagonal)
};
struct Qr {
  bool full_matrices = false;
  BATON_FIELDS(full_matrices)
};
struct EighParams {
  bool lower = true;
  BATON_FIELDS(lower)
};
struct SvdParams {
  bool full_matrices = false;
  BATON_FIELDS(full_matrices)
};

// ---- references
// ---------------------------------------------------------------------------------------------------

/// A matrix one precision up.
template <class W>
struct Matrix {
  std::int64_t rows = 0, cols = 0;
  std::vector<W> data;
  Matrix(std::int64_t r, std::int64_t c) : rows(r), cols(c), data(static_cast<std::size_t>(r * c)) {}
  W& operator()(std::int64_t i, std::int64_t j) { return data[static_cast<std::size_t>(i * cols + j)]; }
  const W& operator()(std::int64_t i, std::int64_t j) const {
    return data[static_cast<std::size_t>(i * cols + j)];
  }
};
template <class W>
Matrix<W> identity(std::int64_t n) {
  Matrix<W> m(n, n);
  for (std::int64_t i = 0; i < n; ++i) m(i, i) = W(1);
  return m;
}
template <class W>
W conjugate(W x) {
  if constexpr (is_complex_v<W>)
    return std::conj(x);
  else
    return x;
}
template <class W>
auto real_part(W x) {
  if constexpr (is_complex_v<W>)
    return x.real();
  else
    return x;
}
template <class W>
auto squared(W x) {
  return real_part(x * conjugate(x));
}
/// Whether an element is NaN or infinite: factors of such a matrix are NaN throughout.
template <class W>
bool has_non_finite(const Matrix<W>& m) {
  return !std::all_of(m.data.begin(), m.data.end(), [](const W& x) {
    if constexpr (is_complex_v<W>)
      return std::isfinite(x.real()) && std::isfinite(x.imag());
    else
      return std::isfinite(x);
  });
}
template <class W>
Matrix<W> adjoint_of(const Matrix<W>& a) {
  Matrix<W> t(a.cols, a.rows);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < a.cols; ++j) t(j, i) = conjugate(a(i, j));
  return t;
}

/// How many matrices an array of this shape holds; extents of 0 included.
inline std::int64_t matrix_count(const Shape& shape) {
  std::int64_t n = 1;
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) n *= shape[i];
  return n;
}
template <class T>
Matrix<wide_t<T>> load_matrix(const View& v, std::int64_t which) {
  const Shape& s = v.shape();
  Matrix<wide_t<T>> m(s[s.size() - 2], s[s.size() - 1]);
  const T* from = static_cast<const T*>(v.data) + which * m.rows * m.cols;
  for (std::size_t i = 0; i < m.data.size(); ++i) m.data[i] = widen(from[i]);
  return m;
}
template <class T, class W>
void store_matrix(const View& v, std::int64_t which, const Matrix<W>& m) {
  T* to = static_cast<T*>(v.data) + which * m.rows * m.cols;
  for (std::size_t i = 0; i < m.data.size(); ++i) to[i] = narrow<T>(m.data[i]);
}
/// Calls f(Tag<T>{}) for f32, f64, c64 and c128.
template <class F>
void with_matrix_type(Dtype d, F&& f) {
  switch (d) {
    case f32:
      return f(Tag<float>{});
    case f64:
      return f(Tag<double>{});
    case c64:
      return f(Tag<std::complex<float>>{});
    case c128:
      return f(Tag<std::complex<double>>{});
    default:
      break;  // type rules let nothing else through
  }
}

// ---- type rules and batch rules
// -----------------------------------------------------------------------------------

/// f32, f64, c64 or c128, of rank 2 or more.
void require_matrices(std::string_view name, std::span<const Type> in, int operand);
void require_square(std::string_view name, const Type& type);
/// The shape with its last two extents replaced.
Shape with_matrix(const Shape& shape, std::initializer_list<std::int64_t> last);

// ---- derivatives
// --------------------------------------------------------------------------------------------------

Array matmul(const Array& a, const Array& b);  // over equal leading axes
Array swap_last(const Array& a);               // the transpose of each matrix
Array adjoint(const Array& a);                 // the conjugate transpose of each matrix
/// Elements on and below (above) the diagonal k, the others 0.
Array lower_part(const Array& a, std::int64_t k = 0);
Array upper_part(const Array& a, std::int64_t k = 0);
/// The Hermitian matrix of which only one triangle was given.
Array hermitian(const Array& a, bool lower);
/// Identity matrices of this dtype and shape; also not square.
Array eye(Dtype dtype, const Shape& shape);
Array diagonal(const Array& a);  // [..., n, n] -> [..., n]
/// v[..., n] as row vectors in [..., m, n], or as columns in [..., n, m].
Array as_rows(const Array& v, std::int64_t m);
Array as_columns(const Array& v, std::int64_t m);
Array halved(const Array& a);

}  // namespace baton::ops
