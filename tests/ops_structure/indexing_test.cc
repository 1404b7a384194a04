// indexing: gather and the scatters in every mode, with JAX's numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "ops_structure/numbers.h"
#include "trace/executor.h"
#include "trace/trace.h"
#include "transforms/transforms.h"

namespace baton {
namespace {

using lax::GatherMode;
using lax::ScatterMode;

const Array window_starts() { return Array({4, -1, 1}, {3, 1}); }
const lax::GatherDims pairs = {.offset_dims = {1}, .start_index_map = {0}};
const lax::ScatterDims update_pairs = {.update_window_dims = {1}, .scatter_dims_to_operand_dims = {0}};
const lax::ScatterDims single = {.inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}};

TEST(Gather, AWindowIsInsideOrOutsideAsAWhole) {
  const Numbers filled = numbers(lax::gather(ramp({5}), window_starts(), pairs, {2}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(std::isnan(filled[i]));
  EXPECT_EQ(Numbers(filled.begin() + 4, filled.end()), (Numbers{1, 2}));
  EXPECT_EQ(numbers(lax::gather(ramp({5}), window_starts(), pairs, {2}, {.fill_value = 9})),
            (Numbers{9, 9, 9, 9, 1, 2}));
  EXPECT_EQ(numbers(lax::gather(ramp({5}), window_starts(), pairs, {2}, {.mode = GatherMode::clip})),
            (Numbers{3, 4, 0, 1, 1, 2}));
}

TEST(Gather, FillsWithTheUsualValueOfTheDtype) {
  const Array outside({7}, {1, 1});
  const lax::GatherDims dims{{}, {0}, {0}, {}, {}};
  EXPECT_EQ(lax::gather(Array({1, 2}), outside, dims, {1}).read<int>()[0], std::numeric_limits<int>::min());
  EXPECT_EQ(lax::gather(Array({std::uint8_t{1}}), outside, dims, {1}).read<std::uint8_t>()[0], 255);
  EXPECT_TRUE(lax::gather(Array({false}), outside, dims, {1}).read<bool>()[0]);
  const auto z =
      lax::gather(Array({std::complex<float>(1, 1)}), outside, dims, {1}).read<std::complex<float>>()[0];
  EXPECT_TRUE(std::isnan(z.real()));
}

TEST(Gather, UnsignedIndicesAboveTheSignedRangeAreOutside) {
  const lax::GatherDims dims{{}, {0}, {0}, {}, {}};
  const Array huge({~std::uint64_t{0}}, {1, 1});
  EXPECT_EQ(numbers(lax::gather(ramp({3}), huge, dims, {1}, {.mode = GatherMode::clip})), (Numbers{2}));
  EXPECT_EQ(numbers(lax::gather(ramp({3}), huge, dims, {1}, {.fill_value = 9})), (Numbers{9}));
}

TEST(Gather, BatchingAxesFollowTheIndices) {
  const Array x = ramp({2, 3}), i({2, 0, 1, 1}, {2, 2, 1});
  const lax::GatherDims dims{{}, {1}, {1}, {0}, {0}};
  EXPECT_EQ(numbers(lax::gather(x, i, dims, {1, 1})), (Numbers{2, 0, 4, 4}));
}

TEST(Gather, ErrorsSayWhichListDoesNotFit) {
  const Array x = ramp({3, 4}), i({0, 1}, {2, 1});
  EXPECT_EQ(error([&] {
              lax::gather(x, ramp({2, 1}), {{1}, {0}, {0}, {}, {}}, {1, 4});
            }),
            "gather: indices must be integers with the index vectors along their last axis, found f32[2,1].");
  EXPECT_EQ(error([&] {
              lax::gather(x, i, {{1}, {0}, {0, 1}, {}, {}}, {1, 4});
            }),
            "gather: index vectors must have one element for each of the operand axes (0,1), found the last "
            "axis of "
            "s32[2,1].");
  EXPECT_EQ(error([&] {
              lax::gather(x, i, {{1}, {0}, {0}, {}, {}}, {1, 5});
            }),
            "gather: slice sizes must not be larger than the extents of f32[3,4], found (1,5).");
  EXPECT_EQ(
      error([&] {
        lax::gather(x, i, {{1}, {0}, {0}, {}, {}}, {2, 4});
      }),
      "gather: slice sizes must be 1 on collapsed and batching axes and nowhere negative, found (2,4).");
  EXPECT_EQ(
      error([&] {
        lax::gather(x, i, {{}, {0}, {0}, {}, {}}, {1, 4});
      }),
      "gather: one offset axis of the result is required for each of the 1 axes of f32[3,4] that are neither "
      "collapsed nor batching, found ().");
  EXPECT_EQ(
      error([&] {
        lax::gather(x, i, {{1}, {}, {1}, {0}, {0}}, {1, 4});
      }),
      "gather: batching axes differ: axis 0 of the operand f32[3,4] and axis 0 of the indices s32[2,1].");
}

TEST(Scatter, AWindowIsInsideOrOutsideAsAWhole) {
  const Array x = lax::zeros({f32, {5}}), updates = ramp({3, 2}, 1);
  EXPECT_EQ(numbers(lax::scatter(x, window_starts(), updates, update_pairs)), (Numbers{0, 5, 6, 0, 0}));
  EXPECT_EQ(numbers(lax::scatter(x, window_starts(), updates, update_pairs, {.mode = ScatterMode::clip})),
            (Numbers{3, 5, 6, 1, 2}));
}

TEST(Scatter, UpdatesAtOnePlaceAreAppliedInOrder) {
  const Array x = ramp({3}, 1), i({1, 1, 2, 7}, {4, 1}), u({2.f, 1.f, 5.f, 9.f});
  EXPECT_EQ(numbers(lax::scatter(x, i, u, single)), (Numbers{1, 1, 5}));
  EXPECT_EQ(numbers(lax::scatter_add(x, i, u, single)), (Numbers{1, 5, 8}));
  EXPECT_EQ(numbers(lax::scatter_sub(x, i, u, single)), (Numbers{1, -1, -2}));
  EXPECT_EQ(numbers(lax::scatter_mul(x, i, u, single)), (Numbers{1, 4, 15}));
  EXPECT_EQ(numbers(lax::scatter_max(x, i, u, single)), (Numbers{1, 2, 5}));
  EXPECT_EQ(numbers(lax::scatter_min(x, i, u, single)), (Numbers{1, 1, 3}));
  const Type scalar{f32, {}};
  const Program affine = make_program("affine", {scalar, scalar}, [](const Arrays& in) -> Arrays {
    return {lax::add(lax::mul(in[0], 10), in[1])};
  });
  EXPECT_EQ(numbers(lax::scatter_general({x}, i, {u}, affine, single)[0]), (Numbers{1, 221, 35}));
}

TEST(Scatter, IntegersWrapAndNaNWins) {
  const Array i({0, 0}, {2, 1});
  EXPECT_EQ(numbers(lax::scatter_add(Array({std::uint8_t{200}}), i,
                                     Array({std::uint8_t{50}, std::uint8_t{7}}), single)),
            (Numbers{1}));
  EXPECT_TRUE(std::isnan(numbers(lax::scatter_max(Array({1.f}), i, Array({NAN, 2.f}), single))[0]));
}

/// Cotangents of operand and updates for a cotangent of the result.
Arrays adjoint(FunctionRef<Array(const Array&, const Array&)> f, const Array& x, const Array& u,
               const Array& ct) {
  const Program p =
      make_program("f", {x.type(), u.type()}, [&](const Arrays& in) -> Arrays { return {f(in[0], in[1])}; });
  const JvpProgram d = jvp(p, {true, true}, {true});
  const PartialProgram cut = partial(d.program, {false, false, true, true}, {false, true}, {});
  Mask linear(cut.unknown.inputs().size());
  linear[0] = linear[1] = true;
  const TransposeProgram back = transpose(cut.unknown, linear, {true}, linear);
  const Arrays known = execute(cut.known, {x, u}, {});
  Arrays in(known.begin() + 1, known.end());
  in.push_back(ct);
  return execute(back.program, in, {});
}

TEST(Scatter, CotangentsGoWhereTheValuesCameFrom) {
  const Array x({1.f, 2.f, 3.f}), u({2.f, 1.f, 5.f, 9.f}), ct({1.f, 2.f, 3.f});
  auto at_places = [](auto scatter) {
    return [scatter](const Array& a, const Array& b) {
      return scatter(a, Array({1, 1, 2, 7}, {4, 1}), b, single, lax::ScatterOptions{});
    };
  };
  const Arrays set = adjoint(at_places(lax::scatter), x, u, ct);
  EXPECT_EQ(numbers(set[0]), (Numbers{1, 0, 0}));
  EXPECT_EQ(numbers(set[1]), (Numbers{0, 2, 3, 0}));  // the second of two stays
  const Arrays sum = adjoint(at_places(lax::scatter_add), x, u, ct);
  EXPECT_EQ(numbers(sum[0]), (Numbers{1, 2, 3}));
  EXPECT_EQ(numbers(sum[1]), (Numbers{2, 2, 3, 0}));
  const Arrays top = adjoint(at_places(lax::scatter_max), x, u, ct);
  EXPECT_EQ(numbers(top[0]), (Numbers{1, 1, 0}));  // 2 stands there already: it shares with the update
  EXPECT_EQ(numbers(top[1]), (Numbers{1, 0, 3, 0}));
}

TEST(Scatter, ErrorsSayWhatToDo) {
  const Array x = ramp({3}), i({0, 1}, {2, 1});
  EXPECT_EQ(error([&] {
              lax::scatter_add(x, i, Array({1, 2}), single);
            }),
            "scatter_add: operand and updates must have one dtype, found f32[3] and s32[2].\n  Convert one "
            "with astype.");
  EXPECT_EQ(
      error([&] { lax::scatter(x, i, ramp({3}), single); }),
      "scatter: the axes of the updates that are not window axes must be those of the index vectors, (2) of "
      "s32[2,1], found (3) of f32[3].");
  EXPECT_EQ(error([&] {
              lax::scatter(x, i, ramp({2, 4}), update_pairs);
            }),
            "scatter: axis 1 of the updates f32[2,4] must not be larger than axis 0 of the operand f32[3].");
  EXPECT_EQ(error([&] {
              adjoint(
                  [&](const Array& a, const Array& b) {
                    return lax::scatter_mul(a, Array({0, 1}, {2, 1}), b, single);
                  },
                  x, ramp({2}), x);
            }).substr(0, 79),
            "scatter_mul: the derivative in the updates is defined for unique indices only.\n");
}

TEST(Indexing, FillValuesAreNumbersOfTheDtype) {
  const Array x({1, 2, 3}), far({5}, {1, 1});
  const lax::GatherDims dims{{}, {0}, {0}};
  auto filled = [&](const Array& a, double value) {
    return lax::gather(a, far, dims, {1}, {.fill_value = value});
  };
  EXPECT_EQ(numbers(filled(x, -7)), Numbers{-7});
  EXPECT_EQ(error([&] { filled(x, 0.5); }),
            "gather: the fill value 0.5 is no s32 that a double holds.\n  Gather with clip, and select by "
            "the index.");
  EXPECT_NE(error([&] { filled(x, 3e9); }), "(no error)");
  EXPECT_NE(error([&] { filled(lax::convert_element_type(x, u8), -1); }), "(no error)");
  EXPECT_NE(error([&] { filled(lax::convert_element_type(x, s64), 0x1p60); }), "(no error)");
  EXPECT_EQ(numbers(filled(lax::convert_element_type(x, s8), -128)), Numbers{-128});
  EXPECT_EQ(error([&] {
              lax::gather(x, far, {{3}, {}, {0}}, {1});
            }),
            "gather: offset axes must be different axes of the result, which has 2, found (3).");
}

TEST(Indexing, ScansOfNegativeLength) {
  const Program body = make_program("body", {{f32, {}}}, [](const Arrays& in) { return in; });
  EXPECT_EQ(error([&] { lax::scan(body, {}, {Array(1.f)}, {}, {.length = -5}); }),
            "scan: the length must not be negative, found -5.");
}

}  // namespace
}  // namespace baton
