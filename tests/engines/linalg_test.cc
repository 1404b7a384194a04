// linalg: factors of matrices by LAPACK beside the reference. Vectors are compared as they are, because both
// give them the same sign; and they must make the matrix again.
#include <gtest/gtest.h>

#include "engines/threads.h"
#include "ops/matrix.h"

namespace baton {
namespace {

using testing::Random;

constexpr Dtype matrix_dtypes[] = {f32, f64, c64, c128};
// Units in the last place of the largest element. Vectors depend on how near values are to each other.
constexpr double slack = 400, slack_of_vectors = 5000;

Array random_matrices(Dtype dtype, const Shape& shape, Random& random) {
  return testing::draw_direction({dtype, shape}, random);
}
Array hermitian_matrices(Dtype dtype, const Shape& shape, Random& random) {
  return ops::hermitian(random_matrices(dtype, shape, random), true);
}
/// x x^H + identity.
Array definite_matrices(Dtype dtype, const Shape& shape, Random& random) {
  const Array x = random_matrices(dtype, shape, random);
  return lax::add(ops::matmul(x, ops::adjoint(x)), ops::eye(dtype, shape));
}
Array diagonal_matrices(const Array& values, const Shape& shape, Dtype dtype) {
  return lax::mul(lax::convert_element_type(ops::as_rows(values, shape[shape.size() - 2]), dtype),
                  ops::eye(dtype, shape));
}
Array nan_in_the_first(const Array& x) {
  auto elements = testing::elements(x);
  elements[0] = std::numeric_limits<long double>::quiet_NaN();
  return testing::from_elements(x.type(), elements);
}

/// Results of the kernel, compared with those of the reference.
Arrays results(const Primitive& primitive, const Params& params, const Arrays& operands,
               double within = slack) {
  Types types;
  for (const Array& a : operands) types.push_back(a.type());
  const Program program = testing::program_of(primitive, types, params);
  SCOPED_TRACE(program.text());
  const auto kernel = testing::own_kernel_of(program);
  cpu::Alone alone;
  const Arrays found = testing::run_kernel_results(*kernel, program, operands, alone);
  const Arrays want = testing::run(program, operands);
  for (std::size_t k = 0; k < want.size(); ++k)
    EXPECT_EQ(testing::difference(found[k], want[k], within), "") << "result " << k;
  return found;
}
void expect_equal(const Array& x, const Array& y) { EXPECT_EQ(testing::difference(x, y, slack), ""); }
void expect_unitary(const Array& q) {
  const Array product = ops::matmul(ops::adjoint(q), q);
  expect_equal(product, ops::eye(q.dtype(), product.shape()));
}

const std::vector<Shape> squares = {{1, 1}, {4, 4}, {2, 3, 7, 7}, {40, 40}, {0, 0}, {0, 3, 3}, {2, 0, 0}};
const std::vector<Shape> oblongs = {{1, 1}, {3, 3}, {5, 2}, {2, 5}, {2, 3, 4, 7}, {33, 20}, {3, 0}, {0, 3}};

TEST(Linalg, Cholesky) {
  for (Dtype dtype : matrix_dtypes) {
    Random random("cholesky");
    for (const Shape& shape : squares) {
      const Array x = definite_matrices(dtype, shape, random);
      const Array l = results(ops::cholesky, None{}, {x})[0];
      expect_equal(ops::matmul(l, ops::adjoint(l)), x);
      results(ops::cholesky, None{}, {ops::lower_part(x)});  // the other triangle is not read
    }
    results(ops::cholesky, None{}, {hermitian_matrices(dtype, {6, 3, 3}, random)});  // some are not definite
    results(ops::cholesky, None{}, {nan_in_the_first(definite_matrices(dtype, {2, 3, 3}, random))});
  }
}

TEST(Linalg, TriangularSolve) {
  for (Dtype dtype : matrix_dtypes) {
    Random random("solve");
    for (int way = 0; way < 32; ++way)
      for (std::int64_t n : {1, 5, 20}) {
        const ops::TriangularSolve p{(way & 1) != 0, (way & 2) != 0, (way & 4) != 0, (way & 8) != 0,
                                     (way & 16) != 0};
        const Shape square = {2, n, n};
        const Array a =
            lax::add(lax::mul(random_matrices(dtype, square, random), 0.2), ops::eye(dtype, square));
        results(ops::triangular_solve, p,
                {a, random_matrices(dtype, p.left_side ? Shape{2, n, 7} : Shape{2, 7, n}, random)});
      }
    results(ops::triangular_solve, ops::TriangularSolve{},
            {random_matrices(dtype, {0, 0}, random), random_matrices(dtype, {0, 3}, random)});
    results(ops::triangular_solve, ops::TriangularSolve{},
            {ops::eye(dtype, {2, 2}), random_matrices(dtype, {2, 0}, random)});
  }
}

TEST(Linalg, Lu) {
  for (Dtype dtype : matrix_dtypes) {
    Random random("lu");
    for (const Shape& shape : oblongs) results(ops::lu, None{}, {random_matrices(dtype, shape, random)});
    results(ops::lu, None{}, {lax::zeros({dtype, {3, 3}})});
  }
}

TEST(Linalg, Qr) {
  for (Dtype dtype : matrix_dtypes)
    for (bool full : {false, true}) {
      Random random("qr");
      for (const Shape& shape : oblongs) {
        const Array x = random_matrices(dtype, shape, random);
        const Arrays found = results(ops::qr, ops::Qr{full}, {x});
        expect_equal(ops::matmul(found[0], found[1]), x);
        expect_unitary(found[0]);
      }
    }
}

TEST(Linalg, Eigh) {
  for (Dtype dtype : matrix_dtypes)
    for (bool lower : {false, true}) {
      Random random("eigh");
      for (const Shape& shape : squares) {
        const Array x = hermitian_matrices(dtype, shape, random);
        const Array triangle = lower ? ops::lower_part(x) : ops::upper_part(x);
        const Arrays found = results(ops::eigh, ops::EighParams{lower}, {triangle}, slack_of_vectors);
        const Array& v = found[0];
        expect_equal(ops::matmul(x, v), ops::matmul(v, diagonal_matrices(found[1], shape, dtype)));
        expect_unitary(v);
      }
      results(ops::eigh, ops::EighParams{lower},
              {nan_in_the_first(hermitian_matrices(dtype, {2, 3, 3}, random))});
    }
}

TEST(Linalg, Svd) {
  for (Dtype dtype : matrix_dtypes)
    for (bool full : {false, true}) {
      Random random("svd");
      for (const Shape& shape : oblongs) {
        const Array x = random_matrices(dtype, shape, random);
        const Type type = x.type();
        const Program program = testing::program_of(ops::svd, {type}, ops::SvdParams{full});
        SCOPED_TRACE(program.text());
        const auto kernel = testing::own_kernel_of(program);
        cpu::Alone alone;
        const Arrays found = testing::run_kernel_results(*kernel, program, {x}, alone);
        expect_equal(found[1], testing::run(program, {x})[1]);
        expect_unitary(found[0]);
        expect_unitary(ops::adjoint(found[2]));
        const Shape middle = ops::with_matrix(shape, {found[0].dim(-1), found[2].dim(-2)});
        const std::int64_t k = found[1].dim(-1), missing = found[2].dim(-2) - k;
        std::vector<lax::Padding> padding(found[1].shape().size());
        padding.back().high = missing;
        const Array values = lax::pad(found[1], lax::zeros({found[1].dtype(), {}}), padding);
        expect_equal(ops::matmul(ops::matmul(found[0], diagonal_matrices(values, middle, dtype)), found[2]),
                     x);
        if (!full) results(ops::svd, ops::SvdParams{full}, {x}, slack_of_vectors);
      }
      const Array holed = nan_in_the_first(random_matrices(dtype, {2, 3, 3}, random));
      results(ops::svd, ops::SvdParams{full}, {holed}, slack_of_vectors);
    }
}

TEST(Linalg, AnyNumberOfWorkersGivesTheSameBits) {
  Random random("workers");
  const Shape shape = {23, 12, 12};
  const Array x = definite_matrices(f32, shape, random);
  const std::pair<const Primitive*, Params> each[] = {{&ops::cholesky, None{}},
                                                      {&ops::lu, None{}},
                                                      {&ops::qr, ops::Qr{}},
                                                      {&ops::eigh, ops::EighParams{}},
                                                      {&ops::svd, ops::SvdParams{}}};
  for (const auto& [primitive, params] : each) {
    const Program program = testing::program_of(*primitive, {x.type()}, params);
    testing::expect_same_bits_by_any_workers(*testing::own_kernel_of(program), program, {x});
  }
  const Types types = {x.type(), x.type()};
  const Program solve = testing::program_of(ops::triangular_solve, types, ops::TriangularSolve{});
  testing::expect_same_bits_by_any_workers(*testing::own_kernel_of(solve), solve, {x, x});
}

}  // namespace
}  // namespace baton
