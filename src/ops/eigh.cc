// eigh: eigenvectors (columns) and rising eigenvalues of Hermitian matrices, of which one triangle is read.
// Cyclic Jacobi rotations, one precision up. Each vector's largest element, the first among equals, is made
// positive.
#include "ops/matrix.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  require_count("eigh", in, 1);
  require_matrices("eigh", in, 0);
  require_square("eigh", in[0]);
  return {in[0], {real_of(in[0].dtype), Shape(in[0].shape.begin(), in[0].shape.end() - 1)}};
}
/// Turns axes p and q of the Hermitian a so that a(p, q) vanishes, and the columns of v with them.
template <class W>
void rotate(Matrix<W>& a, Matrix<W>& v, std::int64_t p, std::int64_t q) {
  using R = decltype(real_part(W()));
  const R size = std::abs(a(p, q));
  if (size == 0) return;
  const W phase = a(p, q) / W(size);  // a(p, q) = size * phase
  const R theta = (real_part(a(q, q)) - real_part(a(p, p))) / (2 * size);
  const R t = std::copysign(R(1), theta) / (std::abs(theta) + std::hypot(theta, R(1)));
  const R c = 1 / std::hypot(t, R(1)), s = t * c;
  // New axes: c e_p - s conj(phase) e_q and s e_p + c conj(phase) e_q.
  auto columns = [&](Matrix<W>& m) {
    for (std::int64_t i = 0; i < m.rows; ++i) {
      const W x = m(i, p), y = conjugate(phase) * m(i, q);
      m(i, p) = W(c) * x - W(s) * y;
      m(i, q) = W(s) * x + W(c) * y;
    }
  };
  columns(a);
  columns(v);
  for (std::int64_t j = 0; j < a.cols; ++j) {
    const W x = a(p, j), y = phase * a(q, j);
    a(p, j) = W(c) * x - W(s) * y;
    a(q, j) = W(s) * x + W(c) * y;
  }
  a(p, q) = a(q, p) = W(0);
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const bool lower = params.as<EighParams>().lower;
  with_matrix_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    using W = wide_t<T>;
    using R = decltype(real_part(W()));
    using Value = decltype(real_part(T()));
    for (std::int64_t b = 0; b < matrix_count(in[0].shape()); ++b) {
      Matrix<W> a = load_matrix<T>(in[0], b);
      const std::int64_t n = a.rows;
      R all = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        a(i, i) = W(real_part(a(i, i)));
        for (std::int64_t j = 0; j < i; ++j) {
          if (lower)
            a(j, i) = conjugate(a(i, j));
          else
            a(i, j) = conjugate(a(j, i));
        }
      }
      for (const W& x : a.data) all += squared(x);
      if (has_non_finite(a)) {
        std::fill(a.data.begin(), a.data.end(), W(std::numeric_limits<R>::quiet_NaN()));
        store_matrix<T>(out[0], b, a);
        const auto values = out[1].as<Value>();
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(b * n), n,
                    std::numeric_limits<Value>::quiet_NaN());
        continue;
      }
      Matrix<W> v = identity<W>(n);
      const R enough = all * std::numeric_limits<R>::epsilon() * std::numeric_limits<R>::epsilon();
      for (int sweep = 0; sweep < 60; ++sweep) {
        R off = 0;
        for (std::int64_t p = 0; p < n; ++p)
          for (std::int64_t q = p + 1; q < n; ++q) off += squared(a(p, q));
        if (!(off > enough)) break;
        for (std::int64_t p = 0; p < n; ++p)
          for (std::int64_t q = p + 1; q < n; ++q) rotate(a, v, p, q);
      }
      std::vector<std::int64_t> order(static_cast<std::size_t>(n));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](auto i, auto j) { return real_part(a(i, i)) < real_part(a(j, j)); });
      Matrix<W> vectors(n, n);
      for (std::int64_t k = 0; k < n; ++k) {
        const std::int64_t from = order[static_cast<std::size_t>(k)];
        std::int64_t top = 0;
        for (std::int64_t i = 1; i < n; ++i)
          if (std::abs(v(i, from)) > std::abs(v(top, from)) * R(1.0001)) top = i;
        const W turn = conjugate(v(top, from)) / W(std::abs(v(top, from)));
        for (std::int64_t i = 0; i < n; ++i) vectors(i, k) = v(i, from) * turn;
        out[1].as<Value>()[static_cast<std::size_t>(b * n + k)] =
            static_cast<Value>(real_part(a(from, from)));
      }
      store_matrix<T>(out[0], b, vectors);
    }
  });
}
Arrays jvp(const Arrays& primals, const Arrays& outs, const Arrays& tangents, const Params& params) {
  // In the basis v the tangent's diagonal moves the values; its other elements, over differences of values,
  // turn v.
  const Array &v = outs[0], &w = outs[1];
  const Dtype dtype = v.dtype();
  const std::int64_t n = primals[0].dim(-1);
  const Array inner = matmul(matmul(adjoint(v), hermitian(tangents[0], params.as<EighParams>().lower)), v);
  const Array on = eye(w.dtype(), v.shape());
  const Array gaps = lax::add(on, lax::sub(as_rows(w, n), as_columns(w, n)));
  const Array turns = lax::convert_element_type(lax::sub(lax::integer_pow(gaps, -1), on), dtype);
  const Array dw = diagonal(inner);
  return {matmul(v, lax::mul(turns, inner)), is_complex(dtype) ? lax::real(dw) : dw};
}
}  // namespace
extern const Primitive eigh = {
    .name = "eigh",
    .cost = Cost::compute_bound,
    .params = EighParams{},
    .type = type,
    .evaluate = evaluate,
    .jvp = jvp,
    .batch = batch_at_front<eigh>,
    .examples = {{.inputs = {{f32, {3, 3}}},
                  .params = EighParams{true},
                  .complex_order = 0,
                  .values = {{4, 1, -1, 1, 2, 0.5, -1, 0.5, -3}}},
                 {.inputs = {{f32, {2, 2, 2}}},
                  .params = EighParams{false},
                  .complex_order = 0,
                  .values = {{2, 0.5, 9, 1, 3, -1, 9, -2}}},
                 {.inputs = {{f32, {1, 1}}}, .params = EighParams{}},
                 {.inputs = {{c64, {3, 3}}}, .params = EighParams{}, .order = 0},
                 {.inputs = {{f32, {0, 0}}}, .params = EighParams{}, .note = "no elements"},
                 {.inputs = {{f32, {0, 2, 2}}}, .params = EighParams{}, .note = "no matrices"}}};
}  // namespace ops
lax::Eigh lax::eigh(Operand x, bool lower, bool symmetrize_input) {
  const Frame frame(x.where());
  Array a = x.array();
  if (symmetrize_input && !a.empty() && a.rank() >= 2 && is_inexact(a.dtype()) && a.dim(-1) == a.dim(-2))
    a = ops::halved(lax::add(a, ops::adjoint(a)));
  const Arrays outs = bind(ops::eigh, {a}, ops::EighParams{lower}, x.where());
  return {outs[0], outs[1]};
}
}  // namespace baton
