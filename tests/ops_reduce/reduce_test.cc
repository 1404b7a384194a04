// reduce: reductions, running combinations and argmax against numbers worked out by hand.
#include "ops_reduce/helpers.h"

namespace baton {
namespace {

TEST(Reduce, Products) {
  const Array x({1.f, 2.f, 3.f, 4.f, 5.f, 0.f}, {2, 3});
  EXPECT_EQ(values<float>(lax::reduce_prod(x, {1})), (Floats{6, 0}));
  EXPECT_EQ(values<float>(lax::reduce_prod(x, {0})), (Floats{4, 10, 0}));
  EXPECT_EQ(lax::reduce_prod(x, {1, 0}).item(), 0.f);
  EXPECT_EQ(lax::reduce_prod(lax::zeros({f32, {0}}), {0}).item(), 1.f);
  EXPECT_EQ(lax::reduce_prod(Array({2, 3, 7}), {0}).item<std::int32_t>(), 42);
}

TEST(Reduce, LargestAndSmallest) {
  const Array x({1.f, 7.f, nan, -4.f, 5.f, 0.f}, {2, 3});
  EXPECT_EQ(values<float>(lax::reduce_max(x, {0}))[1], 7.f);
  EXPECT_TRUE(std::isnan(values<float>(lax::reduce_max(x, {1}))[0]));
  EXPECT_TRUE(std::isnan(values<float>(lax::reduce_min(x, {1}))[0]));
  EXPECT_EQ(values<float>(lax::reduce_min(x, {1}))[1], -4.f);
  EXPECT_EQ(lax::reduce_max(lax::zeros({f32, {0}}), {0}).item(), -inf);
  EXPECT_EQ(lax::reduce_min(lax::zeros({s8, {0}}), {0}).item<std::int8_t>(), 127);
  EXPECT_EQ(lax::reduce_max(Array({false, true}), {0}).item<bool>(), true);
  using C = std::complex<float>;
  EXPECT_EQ(lax::reduce_max(Array({C(1, 5), C(1, 7), C(0, 9)}), {0}).item<C>(), C(1, 7));
}

TEST(Reduce, MinusZeroIsBelowZero) {
  const Array minus(-0.f), plus(0.f);
  auto sign = [](const Array& a) { return std::signbit(a.item()); };
  EXPECT_FALSE(sign(lax::max(minus, plus)));
  EXPECT_FALSE(sign(lax::max(plus, minus)));
  EXPECT_TRUE(sign(lax::min(minus, plus)));
  EXPECT_TRUE(sign(lax::min(plus, minus)));
  for (const Array& x : {Array({-0.f, 0.f}), Array({0.f, -0.f})}) {
    const Array last({1});
    EXPECT_FALSE(sign(lax::reduce_max(x, {0})));
    EXPECT_TRUE(sign(lax::reduce_min(x, {0})));
    EXPECT_FALSE(std::signbit(values(lax::cummax(x))[1]));
    EXPECT_TRUE(std::signbit(values(lax::cummin(x))[1]));
    EXPECT_FALSE(sign(lax::reduce_window_max(x, {.dimensions = {2}})));
    EXPECT_TRUE(sign(lax::reduce_window_min(x, {.dimensions = {2}})));
    const lax::ScatterDims dims{{}, {0}, {0}};
    const Array first = lax::slice_in_dim(x, 0, 1), second = lax::slice_in_dim(x, 1, 2), at({0}, {1, 1});
    EXPECT_FALSE(std::signbit(values(lax::scatter_max(first, at, second, dims))[0]));
    EXPECT_TRUE(std::signbit(values(lax::scatter_min(first, at, second, dims))[0]));
  }
}

TEST(Reduce, AScanOverLanesDoesNotGrowWithThem) {
  const Program sum = scalar_pair([](const Array& a, const Array& b) { return lax::add(a, b); });
  auto lanes = [&](std::int64_t n) {
    const Program one = make_program("f", {{f32, {3}}, {f32, {}}}, [&](const Arrays& in) {
      return lax::reduce({in[0]}, {in[1]}, sum, {0});
    });
    return batch(one, {n, ""}, {true, true}, {true}).program;
  };
  EXPECT_EQ(lanes(2).equation_count(), lanes(100).equation_count());
  EXPECT_EQ(lanes(0).outputs(), (Types{{f32, {0}}}));
  EXPECT_EQ(
      values(execute(lanes(2), {Array({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {2, 3}), Array({0.f, 1.f})}, {})[0]),
      (Floats{6, 16}));
}

TEST(Reduce, Bits) {
  const Array x({12, 10, 6});
  EXPECT_EQ(lax::reduce_and(x, {0}).item<std::int32_t>(), 0);
  EXPECT_EQ(lax::reduce_or(x, {0}).item<std::int32_t>(), 14);
  EXPECT_EQ(lax::reduce_xor(x, {0}).item<std::int32_t>(), 0);
  const Array none = lax::zeros({boolean, {0}});
  EXPECT_TRUE(lax::reduce_and(none, {0}).item<bool>());
  EXPECT_FALSE(lax::reduce_or(none, {0}).item<bool>());
  EXPECT_EQ(lax::reduce_and(lax::zeros({u8, {0}}), {0}).item<std::uint8_t>(), 255);
}

TEST(Reduce, IndexOfTheLargest) {
  const Array x({1.f, 3.f, 3.f, nan, 5.f, nan}, {2, 3});
  EXPECT_EQ(values<std::int32_t>(lax::argmax(x, 1)), (Ints{1, 0}));
  EXPECT_EQ(values<std::int32_t>(lax::argmin(x, -1)), (Ints{0, 0}));
  EXPECT_EQ(values<std::int64_t>(lax::argmin(x, 0, s64)), (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_EQ(lax::argmax(Array({false, true, true}), 0, u8).item<std::uint8_t>(), 1);
}

TEST(Reduce, RunningCombinations) {
  const Array x({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {2, 3});
  EXPECT_EQ(values<float>(lax::cumsum(x, 1)), (Floats{1, 3, 6, 4, 9, 15}));
  EXPECT_EQ(values<float>(lax::cumsum(x, 0, true)), (Floats{5, 7, 9, 4, 5, 6}));
  EXPECT_EQ(values<float>(lax::cumprod(x, -1, true)), (Floats{6, 6, 3, 120, 30, 6}));
  EXPECT_EQ(values<std::int32_t>(lax::cummax(Array({1, 5, 2, 7, 3}))), (Ints{1, 5, 5, 7, 7}));
  EXPECT_EQ(values<std::int32_t>(lax::cummin(Array({4, 5, 2, 7, 3}), 0, true)), (Ints{2, 2, 2, 3, 3}));
  EXPECT_EQ(values<std::int8_t>(lax::cumsum(Array({std::int8_t{100}, std::int8_t{100}}))),
            (std::vector<std::int8_t>{100, -56}));
  const Array y({1000.f, 1000.f, -inf});
  EXPECT_EQ(values<float>(lax::cumlogsumexp(y)),
            (Floats{1000.f, 1000.f + std::log(2.f), 1000.f + std::log(2.f)}));
  EXPECT_EQ(values<float>(lax::cumlogsumexp(y, 0, true))[2], -inf);
}

TEST(Reduce, GradientsOfProductsAndExtrema) {
  const Types in = {{f32, {4}}};
  auto grad = [&](FunctionRef<Array(const Array&)> f, const Array& x, const Array& weight) {
    const Program p = make_program("f", in, [&](const Arrays& a) -> Arrays { return {f(a[0])}; });
    return values(gradient(p, {x}, {weight})[0]);
  };
  const Array one(1.f);
  auto product = [](const Array& x) { return lax::reduce_prod(x, {0}); };
  EXPECT_EQ(grad(product, Array({2.f, 3.f, 0.f, 5.f}), one), (Floats{0, 0, 30, 0}));
  EXPECT_EQ(grad(product, Array({2.f, 0.f, 0.f, 5.f}), one), (Floats{0, 0, 0, 0}));
  EXPECT_EQ(grad([](const Array& x) { return lax::reduce_max(x, {0}); }, Array({7.f, 1.f, 7.f, 0.f}), one),
            (Floats{0.5, 0, 0.5, 0}));
  // As jax.grad(lambda x: (lax.cummax(x) * w).sum()), whose tree shares ties by halves.
  EXPECT_EQ(grad([](const Array& x) { return lax::cummax(x); }, Array({1.f, 3.f, 3.f, 2.f}),
                 Array({1.f, 10.f, 100.f, 1000.f})),
            (Floats{1, 560, 550, 0}));
  EXPECT_EQ(grad([](const Array& x) { return lax::cumprod(x, 0, true); }, Array({2.f, 0.f, 3.f, 5.f}),
                 Array({1.f, 1.f, 1.f, 1.f})),
            (Floats{0, 45, 5, 4}));
}

TEST(Reduce, AnyCombiner) {
  const Program larger =
      make_program("larger", {{f32, {}}, {s32, {}}, {f32, {}}, {s32, {}}}, [](const Arrays& a) -> Arrays {
        const Array left = lax::ge(a[0], a[2]);
        return {lax::select(left, a[0], a[2]), lax::select(left, a[1], a[3])};
      });
  const Array x({1.f, 5.f, 2.f, 9.f, 0.f, 9.f}, {2, 3});
  const Array i = lax::iota({s32, {2, 3}}, 1);
  const Arrays best = lax::reduce({x, i}, {-inf, 0}, larger, {1});
  EXPECT_EQ(values(best[0]), (Floats{5, 9}));
  EXPECT_EQ(values<std::int32_t>(best[1]), (Ints{1, 0}));

  const Program times = scalar_pair([](const Array& a, const Array& b) { return lax::mul(a, b); });
  const Program f = make_program("f", {{f32, {5}}},
                                 [&](const Arrays& a) { return lax::reduce({a[0]}, {1.f}, times, {0}); });
  EXPECT_EQ(values(gradient(f, {Array({1.f, 2.f, 0.f, 3.f, 4.f})}, {Array(2.f)})[0]),
            (Floats{0, 0, 48, 0, 0}));
  const BatchProgram lanes = batch(f, {2, ""}, {true}, {true});
  EXPECT_EQ(values(execute(lanes.program, {Array({1.f, 2.f, 3.f, 4.f, 5.f, 1.f, 1.f, 1.f, 1.f, 7.f}, {2, 5})},
                           {})[0]),
            (Floats{120, 7}));

  EXPECT_EQ(message([&] { lax::reduce({x}, {1.f}, larger, {0}); }),
            "reduce: the combiner must map (f32[], f32[]) to (f32[]), found (f32[], s32[], f32[], s32[]) to "
            "(f32[], s32[]).");
  EXPECT_EQ(message([&] { lax::reduce({x}, {x}, times, {0}); }),
            "reduce: initial value 0 must be a scalar of the operand's dtype, f32[], found f32[2,3].");
}

TEST(Reduce, Errors) {
  const Array x = lax::zeros({f32, {2, 3}});
  EXPECT_EQ(message([&] { lax::reduce_max(x, {2}); }), "reduce_max: axis 2 is out of range for f32[2,3].");
  EXPECT_EQ(message([&] { lax::reduce_prod(x, {1, 1}); }), "reduce_prod: axis 1 is given twice in (1,1).");
  EXPECT_EQ(message([&] { lax::reduce_or(x, {0}); }),
            "reduce_or: operand 0 must be an integer or bool, found f32[2,3].");
  EXPECT_EQ(message([&] {
              lax::argmax(lax::zeros({f32, {2, 0}}), 1);
            }),
            "argmax: axis 1 of f32[2,0] has no elements to choose from.");
  EXPECT_EQ(message([&] { lax::argmax(x, 0, f32); }),
            "argmax: the index dtype must be an integer, found f32.\n  Say s32 or s64.");
  EXPECT_EQ(message([&] {
              lax::argmin(lax::zeros({f32, {300}}), 0, u8);
            }),
            "argmin: axis 0 of f32[300] is too long for indices of u8.");
  EXPECT_EQ(message([&] { lax::cumsum(x, 5); }), "cumsum: axis 5 is out of range for f32[2,3].");
}

TEST(Reduce, RunningExtremaOfComplexNumbersMove) {
  using C = std::complex<double>;
  const Array x({C(1, 5), C(1, 7), C(0, 9)}), dx({C(1, 0), C(2, 0), C(3, 0)});
  const Program f = make_program("f", {{c128, {3}}}, [](const Arrays& a) -> Arrays {
    return {lax::cummax(a[0]), lax::cummin(a[0])};
  });
  const Arrays out = execute(jvp(f, {true}, {true, true}).program, {x, dx}, {});
  expect_near(out[2], {1, 0, 2, 0, 2, 0});
  expect_near(out[3], {1, 0, 1, 0, 3, 0});
}

}  // namespace
}  // namespace baton
