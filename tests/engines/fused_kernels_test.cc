// fused_kernels: how many kernels are left of what users write, with the bits of kernels of one equation
// each.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "baton/random.h"
#include "engines/cpu/cpu.h"
#include "engines/cpu/with_fusion.h"
#include "ops/row.h"

namespace baton {
namespace {

/// The steps of its Plan; none is the reference's evaluation.
template <class F>
int kernels_of(F f, const Arrays& inputs) {
  const Program program = trace(f, inputs);
  const ExecutablePtr fused = cpu::compile(program, {});
  const cpu::WithFusion unfused(Fusion::apart);
  const ExecutablePtr apart = cpu::compile(program, {});
  EXPECT_GT(apart->report({}).steps, fused->report({}).steps);
  const Arrays found = fused->run(inputs), want = apart->run(inputs);
  for (std::size_t k = 0; k < want.size(); ++k)
    EXPECT_TRUE(testing::same_bits(found[k], want[k])) << "result " << k << " of\n" << program;
  EXPECT_EQ(fused->report({}).evaluated, std::vector<std::string>());
  return fused->report({}).steps;
}

Array drawn(unsigned seed, const Shape& shape) { return random::normal(random::key(seed), shape); }

TEST(FusedKernels, SlicesAreReadWhereTheyLie) {
  EXPECT_EQ(kernels_of([](const Arrays& in) { return sin(in[0].at(range(2, 30, 3), range(1, 18))) * 2.f; },
                       {drawn(1, {32, 20})}),
            1);
  EXPECT_EQ(kernels_of(
                [](const Arrays& in) {
                  return lax::dynamic_slice(in[0], {in[1], Array(3)}, {5, 7}) + 1.f;
                },
                {drawn(1, {32, 20}), Array(4)}),
            1);
}
/// Gradients of a layer norm behind a sum. The sum is computed again by kernels that compute the deviation
/// again; so they read what only the deviation has read before.
TEST(FusedKernels, WhatIsComputedAgainFindsWhatItReads) {
  const auto gradients = [](auto norm) {
    return [norm](const Arrays& in) {
      const auto loss = [norm](const std::pair<Array, Array>& p, const Array& x, const Array& w) {
        return sum(square(matmul(norm(x + p.second) * p.first, w)));
      };
      const auto g = grad(loss)({in[0], in[1]}, in[2], in[3]);
      return Arrays{g.first, g.second};
    };
  };
  const Arrays inputs = {drawn(1, {48}), drawn(2, {128, 48}), drawn(3, {128, 48}), drawn(4, {48, 64})};
  EXPECT_EQ(kernels_of(gradients([](const Array& h) { return standardize(h); }), inputs), 7);
  const auto by_hand = [](const Array& h) {
    return (h - mean(h, -1, {.keepdims = true})) * lax::rsqrt(var(h, -1, {.keepdims = true}) + 1e-5);
  };
  EXPECT_EQ(kernels_of(gradients(by_hand), inputs), 7);
}
/// One of the layers of networks, on rows; it may use a parameter.
Array layer(std::uint64_t which, const Array& h, const Array& row, const Array& square_matrix) {
  const auto average = [](const Array& x) { return mean(x, -1, {.keepdims = true}); };
  switch (which % 8) {
    case 0:
      return standardize(h + row);
    case 1:
      return (h - average(h)) * row;
    case 2:
      return softmax(h * row);
    case 3:
      return matmul(h, square_matrix);
    case 4:
      return h + tanh(matmul(h, square_matrix));
    case 5:
      return h * lax::rsqrt(average(h * h) + 1e-3) * row;
    case 6:
      return transpose(transpose(h) * sum(h * row, -1));
    default:
      return sin(h) + h * row;
  }
}

/// Derivatives of random networks, to the bit: as usual, with all computed again that can be, and unfused.
TEST(FusedKernels, RandomNetworksHaveTheSameDerivatives) {
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    testing::Random random("network " + std::to_string(seed));
    std::vector<std::uint64_t> layers(3 + random.bits() % 4);
    for (std::uint64_t& which : layers) which = random.bits() >> 8;
    Arrays inputs = {drawn(1, {7, 6})};
    for (std::size_t i = 0; i < layers.size(); ++i)
      inputs.push_back(drawn(10, {6})), inputs.push_back(drawn(11, {6, 6}));
    const auto loss = [layers](const Arrays& in) {
      Array h = in[0];
      for (std::size_t i = 0; i < layers.size(); ++i) h = layer(layers[i], h, in[2 * i + 1], in[2 * i + 2]);
      return sum(square(h));
    };
    const Program program = trace([loss](const Arrays& in) { return grad(loss)(in); }, inputs);
    const Arrays usual = cpu::compile(program, {})->run(inputs);
    for (const Fusion fusion : {Fusion::repeating, Fusion::apart}) {
      const cpu::WithFusion other(fusion);
      const ExecutablePtr executable = cpu::compile(program, {});
      EXPECT_EQ(executable->report({}).evaluated, std::vector<std::string>()) << "seed " << seed;
      const Arrays found = executable->run(inputs);
      for (std::size_t k = 0; k < usual.size(); ++k)
        EXPECT_EQ(testing::difference_of_bits(found[k], usual[k]), "")
            << "seed " << seed << ", result " << k << (fusion == Fusion::apart ? " apart" : " repeating");
    }
  }
}
TEST(FusedKernels, PaddingIsNeverMade) {
  EXPECT_EQ(kernels_of(
                [](const Arrays& in) {
                  return tanh(lax::pad(in[0], 0.5f, {{1, 2, 0}, {3, -1, 1}}));
                },
                {drawn(1, {12, 20})}),
            1);
}
TEST(FusedKernels, EmbeddingsAreReadRowByRow) {
  const Array ids = remainder(arange(4 * 16) * 7, 40);
  EXPECT_EQ(kernels_of([](const Arrays& in) { return in[0].at(in[1]) + in[2]; },
                       {drawn(1, {40, 24}), reshape(ids, {4, 16}), drawn(2, {16, 24})}),
            1);
}
TEST(FusedKernels, PartsAreReadAsOne) {
  EXPECT_EQ(kernels_of(
                [](const Arrays& in) {
                  return exp(concatenate({in[0], in[1], in[0]}, 1)) - 1.f;
                },
                {drawn(1, {12, 20}), drawn(2, {12, 3})}),
            1);
}
TEST(FusedKernels, CountersTakeNoMemory) {
  EXPECT_EQ(kernels_of(
                [](const Arrays& in) {
                  return in[0] * lax::iota({f32, {12, 20}}, 1);
                },
                {drawn(1, {12, 20})}),
            1);
  const auto causal = [](const Arrays& in) {
    const Array row = lax::iota({s32, {16, 16}}, 0), column = lax::iota({s32, {16, 16}}, 1);
    return softmax(where(column <= row, in[0], -1e9f), -1);
  };
  EXPECT_EQ(kernels_of(causal, {drawn(1, {4, 16, 16})}), 1);
}

Array cross_entropy(const Array& logits, const Array& labels) {
  const Array of_label = squeeze(take_along_axis(logits, expand_dims(labels, -1)), -1);
  return mean(logsumexp(logits, -1) - of_label);
}
TEST(FusedKernels, CrossEntropyIsAKernelOfRowsAndAMean) {
  const Arrays inputs = {drawn(1, {64, 50}), remainder(arange(64), 50)};
  EXPECT_EQ(kernels_of([](const Arrays& in) { return cross_entropy(in[0], in[1]); }, inputs), 2);
}
/// Three go over the rows: zeros, one element of each row added to them, and the rest of it. Three more are
/// of one element a row or less.
TEST(FusedKernels, TheGradientOfCrossEntropyGoesOverTheRowsThreeTimes) {
  const Arrays inputs = {drawn(1, {64, 50}), remainder(arange(64), 50)};
  const auto gradient = [](const Arrays& in) {
    return grad([&](const Array& logits) { return cross_entropy(logits, in[1]); })(in[0]);
  };
  EXPECT_LE(kernels_of(gradient, inputs), 6);
}

TEST(FusedKernels, BiasAndReluAreOneKernelBehindAConvolution) {
  const auto layer = [](const Arrays& in) {
    const lax::ConvDims nhwc = {.lhs = {0, 3, 1, 2}, .rhs = {3, 2, 0, 1}, .out = {0, 3, 1, 2}};
    return relu(lax::conv_general_dilated(in[0], in[1], {.dims = nhwc}) + in[2]);
  };
  EXPECT_EQ(kernels_of(layer, {drawn(1, {2, 9, 9, 3}), drawn(2, {3, 3, 3, 5}), drawn(3, {5})}), 2);
}
TEST(FusedKernels, BiasAndGeluAreOneKernelBehindAProduct) {
  EXPECT_EQ(kernels_of([](const Arrays& in) { return gelu(matmul(in[0], in[1]) + in[2]); },
                       {drawn(1, {32, 20}), drawn(2, {20, 30}), drawn(3, {30})}),
            2);
}

/// Each barrier sees all values of the one before it: to look back through them takes as many steps as there
/// are values.
TEST(FusedKernels, ManyBarriersInARowTakeNoTime) {
  const auto f = [](const Array& x) {
    Arrays a = {x, x + 1, x * 2};
    for (int i = 0; i < 40; ++i) a = lax::optimization_barrier(a);
    return a[0] + a[1] + a[2];
  };
  const Array x = Array({1.f, 2.f});
  EXPECT_EQ(jit(f)(x).read<float>().vector(), (std::vector<float>{5, 9}));
}

}  // namespace
}  // namespace baton
