// slices: slice, rev, pad, concatenate and the dynamic slices, with numbers worked out by hand.
#include <gtest/gtest.h>

#include "ops_structure/numbers.h"
#include "trace/trace.h"

namespace baton {
namespace {

using lax::Padding;

TEST(Slices, SliceTakesEveryStrideThElement) {
  const Array x = ramp({3, 4});
  EXPECT_EQ(numbers(lax::slice(x, {1, 0}, {3, 4}, {1, 3})), (Numbers{4, 7, 8, 11}));
  EXPECT_EQ(numbers(lax::slice_in_dim(x, 1, -1, 1, -1)), (Numbers{1, 2, 5, 6, 9, 10}));
  EXPECT_EQ(lax::slice(x, {2, 1}, {2, 3}).shape(), (Shape{0, 2}));
}

TEST(Slices, RevTurnsAxesRound) {
  EXPECT_EQ(numbers(lax::rev(ramp({2, 3}), {0, 1})), (Numbers{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(numbers(lax::rev(ramp({2, 3}), {1})), (Numbers{2, 1, 0, 5, 4, 3}));
}

TEST(Slices, PadSurroundsSpreadsAndCuts) {
  EXPECT_EQ(numbers(lax::pad(ramp({3}), 9, {{1, 2, 1}})), (Numbers{9, 0, 9, 1, 9, 2, 9, 9}));
  EXPECT_EQ(numbers(lax::pad(ramp({4}), 9, {{-2, -1, 2}})), (Numbers{9, 1, 9, 9, 2, 9, 9}));
  EXPECT_EQ(numbers(lax::pad(ramp({3}), 9, {{-3, 2, 0}})), (Numbers{9, 9}));
  EXPECT_EQ(numbers(lax::pad(ramp({2, 2}), 9, {{1, -1, 0}, {0, 1, 0}})), (Numbers{9, 9, 9, 0, 1, 9}));
}

TEST(Slices, ConcatenateKeepsOrder) {
  EXPECT_EQ(numbers(lax::concatenate({ramp({2, 1}), ramp({2, 2})}, -1)), (Numbers{0, 0, 1, 1, 2, 3}));
}

TEST(Slices, DynamicStartsAreClamped) {
  const Array x = ramp({5});
  EXPECT_EQ(numbers(lax::dynamic_slice(x, {1}, {2})), (Numbers{1, 2}));
  EXPECT_EQ(numbers(lax::dynamic_slice(x, {9}, {2})), (Numbers{3, 4}));
  EXPECT_EQ(numbers(lax::dynamic_slice(x, {-9}, {2})), (Numbers{0, 1}));
  EXPECT_EQ(numbers(lax::dynamic_slice(x, {Array(~std::uint64_t{0})}, {2})), (Numbers{3, 4}));
  EXPECT_EQ(numbers(lax::dynamic_update_slice(x, Array({7.f, 8.f}), {4})), (Numbers{0, 1, 2, 7, 8}));
  EXPECT_EQ(numbers(lax::dynamic_index_in_dim(ramp({3, 2}), 1, 0)), (Numbers{2, 3}));
  EXPECT_EQ(numbers(lax::dynamic_update_index_in_dim(ramp({2, 2}), Array({7.f, 8.f}), 1, 1)),
            (Numbers{0, 7, 2, 8}));
}

TEST(Slices, NegativeStartsCountFromTheEnd) {
  const Array x = ramp({5});
  const lax::DynamicStarts clamped{.allow_negative_indices = false};
  EXPECT_EQ(numbers(lax::dynamic_slice(x, {-1}, {2})), (Numbers{3, 4}));
  EXPECT_EQ(numbers(lax::dynamic_slice(x, {-4}, {2})), (Numbers{1, 2}));
  EXPECT_EQ(numbers(lax::dynamic_slice(x, {-4}, {2}, clamped)), (Numbers{0, 1}));
  EXPECT_EQ(numbers(lax::dynamic_slice(ramp({200}), {Array(std::int8_t{-1})}, {2})), (Numbers{198, 199}));
  EXPECT_EQ(numbers(lax::dynamic_slice(ramp({300}), {Array(std::uint8_t{255})}, {2})), (Numbers{255, 256}));
  const Array two({7.f, 8.f});
  EXPECT_EQ(numbers(lax::dynamic_update_slice(x, two, {-3})), (Numbers{0, 1, 7, 8, 4}));
  EXPECT_EQ(numbers(lax::dynamic_update_slice(x, two, {-3}, clamped)), (Numbers{7, 8, 2, 3, 4}));
  EXPECT_EQ(numbers(lax::dynamic_index_in_dim(x, -1)), (Numbers{4}));
  EXPECT_EQ(numbers(lax::dynamic_index_in_dim(x, -1, 0, false, clamped)), (Numbers{0}));
  EXPECT_EQ(numbers(lax::dynamic_update_index_in_dim(x, Array(9.f), -1)), (Numbers{0, 1, 2, 3, 9}));
  EXPECT_EQ(numbers(lax::dynamic_update_index_in_dim(x, Array(9.f), -1, 0, clamped)),
            (Numbers{9, 1, 2, 3, 4}));
  // What is known when traced adds nothing to the Program.
  const Program p = make_program("f", {{f32, {5, 5}}, {s32, {}}}, [](const Arrays& in) -> Arrays {
    return {lax::dynamic_slice(in[0], {3, -2}, {1, 1}),
            lax::dynamic_slice(in[0], {Operand(in[1]), -2}, {1, 1}, {.allow_negative_indices = false}),
            lax::dynamic_slice(in[0], {Operand(in[1]), 0}, {1, 1})};
  });
  EXPECT_EQ(p.equation_count(), 6u);
}

TEST(Slices, StridesBeyondTheAxis) {
  constexpr std::int64_t far = std::int64_t{1} << 56;
  EXPECT_EQ(numbers(lax::slice(ramp({2, 3}), {0, 1}, {2, 3}, {far, far})), (Numbers{1}));
}

TEST(Slices, BroadcastDimensionsAreCheckedForTheSameShape) {
  const Array x = ramp({2, 2});
  EXPECT_EQ(error([&] {
              lax::broadcast_in_dim(x, {2, 2}, {0, 0});
            }),
            error([&] {
              lax::broadcast_in_dim(x, {2, 2, 2}, {0, 0});
            }));
  EXPECT_NE(error([&] { lax::broadcast_in_dim(x, {2, 2}, {0, 7}); }), "(no error)");
  EXPECT_EQ(numbers(lax::broadcast_in_dim(x, {2, 2}, {0, 1})), (Numbers{0, 1, 2, 3}));
}

TEST(Slices, ErrorsNameWhatWasFound) {
  const Array x = ramp({2, 3});
  EXPECT_EQ(
      error([&] {
        lax::slice(x, {0, 1}, {2, 4});
      }),
      "slice: 0 <= start <= limit <= extent is required on axis 1 of f32[2,3], found start 1 and limit 4.");
  EXPECT_EQ(
      error([&] { lax::slice(x, {0}, {1}); }),
      "slice: one start, limit and stride for each axis of f32[2,3] is required, found (0), (1) and (1).");
  EXPECT_EQ(error([&] {
              lax::pad(x, 0, {{0, 0, 0}, {-2, -2, 0}});
            }),
            "pad: the padding takes more from axis 1 of f32[2,3] than there is: low -2, high -2 and interior "
            "0 give "
            "extent -1.");
  EXPECT_EQ(error([&] {
              lax::pad(x, Array(1), {{}, {}});
            }),
            "pad: the padding value must be f32[], a scalar of the dtype of f32[2,3], found s32[].");
  EXPECT_EQ(error([&] {
              lax::concatenate({x, ramp({3, 3})}, 1);
            }),
            "concatenate: operands must have one shape but for axis 1, found f32[2,3] and f32[3,3].");
  EXPECT_EQ(error([&] {
              lax::dynamic_slice(x, {0}, {1, 1});
            }),
            "dynamic_slice: one start for each axis of f32[2,3] is required, found 1.");
  EXPECT_EQ(error([&] {
              lax::dynamic_slice(x, {0.5, 0}, {1, 1});
            }),
            "dynamic_slice: starts must be integer scalars, found f32[] for axis 0 of f32[2,3].");
  EXPECT_EQ(error([&] {
              lax::dynamic_slice(x, {0, 0}, {3, 1});
            }),
            "dynamic_slice: the sizes must be between 0 and the extents of f32[2,3], one for each axis, "
            "found (3,1).");
  EXPECT_EQ(error([&] {
              lax::dynamic_update_slice(x, ramp({3, 1}), {0, 0});
            }),
            "dynamic_update_slice: the update must have the rank of the operand and fit into it, found "
            "f32[3,1] for "
            "f32[2,3].");
}

}  // namespace
}  // namespace baton
