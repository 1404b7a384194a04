// qr: x = q r by Householder reflections, with the signs of LAPACK's geqrf and orgqr: each reflection takes
// the sign that loses no digits, so the diagonal of r is real but may be negative.
#include "ops/matrix.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params& params) {
  require_count("qr", in, 1);
  require_matrices("qr", in, 0);
  const std::int64_t m = in[0].shape[in[0].shape.size() - 2], n = in[0].shape.back();
  const std::int64_t k = params.as<Qr>().full_matrices ? m : std::min(m, n);
  return {{in[0].dtype, with_matrix(in[0].shape, {m, k})}, {in[0].dtype, with_matrix(in[0].shape, {k, n})}};
}
/// a -= v (tau v^H a) for columns from `first`.
template <class W>
void reflect(Matrix<W>& a, const std::vector<W>& v, std::int64_t from_row, std::int64_t first, W tau) {
  for (std::int64_t j = first; j < a.cols; ++j) {
    W dot = W(0);
    for (std::int64_t i = from_row; i < a.rows; ++i)
      dot += conjugate(v[static_cast<std::size_t>(i)]) * a(i, j);
    for (std::int64_t i = from_row; i < a.rows; ++i) a(i, j) -= tau * dot * v[static_cast<std::size_t>(i)];
  }
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_matrix_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    using W = wide_t<T>;
    const std::int64_t k = out[0].shape().back();
    for (std::int64_t b = 0; b < matrix_count(in[0].shape()); ++b) {
      Matrix<W> a = load_matrix<T>(in[0], b);
      const std::int64_t steps = std::min(a.rows, a.cols);
      std::vector<std::vector<W>> vs;
      std::vector<W> taus;
      for (std::int64_t s = 0; s < steps; ++s) {
        auto below = squared(W(0));
        for (std::int64_t i = s + 1; i < a.rows; ++i) below += squared(a(i, s));
        const W alpha = a(s, s);
        std::vector<W> v(static_cast<std::size_t>(a.rows));
        v[static_cast<std::size_t>(s)] = W(1);
        W tau = W(0);
        const auto norm = std::sqrt(squared(alpha) + below);
        if (below != 0 || alpha != W(real_part(alpha))) {
          const auto beta = -std::copysign(norm, real_part(alpha));
          tau = (W(beta) - alpha) / W(beta);
          for (std::int64_t i = s + 1; i < a.rows; ++i)
            v[static_cast<std::size_t>(i)] = a(i, s) / (alpha - W(beta));
          reflect(a, v, s, s + 1, conjugate(tau));
          a(s, s) = W(beta);
          for (std::int64_t i = s + 1; i < a.rows; ++i) a(i, s) = W(0);
        }
        vs.push_back(v);
        taus.push_back(tau);
      }
      Matrix<W> q(a.rows, k), r(k, a.cols);
      for (std::int64_t i = 0; i < std::min(a.rows, k); ++i) q(i, i) = W(1);
      for (std::int64_t s = steps; s-- > 0;)
        reflect(q, vs[static_cast<std::size_t>(s)], s, 0, taus[static_cast<std::size_t>(s)]);
      for (std::int64_t i = 0; i < k; ++i)
        for (std::int64_t j = i; j < a.cols; ++j) r(i, j) = a(i, j);
      store_matrix<T>(out[0], b, q);
      store_matrix<T>(out[1], b, r);
    }
  });
}
Arrays jvp(const Arrays& primals, const Arrays& outs, const Arrays& tangents, const Params& params) {
  const Array &x = primals[0], &q = outs[0], &r = outs[1], &dx = tangents[0];
  const std::int64_t m = x.dim(-2), n = x.dim(-1);
  if (m < n || (params.as<Qr>().full_matrices && m != n))
    type_error(
        "qr",
        "its derivative needs full column rank: at least as many rows as columns, and full_matrices off "
        "unless square; found " +
            show(x.type()) + ".\n  Factor the square part, or the transpose.");
  // dx r^-1 = dq + q dr r^-1. In the basis q the first part is skew-Hermitian and the second upper
  // triangular.
  const Array dx_rinv = lax::triangular_solve(r, dx, {.left_side = false, .lower = false});
  const Array inner = matmul(adjoint(q), dx_rinv);
  const Array lower = lower_part(inner, -1);
  Array skew = lax::sub(lower, adjoint(lower));
  if (is_complex(x.dtype())) {  // r has a real diagonal, so the imaginary part belongs to q
    const Array imaginary = lax::complex(zeros_of({real_of(x.dtype()), inner.shape()}), lax::imag(inner));
    skew = lax::add(skew, lax::mul(imaginary, eye(x.dtype(), inner.shape())));
  }
  return {lax::add(matmul(q, lax::sub(skew, inner)), dx_rinv), matmul(lax::sub(inner, skew), r)};
}
}  // namespace
extern const Primitive qr = {
    .name = "qr",
    .cost = Cost::compute_bound,
    .params = Qr{},
    .type = type,
    .evaluate = evaluate,
    .jvp = jvp,
    .batch = batch_at_front<qr>,
    .examples = {{.inputs = {{f32, {3, 3}}},
                  .params = Qr{},
                  .complex_order = 0,
                  .values = {{2, 0.5, -1, 1, -1.5, 0.5, 0.25, 1, 3}}},
                 {.inputs = {{f32, {4, 2}}},
                  .params = Qr{},
                  .complex_order = 0,
                  .values = {{2, 0.5, -1, 1, -1.5, 0.5, 0.25, 1}}},
                 {.inputs = {{f32, {2, 2, 2}}},
                  .params = Qr{true},
                  .complex_order = 0,
                  .values = {{2, 0.5, -1, 1, -1.5, 0.5, 0.25, 1}}},
                 {.inputs = {{f32, {2, 3}}}, .params = Qr{}, .order = 0, .note = "wide"},
                 {.inputs = {{f32, {4, 2}}}, .params = Qr{true}, .order = 0, .note = "a full q"},
                 {.inputs = {{c64, {3, 2}}}, .params = Qr{}, .order = 0},
                 {.inputs = {{f32, {1, 1}}}, .params = Qr{}, .low = 0.5, .complex_order = 0},
                 {.inputs = {{f32, {3, 0}}}, .params = Qr{true}, .order = 0, .note = "no columns"},
                 {.inputs = {{f32, {0, 2, 2}}}, .params = Qr{}, .note = "no matrices"}}};
}  // namespace ops
std::pair<Array, Array> lax::qr(Operand x, bool full_matrices) {
  const Arrays outs = bind(ops::qr, {x.array()}, ops::Qr{full_matrices}, x.where());
  return {outs[0], outs[1]};
}
}  // namespace baton
