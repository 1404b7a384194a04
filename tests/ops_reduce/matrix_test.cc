// matrix: factorizations and Fourier transforms against numbers from numpy 2.4 and LAPACK through jax 0.10.2.
#include "ops_reduce/helpers.h"

namespace baton {
namespace {

using C = std::complex<double>;
const std::vector<double> tall = {2, 0.5, -1, 1, -1.5, 0.5, 0.25, 1, 3, -1, 2, 0.5};  // 4 x 3

TEST(Matrix, QrHasTheSignsOfLapack) {
  const auto [q, r] = lax::qr(doubles(tall, {4, 3}));
  expect_near(q, {-0.8122769321068952, 0.48119035658621984, 0.3296237324655005, -0.4061384660534476,
                  -0.43726426594349443, -0.3555258834812904, -0.1015346165133619, 0.4232877825571726,
                  -0.8703625695694048, 0.4061384660534476, 0.6309383928682384, 0.08613093905735941});
  expect_near(r, {-2.462214450449026, 0.9138115486202572, 0.5076730825668094, 0, 2.5816561455020004,
                  0.8855100545476697, 0, 0, -3.0754089133856812});
  const auto [full, tall_r] = lax::qr(doubles(tall, {4, 3}), true);
  EXPECT_EQ(full.shape(), (Shape{4, 4}));
  EXPECT_EQ(tall_r.shape(), (Shape{4, 3}));
  EXPECT_NEAR(reals(full)[7], 0.7193419592207155, 1e-12);
  const Array z({C(2, 0), C(1, 1), C(0, 1), C(1, -1)}, {2, 2});
  const auto [zq, zr] = lax::qr(z);
  EXPECT_NEAR(reals(zr)[1], 0, 1e-15);  // the diagonal of r is real
  EXPECT_NEAR(reals(zr)[7], 0, 1e-15);
  expect_near(lax::dot_general(zq, zr, {.lhs_contract = {1}, .rhs_contract = {0}}), reals(z), 1e-14);
}

TEST(Matrix, LuPivotsAsLapack) {
  const lax::Lu f = lax::lu(doubles(tall, {4, 3}));
  expect_near(f.lu,
              {2, 0.5, -1, -0.5, 2.25, 0, 0.125, 0.41666666666666663, 3.125, 0.5, -0.7777777777777777, 0.32});
  EXPECT_EQ(values<std::int32_t>(f.pivots), (Ints{0, 3, 2}));
  EXPECT_EQ(values<std::int32_t>(f.permutation), (Ints{0, 3, 2, 1}));
  expect_near(lax::lu(doubles({0, 0, 0, 1}, {2, 2})).lu, {0, 0, 0, 1});
}

TEST(Matrix, EighAndSvd) {
  const lax::Eigh e = lax::eigh(doubles({4, 1, -1, 1, 2, 0.5, -1, 0.5, -3}, {3, 3}));
  expect_near(e.values, {-3.2187828025821164, 1.7304774270062078, 4.488305375575907});
  expect_near(e.vectors, {0.15290213086374038, -0.3342542860599922, 0.9299973175379875, -0.12324052015477527,
                          0.9272672885351313, 0.3535352172057056, 0.980526752602553, 0.16866964120205513,
                          -0.10058747221926774});
  const lax::Eigh raw =
      lax::eigh(doubles({1, 99, 2, 1}, {2, 2}), true, false);  // the upper triangle is not read
  expect_near(raw.values, {-1, 3});
  const lax::Svd s = lax::svd(doubles(tall, {4, 3}));
  expect_near(s.s, {3.589377071622951, 2.6164688597218118, 2.081577032879995});
  const lax::Svd rank_one = lax::svd(doubles({1, 2, 2, 4}, {2, 2}), true);
  expect_near(rank_one.s, {5, 0});
  const auto u = reals(rank_one.u);
  EXPECT_NEAR(u[0] * u[1] + u[2] * u[3], 0, 1e-15);
}

TEST(Matrix, Cholesky) {
  expect_near(lax::cholesky(Array({C(4, 0), C(1, -1), C(1, 1), C(3, 0)}, {2, 2})),
              {2, 0, 0, 0, 0.5, 0.5, 1.5811388300841898, 0});
  const auto broken = reals(lax::cholesky(doubles({1, 2, 2, 1, 4, 0, 0, 9}, {2, 2, 2})));
  EXPECT_TRUE(std::isnan(broken[0]) && std::isnan(broken[2]) && std::isnan(broken[3]));
  EXPECT_EQ(broken[1], 0);
  EXPECT_EQ(std::vector<double>(broken.begin() + 4, broken.end()), (std::vector<double>{2, 0, 0, 3}));
}

TEST(Matrix, TriangularSolve) {
  const Array a = doubles({2, 7, 1, 4}, {2, 2}), b = doubles({2, 4}, {2, 1});
  expect_near(lax::triangular_solve(a, b, {.lower = true}), {1, 0.75});
  expect_near(lax::triangular_solve(a, b, {.lower = false}), {-2.5, 1});
  expect_near(lax::triangular_solve(a, b, {.lower = true, .transpose_a = true}), {0.5, 1});
  expect_near(lax::triangular_solve(a, b, {.lower = true, .unit_diagonal = true}), {2, 2});
  expect_near(lax::triangular_solve(a, doubles({2, 4}, {1, 2}), {.left_side = false, .lower = true}),
              {0.5, 1});
}

TEST(Matrix, Fourier) {
  const Array x = doubles({1, -2, 3, 4, -5, 6, 7}, {7});
  expect_near(lax::fft(x, lax::FftType::rfft, {7}),
              {14, 0, 3.0157294715892564, 6.056313426699717, -8.844814282762076, 14.509183334496006,
               2.3290848111728204, -7.214892004982479});
  expect_near(lax::fft(Array({C(1, 0), C(2, -1), C(0, 0.5), C(3, 0)}), lax::FftType::irfft, {6}),
              {1.3333333333333333, 0.14433756729740638, 0.7663460352255527, -1, -0.099679368558886,
               -0.14433756729740646});
  // The imaginary part of the first element is not read.
  expect_near(lax::fft(Array({C(1, 5), C(2, -1), C(0, 0.5), C(3, 1)}), lax::FftType::irfft, {7}),
              {1.5714285714285714, -0.31298377506578007, 1.1140368005349155, -0.6056082770011519,
               -0.5198206016695802, -0.013792493298588733, -0.23326022492838572});
  std::vector<C> many(360);
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = C(static_cast<double>(i % 7), static_cast<double>(i % 11));
  const Array y(many, {360});
  expect_near(lax::fft(lax::fft(y, lax::FftType::fft, {360}), lax::FftType::ifft, {360}), reals(y));
}

TEST(Matrix, NoElements) {
  const Program f = make_program("f", {{f64, {0, 0}}, {f64, {2, 0}}}, [](const Arrays& a) -> Arrays {
    return {lax::lu(a[0]).lu, lax::sort({a[1]})[0]};
  });
  const Array none = doubles({}, {0, 0}), row = doubles({}, {2, 0});
  const Arrays slopes = gradient(f, {none, row}, {none, row});
  EXPECT_EQ(slopes[0].shape(), (Shape{0, 0}));
  EXPECT_EQ(slopes[1].shape(), (Shape{2, 0}));
}

TEST(Matrix, Errors) {
  const Array x = lax::zeros({f32, {2, 3}}), v = lax::zeros({f32, {3}});
  EXPECT_EQ(message([&] { lax::cholesky(x); }), "cholesky: the matrices must be square, found f32[2,3].");
  EXPECT_EQ(message([&] { lax::qr(v); }),
            "qr: operand 0 must hold matrices in its last two axes, found f32[3].");
  EXPECT_EQ(
      message([&] {
        lax::lu(lax::zeros({s32, {2, 2}}));
      }),
      "lu: operand 0 must be f32, f64, c64 or c128, found s32[2,2].\n  Convert it first: astype(x, f32).");
  EXPECT_EQ(message([&] {
              lax::triangular_solve(lax::zeros({f32, {2, 2}}), lax::zeros({f32, {3, 1}}));
            }),
            "triangular_solve: the number of rows of b must be that of a, found f32[2,2] and f32[3,1].");
  EXPECT_EQ(message([&] { lax::fft(x, lax::FftType::fft, {3}); }),
            "fft: the operand must be complex, found f32[2,3].");
  EXPECT_EQ(message([&] { lax::fft(x, lax::FftType::rfft, {4}); }),
            "rfft: axis 1 of f32[2,3] must have extent 4 for a signal of length 4.");
  const Program wide =
      make_program("f", {{f32, {2, 3}}}, [](const Arrays& a) -> Arrays { return {lax::qr(a[0]).second}; });
  EXPECT_EQ(message([&] { jvp(wide, {true}, {true}); }),
            "qr: its derivative needs full column rank: at least as many rows as columns, and full_matrices "
            "off unless "
            "square; found f32[2,3].\n  Factor the square part, or the transpose.");
}

TEST(Matrix, FactorsOfWhatIsNotFiniteAreNaN) {
  for (float x : {nan, inf}) {
    const Array m({1.f, x, 2.f, x, 3.f, 4.f, 2.f, 4.f, 5.f}, {3, 3});
    const auto [u, s, vt] = lax::svd(m);
    const auto [vectors, w] = lax::eigh(m);
    for (const Array& a : {u, s, vt, vectors, w})
      for (float each : values(a)) EXPECT_TRUE(std::isnan(each));
  }
  // The other matrices of a batch are not touched.
  const Array two({nan, 1.f, 0.f, 2.f}, {2, 2, 1});
  EXPECT_TRUE(std::isnan(values(lax::svd(two).s)[0]));
  EXPECT_EQ(values(lax::svd(two).s)[1], 2.f);
  EXPECT_EQ(values(lax::svd(two).u)[3], 1.f);
}

}  // namespace
}  // namespace baton
