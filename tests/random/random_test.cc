// random: keys in traces, choices from arrays, derivatives, initializers, and errors. Numbers are from jax
// 0.10.2.
#include "baton/random.h"

#include "ops_reduce/helpers.h"

namespace baton {
namespace {

using random::Key;

TEST(Random, KeysAreValues) {
  const Key key = random::key(7);
  EXPECT_EQ(values<std::uint32_t>(key.data), (std::vector<std::uint32_t>{0, 7}));
  EXPECT_EQ(values<std::uint32_t>(random::key((std::uint64_t{9} << 32) + 7).data),
            (std::vector<std::uint32_t>{9, 7}));
  const auto [a, b] = random::split<2>(key);
  EXPECT_NE(values<std::uint32_t>(a.data), values<std::uint32_t>(b.data));
  EXPECT_EQ(values<std::uint32_t>(random::split(key, 2)[1].data), values<std::uint32_t>(b.data));
  EXPECT_EQ(values(random::uniform(a, {3})), values(random::uniform(a, {3})));
}

TEST(Random, TracedKeysGiveTheSameNumbers) {
  const Program f = make_program("f", {{u32, {2}}, {s32, {}}}, [](const Arrays& in) -> Arrays {
    const Key key = random::fold_in(Key{in[0]}, in[1]);
    return {random::normal(key, {4}), random::randint(key, {4}, 0, 100), random::poisson(key, 3.0, {4})};
  });
  const Key key = random::key(1);
  const Arrays out = execute(f, {key.data, Array(5)}, {});
  const Key folded = random::fold_in(key, 5);
  EXPECT_EQ(values(out[0]), values(random::normal(folded, {4})));
  EXPECT_EQ(values<std::int32_t>(out[1]), values<std::int32_t>(random::randint(folded, {4}, 0, 100)));
  EXPECT_EQ(values<std::int32_t>(out[2]), values<std::int32_t>(random::poisson(folded, 3.0, {4})));
}

TEST(Random, GammaAndItsDerivative) {
  const Array a({0.3f, 1.f, 2.5f, 10.f});
  const Key key = random::key(7);
  const auto x = values(random::gamma(key, a));
  const Floats want = {5.715880888601532e-07f, 0.2179168313741684f, 1.315557837486267f, 13.67459487915039f};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(x[i], want[i], 1e-5 * want[i]);
  for (bool log_space : {false, true}) {
    const Program f = make_program("f", {{u32, {2}}, {f32, {4}}}, [&](const Arrays& in) -> Arrays {
      return {log_space ? random::loggamma(Key{in[0]}, in[1]) : random::gamma(Key{in[0]}, in[1])};
    });
    const auto slope = values(gradient(f, {key.data, a}, {Array({1.f, 1.f, 1.f, 1.f})})[0]);
    const Floats plain = {2.7065958420280367e-05f, 0.4873395264148712f, 0.7606914639472961f,
                          1.1841847896575928f};
    const Floats logs = {47.352210998535156f, 2.2363555431365967f, 0.5782272815704346f, 0.08659741282463074f};
    for (std::size_t i = 0; i < 4; ++i) {
      const float expected = log_space ? logs[i] : plain[i];
      EXPECT_NEAR(slope[i], expected, 1e-4 * expected) << "log_space " << log_space << " element " << i;
    }
  }
}

TEST(Random, ChoicesFromArrays) {
  const Array x = lax::reshape(lax::iota({s32, {12}}, 0), {3, 4});
  const Key key = random::key(7);
  EXPECT_EQ(values<std::int32_t>(random::choice(key, x, {2}, {.replace = false, .axis = 1})),
            (Ints{2, 3, 6, 7, 10, 11}));
  EXPECT_EQ(values<std::int32_t>(random::choice(key, x, {2, 2})),
            (Ints{4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(random::choice(key, 5, {0}).shape(), (Shape{0}));
}

TEST(Random, OrthogonalMatrices) {
  const Key key = random::key(7);
  const auto q = values(random::orthogonal(key, 2, {}, f32, 3));
  const Floats want = {0.48973512649536133f, -0.5602856278419495f, 0.6680116653442383f,
                       0.8697620034217834f,  0.36721739172935486f, -0.3296443819999695f};
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(q[i], want[i], 2e-6);
  const auto w = values(initializers::orthogonal()(key, {3, 2, 2}));
  EXPECT_NEAR(w[0], 0.25396525859832764f, 2e-6);
  EXPECT_NEAR(w[11], 0.6294694542884827f, 2e-6);
  const auto delta = values(initializers::delta_orthogonal()(key, {3, 2, 2}));
  const double middle = delta[4] * delta[4] + delta[5] * delta[5];
  EXPECT_NEAR(middle, 1, 1e-6);
  EXPECT_EQ(delta[0], 0);
  EXPECT_EQ(delta[11], 0);
}

TEST(Random, Initializers) {
  const Key key = random::key(3);
  EXPECT_EQ(values(initializers::ones()(key, {2})), (Floats{1, 1}));
  EXPECT_EQ(values<double>(initializers::constant(0.25)(key, {1}, f64)), (std::vector<double>{0.25}));
  // Fans of a convolution's kernel: 3 * 3 * 2 in, 3 * 3 * 8 out.
  double sum = 0;
  for (float x : values(initializers::variance_scaling(
           2, initializers::Fan::out, initializers::Distribution::normal)(key, {3, 3, 2, 800})))
    sum += x * x;
  EXPECT_NEAR(sum / (3 * 3 * 2 * 800), 2.0 / (3 * 3 * 800), 2e-5);
}

TEST(Random, Errors) {
  const Key key = random::key(0);
  EXPECT_EQ(message([] { random::normal(Key{}, {2}); }),
            "random: a key is u32[2], found an empty array.\n  Make one with random::key(seed).");
  EXPECT_EQ(message([] {
              random::split(Key{lax::zeros({u32, {3, 2}})}, 2);
            }),
            "random: a key is u32[2], found u32[3,2].\n  Make one with random::key(seed).");
  EXPECT_EQ(message([&] { random::uniform(key, {2}, s32); }),
            "random::uniform: the dtype must be f16, bf16, f32 or f64, found s32.");
  EXPECT_EQ(message([&] { random::bits(key, {2}, s32); }),
            "random::bits: the dtype must be u8, u16, u32 or u64, found s32.");
  EXPECT_EQ(message([&] { random::bernoulli(key, 1, {2}); }), "no error");
  EXPECT_EQ(message([&] {
              random::gamma(key, Array({1.f, 2.f, 3.f}), {2});
            }),
            "random::gamma: the shapes of its parameters do not broadcast: (2), (3).");
  EXPECT_EQ(message([&] { random::choice(key, 3, {4}, {.replace = false}); }),
            "random::choice: 4 draws without replacement are more than the 3 elements.");
  EXPECT_EQ(message([&] {
              random::categorical(key, Array({1.f, 2.f}), {.shape = Shape{3}, .replace = false});
            }),
            "random::categorical: 3 samples without replacement are more than the 2 categories.");
  EXPECT_EQ(message([&] {
              random::permutation(key, lax::zeros({f32, {2}}), 1);
            }),
            "random::permutation: axis 1 is out of range for f32[2].");
  EXPECT_EQ(message([&] { initializers::he_normal()(key, {5}); }),
            "initializers::variance_scaling: axis -2 is out of range for the shape (5).\n  Kernels need two "
            "axes; or name "
            "them: {.in_axis = ...}.");
}

TEST(Random, ChoiceByProbabilityFromManyNeedsNoTable) {
  // A table of draws and elements would have 10^10 bytes.
  const std::int64_t n = 100000;
  const Array p = lax::full({n}, 1e-5);
  const Array drawn = random::choice(random::key(3), n, {n}, {.p = lax::convert_element_type(p, f32)});
  EXPECT_EQ(drawn.shape(), (Shape{n}));
  std::vector<std::int64_t> counts(10);
  for (std::int32_t x : drawn.read<std::int32_t>()) ++counts[static_cast<std::size_t>(x / (n / 10))];
  for (std::int64_t c : counts) EXPECT_NEAR(static_cast<double>(c), 1e4, 500);
}

TEST(Random, PoissonOfAnEndlessRateEnds) {
  const Array rate({INFINITY, NAN, -INFINITY, 3.f});
  const auto drawn = random::poisson(random::key(0), rate).read<std::int32_t>().vector();
  EXPECT_EQ(drawn[0], -1);
  EXPECT_EQ(drawn[1], -1);
  EXPECT_GE(drawn[3], 0);
}

}  // namespace
}  // namespace baton
