// cholesky: the lower factor l of Hermitian positive definite matrices x = l l^H, of which the lower triangle
// is read. A matrix that is not positive definite gives NaN. With x = l l^H, dl = l phi(l^-1 dx l^-H), phi
// halving the diagonal.
#include "ops/matrix.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  require_count("cholesky", in, 1);
  require_matrices("cholesky", in, 0);
  require_square("cholesky", in[0]);
  return {in[0]};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_matrix_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    using W = wide_t<T>;
    for (std::int64_t b = 0; b < matrix_count(in[0].shape()); ++b) {
      const Matrix<W> x = load_matrix<T>(in[0], b);
      Matrix<W> l(x.rows, x.cols);
      bool definite = true;
      for (std::int64_t j = 0; j < x.rows; ++j) {
        auto d = real_part(x(j, j));
        for (std::int64_t k = 0; k < j; ++k) d -= squared(l(j, k));
        definite = definite && d > 0;
        l(j, j) = std::sqrt(d);
        for (std::int64_t i = j + 1; i < x.rows; ++i) {
          W sum = x(i, j);
          for (std::int64_t k = 0; k < j; ++k) sum -= l(i, k) * conjugate(l(j, k));
          l(i, j) = sum / l(j, j);
        }
      }
      if (!definite)
        for (std::int64_t i = 0; i < x.rows; ++i)
          for (std::int64_t j = 0; j <= i; ++j) l(i, j) = std::numeric_limits<float>::quiet_NaN();
      store_matrix<T>(out[0], b, l);
    }
  });
}
Arrays jvp(const Arrays&, const Arrays& outs, const Arrays& tangents, const Params&) {
  const Array& l = outs[0];
  const Array dx = hermitian(tangents[0], true);
  const Array right = lax::triangular_solve(
      l, dx, {.left_side = false, .lower = true, .transpose_a = true, .conjugate_a = true});
  const Array both = lower_part(lax::triangular_solve(l, right, {.left_side = true, .lower = true}));
  const Array phi = lax::sub(both, halved(lax::mul(both, eye(both.dtype(), both.shape()))));
  return {matmul(l, phi)};
}
}  // namespace
extern const Primitive cholesky = {
    .name = "cholesky",
    .cost = Cost::compute_bound,
    .type = type,
    .evaluate = evaluate,
    .jvp = jvp,
    .batch = batch_at_front<cholesky>,
    .examples = {
        {.inputs = {{f32, {1, 1}}}, .low = 0.5},
        {.inputs = {{f32, {3, 3}}}, .values = {{4, 1, -1, 1, 3, 0.5, -1, 0.5, 5}}},
        {.inputs = {{f32, {2, 2, 2}}}, .note = "a batch", .values = {{2, 0.5, 0.5, 1, 3, -1, -1, 2}}},
        {.inputs = {{f32, {0, 0}}}, .note = "no elements"},
        {.inputs = {{f32, {0, 2, 2}}}, .note = "no matrices"}}};
}  // namespace ops
Array lax::cholesky(Operand x, bool symmetrize_input) {
  const Frame frame(x.where());
  Array a = x.array();
  if (symmetrize_input && !a.empty() && a.rank() >= 2 && is_inexact(a.dtype()) && a.dim(-1) == a.dim(-2))
    a = ops::halved(lax::add(a, ops::adjoint(a)));
  return bind_one(ops::cholesky, {a}, None{}, x.where());
}
}  // namespace baton
