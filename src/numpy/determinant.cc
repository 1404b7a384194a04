// determinant: det and slogdet, from an LU factorization. Their derivatives are rules of their own: those of
// the factors divide by pivots, which a singular matrix does not have.
#include "numpy/matrices.h"
#include "ops/structure.h"

namespace baton::linalg {
namespace {

using namespace numpy;

Array in_line(const Array& m) { return diagonal(m, 0, -2, -1); }

/// -1 or 1 in real numbers: the sign of the permutation that the pivots make.
Array parity(const Array& pivots, Dtype dtype) {
  const Array moved = not_equal(pivots, positions(pivots.shape(), pivots.rank() - 1));
  const Array odd = lax::rem(sum(moved, -1), 2);
  return to(lax::add(lax::mul(odd, -2), 1), dtype);
}

/// The element in row i and column j of every matrix.
Array element(const Array& m, std::int64_t i, std::int64_t j) {
  const Array row = lax::slice_in_dim(m, i, i + 1, 1, m.rank() - 2);
  return squeeze(lax::slice_in_dim(row, j, j + 1, 1, m.rank() - 1), {-2, -1});
}
/// Of 2 x 2 and 3 x 3 matrices, as a sum of products.
Array small_det(const Array& m) {
  const std::int64_t n = m.dim(-1);
  auto minor = [&](std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t l) {
    const Array a = element(m, i, k), b = element(m, j, l), c = element(m, i, l), d = element(m, j, k);
    const Array plus = lax::mul(a, b), minus = lax::mul(c, d);
    return lax::sub(plus, minus);
  };
  if (n == 2) return minor(0, 1, 0, 1);
  const Array m00 = element(m, 0, 0), m01 = element(m, 0, 1), m02 = element(m, 0, 2);
  const Array first = lax::mul(m00, minor(1, 2, 1, 2));
  const Array second = lax::mul(m01, minor(1, 2, 0, 2));
  const Array third = lax::mul(m02, minor(1, 2, 0, 1));
  return lax::add(lax::sub(first, second), third);
}

Array product_of_pivots(const Array& m) {
  const lax::Lu f = lax::lu(m);
  const Array factors = prod(in_line(f.lu), -1);
  return multiply(factors, parity(f.pivots, real_of(m.dtype())));
}

/// A function of matrices of this type whose derivative is `rule`: (m, dm) -> (results, tangents).
Arrays ruled(const char* name, const Array& m, FunctionRef<Arrays(const Array&)> call,
             FunctionRef<Arrays(const Array&, const Array&)> rule) {
  const Type& t = m.type();
  return lax::custom_jvp(make_program(name, {t}, [&](const Arrays& in) { return call(in[0]); }),
                         make_program(name, {t, t}, [&](const Arrays& in) { return rule(in[0], in[1]); }), 0,
                         {m}, {});
}

/// The adjugate, det(m) m^-1, which singular matrices have as well. Of m = u s v it is that of v times that
/// of s times that of u; of s it holds the products of all other elements.
Array factored_adjugate(const Array& m) {
  const auto [u, s, vt] = lax::svd(m);
  const Array one = eye(m.dim(-1), -1, 0, boolean), row = expand_dims(s, -2);
  const Array others = prod(where(one, 1, row), -1);
  const Array turn = multiply(product_of_pivots(u), product_of_pivots(vt));
  const Array right = multiply(expand_dims(others, -1), conj(matrix_transpose(u)));
  return multiply(expand_dims(turn, {-1, -2}), matmul(conj(matrix_transpose(vt)), right));
}
/// Its derivative divides by m: that of a singular matrix has none here.
Array adjugate(const Array& m) {
  return ruled(
      "adjugate", m, [](const Array& a) -> Arrays { return {factored_adjugate(a)}; },
      [](const Array& a, const Array& da) -> Arrays {
        const Array adj = factored_adjugate(a), ratio = solve(a, da);
        const Array share = expand_dims(trace(ratio), {-1, -2});
        return {adj, lax::sub(multiply(share, adj), matmul(ratio, adj))};
      })[0];
}

}  // namespace

Array det(Operand a) {
  const Frame frame(a.where());
  const Array m = square_matrix("det", a);
  if (m.dim(-1) == 1) return element(m, 0, 0);
  if (m.dim(-1) == 2 || m.dim(-1) == 3) return small_det(m);
  return ruled(
      "det", m, [](const Array& x) -> Arrays { return {product_of_pivots(x)}; },
      [](const Array& x, const Array& dx) -> Arrays {
        return {product_of_pivots(x), sum(lax::mul(matrix_transpose(adjugate(x)), dx), {-2, -1})};
      })[0];
}

SlogDet slogdet(Operand a) {
  const Frame frame(a.where());
  const Array m = square_matrix("slogdet", a);
  const auto call = [](const Array& x) -> Arrays {
    const lax::Lu f = lax::lu(x);
    const Array line = in_line(f.lu), signs = prod(lax::sign(line), -1);
    return {multiply(signs, parity(f.pivots, real_of(x.dtype()))), sum(lax::log(lax::abs(line)), -1)};
  };
  // d log(det m) = trace(m^-1 dm): the real part is that of the logarithm, the imaginary part turns the sign.
  const Arrays out = ruled("slogdet", m, call, [&](const Array& x, const Array& dx) -> Arrays {
    const Arrays both = call(x);
    const Array t = trace(solve(x, dx));
    if (!is_complex(t.dtype())) return {both[0], both[1], zeros_like(both[0]), t};
    const Array turn = lax::complex(zeros_like(lax::real(t)), lax::imag(t));
    return {both[0], both[1], lax::mul(turn, both[0]), lax::real(t)};
  });
  return {out[0], out[1]};
}

}  // namespace baton::linalg
