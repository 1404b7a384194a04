// complex_derivative: derivatives of factorizations and running products of complex matrices against central
// differences. Vectors of eigh and svd have a free phase, so only what does not depend on it is compared.
#include <random>

#include "ops_reduce/helpers.h"

namespace baton {
namespace {

using C = std::complex<double>;

Array random_complex(const Shape& shape, int seed) {
  std::mt19937 bits(static_cast<unsigned>(seed));
  std::normal_distribution<double> normal;
  std::vector<C> values(static_cast<std::size_t>(Type{c128, shape}.size()));
  for (C& z : values) z = C(normal(bits), normal(bits));
  return Array(values, shape);
}

void expect_derivative(const Shape& shape, FunctionRef<Arrays(const Array&)> f) {
  const Program p = make_program("f", {{c128, shape}}, [&](const Arrays& in) { return f(in[0]); });
  const Array x = random_complex(shape, 3), dx = random_complex(shape, 4);
  constexpr double step = 1e-6;
  const std::size_t n = p.outputs().size();
  const Arrays dual = execute(jvp(p, {true}, Mask(n, true)).program, {x, dx}, {});
  const Arrays after = execute(p, {lax::add(x, lax::mul(dx, step))}, {});
  const Arrays before = execute(p, {lax::sub(x, lax::mul(dx, step))}, {});
  for (std::size_t k = 0; k < n; ++k) {
    const auto got = reals(dual[n + k]), a = reals(after[k]), b = reals(before[k]);
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_NEAR(got[i], (a[i] - b[i]) / (2 * step), 1e-5 * (1 + std::abs(got[i])))
          << "result " << k << " element " << i;
  }
}

Array product(const Array& a, const Array& b) {
  return lax::dot_general(a, b, {.lhs_contract = {1}, .rhs_contract = {0}});
}
Array adjoint(const Array& a) { return lax::conj(lax::transpose(a, {1, 0})); }

TEST(ComplexDerivative, Qr) {
  for (const Shape& shape : {Shape{4, 3}, Shape{3, 3}})
    expect_derivative(shape, [](const Array& x) -> Arrays {
      const auto [q, r] = lax::qr(x);
      return {q, r};
    });
}

TEST(ComplexDerivative, Cholesky) {
  expect_derivative({3, 3}, [](const Array& x) -> Arrays { return {lax::cholesky(product(x, adjoint(x)))}; });
}

TEST(ComplexDerivative, Eigh) {
  expect_derivative({3, 3}, [](const Array& x) -> Arrays {
    const lax::Eigh e = lax::eigh(lax::add(x, adjoint(x)));
    const Array lowest = lax::slice_in_dim(e.vectors, 0, 1, 1, 1);
    return {e.values, product(lowest, adjoint(lowest))};
  });
}

TEST(ComplexDerivative, Svd) {
  for (const Shape& shape : {Shape{4, 3}, Shape{2, 3}})
    expect_derivative(shape, [](const Array& x) -> Arrays {
      const lax::Svd f = lax::svd(x);
      const Array scale = lax::broadcast_in_dim(lax::log1p(f.s), f.u.shape(), {1});
      return {f.s, product(lax::mul(f.u, lax::convert_element_type(scale, c128)), f.vt)};
    });
}

TEST(ComplexDerivative, LuAndTriangularSolve) {
  expect_derivative({3, 3}, [](const Array& x) -> Arrays {
    return {lax::lu(x).lu,
            lax::triangular_solve(
                x, x, {.left_side = false, .lower = true, .transpose_a = true, .conjugate_a = true})};
  });
}

TEST(ComplexDerivative, RunningProducts) {
  expect_derivative({3, 3}, [](const Array& x) -> Arrays {
    return {lax::cumprod(x, 1), lax::cumlogsumexp(x, 0), lax::reduce_prod(x, {0})};
  });
}

}  // namespace
}  // namespace baton
