// convolution: every option against loops over an array that was padded and spread out by hand, and messages.
#include <gtest/gtest.h>

#include <random>

#include "ops_structure/numbers.h"

namespace baton {
namespace {

using lax::ConvOptions;

struct Grid {  // a dense array of doubles
  Shape shape;
  Numbers values;
  double& at(const Shape& i) {
    std::size_t offset = 0;
    for (std::size_t k = 0; k < shape.size(); ++k)
      offset = offset * static_cast<std::size_t>(shape[k]) + static_cast<std::size_t>(i[k]);
    return values[offset];
  }
};
Grid grid(Shape shape) {
  const auto n = static_cast<std::size_t>(Type{f32, shape}.size());
  return {std::move(shape), Numbers(n)};
}

/// 2-D, NCHW and OIHW: lhs is spread and padded in memory, the window is spread and perhaps turned, then all
/// is summed.
Numbers by_hand(Grid lhs, Grid rhs, const ConvOptions& o) {
  auto option = [](const Shape& list, std::size_t i) { return list.empty() ? 1 : list[i]; };
  auto spread = [](std::int64_t n, std::int64_t by) { return (n - 1) * by + 1; };
  Shape padded = lhs.shape, window = rhs.shape, out_shape(4);
  for (std::size_t i = 0; i < 2; ++i) {
    padded[i + 2] =
        spread(lhs.shape[i + 2], option(o.lhs_dilation, i)) + o.padding[i].low + o.padding[i].high;
    window[i + 2] = spread(rhs.shape[i + 2], option(o.rhs_dilation, i));
    out_shape[i + 2] = (padded[i + 2] - window[i + 2]) / option(o.strides, i) + 1;
  }
  Grid x = grid(padded), w = grid(window);
  for (std::int64_t a = 0; a < lhs.shape[0]; ++a)
    for (std::int64_t b = 0; b < lhs.shape[1]; ++b)
      for (std::int64_t r = 0; r < lhs.shape[2]; ++r)
        for (std::int64_t c = 0; c < lhs.shape[3]; ++c) {
          const std::int64_t row = o.padding[0].low + r * option(o.lhs_dilation, 0);
          const std::int64_t column = o.padding[1].low + c * option(o.lhs_dilation, 1);
          if (row >= 0 && row < padded[2] && column >= 0 && column < padded[3])
            x.at({a, b, row, column}) = lhs.at({a, b, r, c});
        }
  for (std::int64_t a = 0; a < rhs.shape[0]; ++a)
    for (std::int64_t b = 0; b < rhs.shape[1]; ++b)
      for (std::int64_t r = 0; r < rhs.shape[2]; ++r)
        for (std::int64_t c = 0; c < rhs.shape[3]; ++c) {
          const bool turn0 = !o.window_reversal.empty() && o.window_reversal[0];
          const bool turn1 = !o.window_reversal.empty() && o.window_reversal[1];
          w.at({a, b, r * option(o.rhs_dilation, 0), c * option(o.rhs_dilation, 1)}) =
              rhs.at({a, b, turn0 ? rhs.shape[2] - 1 - r : r, turn1 ? rhs.shape[3] - 1 - c : c});
        }
  out_shape[0] = lhs.shape[0] / o.batch_group_count;
  out_shape[1] = rhs.shape[0];
  Grid out = grid(out_shape);
  for (std::int64_t n = 0; n < out_shape[0]; ++n)
    for (std::int64_t f = 0; f < out_shape[1]; ++f)
      for (std::int64_t r = 0; r < out_shape[2]; ++r)
        for (std::int64_t c = 0; c < out_shape[3]; ++c)
          for (std::int64_t i = 0; i < rhs.shape[1]; ++i)
            for (std::int64_t u = 0; u < window[2]; ++u)
              for (std::int64_t v = 0; v < window[3]; ++v) {
                const std::int64_t feature_group = f / (out_shape[1] / o.feature_group_count);
                const std::int64_t batch_group = f / (out_shape[1] / o.batch_group_count);
                out.at({n, f, r, c}) +=
                    x.at({batch_group * out_shape[0] + n, feature_group * rhs.shape[1] + i,
                          r * option(o.strides, 0) + u, c * option(o.strides, 1) + v}) *
                    w.at({f, i, u, v});
              }
  return out.values;
}

void compare(const Shape& lhs_shape, const Shape& rhs_shape, const ConvOptions& o) {
  std::mt19937 random(7);
  auto draw = [&](const Shape& shape) {  // small integers: every sum is exact
    Grid g = grid(shape);
    for (double& v : g.values) v = static_cast<double>(random() % 9) - 4;
    return g;
  };
  const Grid lhs = draw(lhs_shape), rhs = draw(rhs_shape);
  EXPECT_EQ(numbers(lax::conv_general_dilated(Array(lhs.values, lhs.shape), Array(rhs.values, rhs.shape), o)),
            by_hand(lhs, rhs, o));
}

TEST(Convolution, EveryOption) {
  const std::vector<lax::Padding> none = {{}, {}};
  compare({2, 3, 5, 4}, {4, 3, 2, 3}, {.padding = none});
  compare({2, 3, 7, 6}, {4, 3, 2, 3}, {.strides = {2, 3}, .padding = {{1, 2}, {0, 3}}});
  compare({1, 2, 7, 6}, {2, 2, 2, 2}, {.padding = {{-2, 1}, {2, -3}}});
  compare({1, 2, 4, 3}, {2, 2, 3, 2}, {.padding = {{2, 2}, {1, 1}}, .lhs_dilation = {2, 3}});
  compare({1, 2, 9, 8}, {2, 2, 3, 2}, {.padding = none, .rhs_dilation = {3, 4}});
  compare({1, 2, 6, 5}, {2, 2, 2, 3},
          {.strides = {2, 3}, .padding = {{1, -1}, {3, 0}}, .lhs_dilation = {3, 2}, .rhs_dilation = {2, 1}});
  compare({2, 6, 4, 4}, {4, 3, 2, 2}, {.padding = none, .feature_group_count = 2});
  compare({6, 2, 4, 4}, {6, 2, 2, 2}, {.padding = {{1, 0}, {0, 0}}, .batch_group_count = 3});
  compare({1, 2, 5, 5}, {2, 2, 3, 2}, {.padding = none, .window_reversal = {true, false}});
}

TEST(Convolution, DimensionNumbersNameTheAxes) {
  const Array x = ramp({2, 3, 5, 4}), w = ramp({4, 3, 2, 2});
  const Array plain = lax::conv_general_dilated(x, w);
  const Array nhwc =
      lax::conv_general_dilated(lax::transpose(x, {0, 2, 3, 1}), lax::transpose(w, {2, 3, 1, 0}),
                                {.dims = {{0, 3, 1, 2}, {3, 2, 0, 1}, {0, 3, 1, 2}}});
  EXPECT_EQ(nhwc.shape(), (Shape{2, 4, 3, 4}));
  EXPECT_EQ(numbers(lax::transpose(nhwc, {0, 3, 1, 2})), numbers(plain));
}

TEST(Convolution, WithoutSpatialAxesItIsAMatrixProduct) {
  EXPECT_EQ(numbers(lax::conv_general_dilated(ramp({2, 3}), ramp({2, 3}))), (Numbers{5, 14, 14, 50}));
}

TEST(Convolution, ErrorsNameTheAxes) {
  EXPECT_EQ(error([] {
              lax::conv_general_dilated(ramp({1, 3, 5}), ramp({2, 2, 3}));
            }),
            "conv_general_dilated: the features of lhs must be those of rhs times feature_group_count: lhs "
            "f32[1,3,5] axis "
            "1 has 3, rhs f32[2,2,3] axis 1 has 2, groups 1.");
  EXPECT_EQ(error([] {
              lax::conv_general_dilated(ramp({1, 2, 5}), ramp({2, 2, 3}), {.strides = {1, 1}});
            }),
            "conv_general_dilated: strides: one entry for each of the 1 spatial axes is required, found 2.");
  EXPECT_EQ(error([] {
              lax::conv_general_dilated(ramp({1, 2, 5}), ramp({2, 2, 3}), {.strides = {0}});
            }),
            "conv_general_dilated: strides must be positive, found (0).");
  EXPECT_EQ(error([] {
              lax::conv_general_dilated(ramp({1, 2, 5}), ramp({2, 2, 3}), {.padding = {{-4, -2}}});
            }),
            "conv_general_dilated: negative padding takes more from spatial axis 0 of lhs f32[1,2,5] than "
            "there is.");
  EXPECT_EQ(error([] {
              lax::conv_general_dilated(ramp({1, 4, 5}), ramp({3, 2, 3}), {.feature_group_count = 2});
            }),
            "conv_general_dilated: groups must divide evenly: 2 groups, 3 output features in rhs f32[3,2,3], "
            "batch 1 in lhs "
            "f32[1,4,5].");
  EXPECT_EQ(error([] {
              lax::conv_general_dilated(ramp({1, 2}), ramp({2, 2, 3}));
            }),
            "conv_general_dilated: lhs and rhs must have one rank of at least 2 (batch, feature and spatial "
            "axes), found "
            "f32[1,2] and f32[2,2,3].");
}

}  // namespace
}  // namespace baton
