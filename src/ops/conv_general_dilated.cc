// conv_general_dilated: the sum of products of a window (rhs) with what it lies on (lhs), at every place that
// the strides reach, with padding, dilations and groups. It does not flip the window. The shape arithmetic is
// in convolution.cc.
#include "ops/convolution.h"

namespace baton {
namespace ops {
namespace {
using Axes = std::vector<std::int64_t>;

Types type(std::span<const Type> in, const Params& params) {
  return {convolution_type(in, params.as<Convolution>())};
}

/// One element of the window that lies on an element of lhs: where both are, counted without features.
struct Touch {
  std::int64_t lhs, rhs;
};
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<Convolution>();
  const std::size_t n = p.strides.size();
  auto last = [&](Axes spec, std::size_t moved) {  // the axis of spec[moved] comes last
    std::rotate(spec.begin() + static_cast<std::ptrdiff_t>(moved),
                spec.begin() + static_cast<std::ptrdiff_t>(moved) + 1, spec.end());
    return spec;
  };
  auto spatial = [&](const Type& t, const Axes& spec) {
    Shape shape;
    for (std::size_t i = 0; i < n; ++i) shape.push_back(t.shape[at(spec[i + 2])]);
    return shape;
  };
  const Shape lhs_space = spatial(*in[0].type, p.lhs), window = spatial(*in[1].type, p.rhs),
              out_space = spatial(*out[0].type, p.out);
  const auto lhs_strides = strides_of(lhs_space), window_strides = strides_of(window);
  const std::int64_t lhs_points = Type{f32, lhs_space}.size(), window_points = Type{f32, window}.size();
  const std::int64_t lhs_features = in[0].shape()[at(p.lhs[1])], features = in[1].shape()[at(p.rhs[1])];
  const std::int64_t out_batch = out[0].shape()[at(p.out[0])], out_features = out[0].shape()[at(p.out[1])];
  const std::int64_t group =
      std::max<std::int64_t>(out_features / std::max(p.feature_group_count, p.batch_group_count), 1);
  const auto out_strides = strides_of(out[0].shape());
  with_sum_type(in[0].dtype(), [&]<class W>(Tag<W>) {
    const std::vector<W> lhs = collect<W>(in[0], last(p.lhs, 1));  // [batch, spatial, feature]
    const std::vector<W> rhs = collect<W>(in[1], last(p.rhs, 1));  // [output feature, spatial, input feature]
    std::vector<W> sums(at(out[0].type->size()));
    std::vector<Touch> touches;
    for (Counter place(out_space); !place.done(); place.next()) {
      touches.clear();
      for (Counter k(window); !k.done(); k.next()) {
        Touch touch{0, 0};
        bool inside = true;
        for (std::size_t i = 0; i < n && inside; ++i) {
          const std::int64_t element = p.window_reversal[i] ? window[i] - 1 - k[i] : k[i];
          const std::int64_t position = place[i] * p.strides[i] - p.padding[2 * i] + k[i] * p.rhs_dilation[i];
          inside = position >= 0 && position % p.lhs_dilation[i] == 0 &&
                   position / p.lhs_dilation[i] < lhs_space[i];
          touch.lhs += position / p.lhs_dilation[i] * lhs_strides[i];
          touch.rhs += element * window_strides[i];
        }
        if (inside) touches.push_back(touch);
      }
      std::int64_t first = 0;
      for (std::size_t i = 0; i < n; ++i) first += place[i] * out_strides[at(p.out[i + 2])];
      for (std::int64_t b = 0; b < out_batch; ++b)
        for (std::int64_t f = 0; f < out_features; ++f) {
          const std::int64_t row = p.batch_group_count > 1 ? f / group * out_batch + b : b;
          const std::int64_t feature = p.feature_group_count > 1 ? f / group * features : 0;
          W sum{};
          for (const Touch& t : touches) {
            const W* x = lhs.data() + (row * lhs_points + t.lhs) * lhs_features + feature;
            const W* w = rhs.data() + (f * window_points + t.rhs) * features;
            for (std::int64_t c = 0; c < features; ++c) sum += multiply(x[c], w[c]);
          }
          sums[at(first + b * out_strides[at(p.out[0])] + f * out_strides[at(p.out[1])])] = sum;
        }
    }
    store_sums(sums, in[0].dtype(), out[0]);
  });
}

Array convolve(const Array& lhs, const Array& rhs, const Convolution& p) {
  return bind_one(conv_general_dilated, {lhs, rhs}, p, {});
}

/// Moves axis `from` before axis `into` (counted without `from`) and makes one of both.
Array merge_axis(const Array& x, std::int64_t from, std::int64_t into) {
  return merge_axes(move_axis(x, static_cast<int>(from), static_cast<int>(into)), into);
}
Axes swapped(Axes spec) {
  std::swap(spec[0], spec[1]);
  return spec;
}
Axes reversed_axes(const Convolution& p) {
  Axes axes;
  for (std::size_t i = 0; i < p.window_reversal.size(); ++i)
    if (p.window_reversal[i]) axes.push_back(p.rhs[i + 2]);
  return axes;
}

/// The cotangent of lhs: the cotangent, spread by the strides, under the window turned round.
Array lhs_adjoint(Array ct, Array rhs, const Type& lhs, const Convolution& p) {
  const Type window = rhs.type();
  rhs = lax::rev(rhs, reversed_axes(p));
  const std::int64_t groups = std::max(p.feature_group_count, p.batch_group_count);
  if (groups > 1) rhs = merge_axis(split_axis(rhs, p.rhs[0], groups), p.rhs[0], p.rhs[1]);
  Convolution back = p;
  std::swap(back.strides, back.lhs_dilation);
  back.lhs = p.out, back.rhs = swapped(p.rhs), back.out = p.lhs;
  back.feature_group_count = groups, back.batch_group_count = 1;
  back.window_reversal.assign(p.strides.size(), 0);
  back.preferred.clear();
  Axes spatial;
  for (std::size_t i = 0; i < p.strides.size(); ++i) {
    spatial.push_back(p.rhs[i + 2]);
    const std::int64_t extent = with_holes(lhs.shape[at(p.lhs[i + 2])], p.lhs_dilation[i]);
    const std::int64_t reach = with_holes(window.shape[at(p.rhs[i + 2])], p.rhs_dilation[i]) - 1;
    const std::int64_t spread = with_holes(ct.shape()[at(p.out[i + 2])], p.strides[i]);
    back.padding[2 * i] = reach - p.padding[2 * i];
    back.padding[2 * i + 1] = extent + reach - spread - back.padding[2 * i];
  }
  to_one_dtype(ct, rhs);
  Array result = convolve(ct, lax::rev(rhs, spatial), back);
  if (p.batch_group_count > 1) result = merge_axis(split_axis(result, p.lhs[1], groups), p.lhs[1], p.lhs[0]);
  return lax::convert_element_type(result, lhs.dtype);
}

/// The cotangent of rhs: lhs under the cotangent as a window, batch and features changed over.
Array rhs_adjoint(Array ct, Array lhs, const Type& rhs, const Convolution& p) {
  Convolution back = p;
  std::swap(back.strides, back.rhs_dilation);
  back.lhs = swapped(p.lhs), back.rhs = swapped(p.out), back.out = swapped(p.rhs);
  std::swap(back.feature_group_count, back.batch_group_count);
  back.window_reversal.assign(p.strides.size(), 0);
  back.preferred.clear();
  for (std::size_t i = 0; i < p.strides.size(); ++i) {
    const std::int64_t extent = with_holes(lhs.shape()[at(p.lhs[i + 2])], p.lhs_dilation[i]);
    const std::int64_t reach = with_holes(rhs.shape[at(p.rhs[i + 2])], p.rhs_dilation[i]) - 1;
    const std::int64_t spread = with_holes(ct.shape()[at(p.out[i + 2])], p.strides[i]);
    back.padding[2 * i + 1] = spread - extent + reach - p.padding[2 * i];
  }
  to_one_dtype(ct, lhs);
  return lax::convert_element_type(lax::rev(convolve(lhs, ct, back), reversed_axes(p)), rhs.dtype);
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  const auto& p = params.as<Convolution>();
  const Type& wanted = x[0].linear() ? x[0].type : x[1].type;
  Array result;
  if (ct[0].size() == 0 || wanted.size() == 0)
    result = zeros_of(wanted);
  else if (x[0].linear())
    result = lhs_adjoint(ct[0], x[1].value, wanted, p);
  else
    result = rhs_adjoint(ct[0], x[0].value, wanted, p);
  return x[0].linear() ? Arrays{result, Array()} : Arrays{Array(), result};
}

/// Merges the batch axis 0 of x into `axis` of the unbatched array, inside of `groups`.
Array merge_within(const Array& x, std::int64_t axis, std::int64_t groups) {
  if (groups == 1) return merge_axis(x, 0, axis);
  const Array split = split_axis(x, axis + 1, groups);  // [batch, ..., groups, rest, ...]
  return merge_axis(merge_axis(split, 0, axis + 1), axis, axis);
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  Convolution p = params.as<Convolution>();
  const Array lhs = batch_to_front(in[0]), rhs = batch_to_front(in[1]);
  const bool left = in[0].axis >= 0, right = in[1].axis >= 0;
  if (axis.size == 0) {
    auto lane = [](const Array& x, bool batched) {
      return Type{x.dtype(), batched ? Shape(x.shape().begin() + 1, x.shape().end()) : x.shape()};
    };
    Type none = convolution_type(std::array{lane(lhs, left), lane(rhs, right)}, p);
    none.shape.insert(none.shape.begin(), 0);
    return {{zeros_of(none), 0}};
  }
  const std::int64_t groups = std::max(p.feature_group_count, p.batch_group_count);
  if (left && right) {  // every lane is a group
    const bool by_batch = p.batch_group_count > 1;
    (by_batch ? p.batch_group_count : p.feature_group_count) *= axis.size;
    const Array out = convolve(merge_axis(lhs, 0, p.lhs[by_batch ? 0 : 1]), merge_axis(rhs, 0, p.rhs[0]), p);
    return {{split_axis(out, p.out[1], axis.size), static_cast<int>(p.out[1])}};
  }
  if (left) {  // lanes are more of the batch
    const Array out = convolve(merge_within(lhs, p.lhs[0], p.batch_group_count), rhs, p);
    return {{split_axis(out, p.out[0], axis.size), static_cast<int>(p.out[0])}};
  }
  // Lanes are more output features of each group.
  Array out = convolve(lhs, merge_within(rhs, p.rhs[0], groups), p);
  if (groups == 1) return {{split_axis(out, p.out[1], axis.size), static_cast<int>(p.out[1])}};
  out = split_axis(split_axis(out, p.out[1], groups), p.out[1] + 1,
                   axis.size);  // [.., groups, batch, rest, ..]
  return {{merge_axis(out, p.out[1], p.out[1] + 1), static_cast<int>(p.out[1])}};
}

std::vector<Example> examples() {
  auto row = [](Shape lhs, Shape rhs, lax::ConvOptions o, std::string_view note) {
    const auto rank = static_cast<std::int64_t>(lhs.size());
    return Example{.inputs = {{f32, std::move(lhs)}, {f32, std::move(rhs)}},
                   .params = convolution_of(o, rank),
                   .note = note};
  };
  std::vector<Example> rows = {
      row({2, 3, 7}, {4, 3, 3}, {}, "1-D"),
      row({2, 7, 3}, {3, 3, 4}, {.padding = {{2, 0}}, .dims = {{0, 2, 1}, {2, 1, 0}, {0, 2, 1}}},
          "causal, NWC"),
      row({1, 2, 5, 6}, {3, 2, 2, 3}, {.strides = {2, 1}, .padding = {{1, 0}, {1, 2}}}, "2-D"),
      row({2, 6, 5, 3}, {3, 2, 3, 2},
          {.strides = {2, 2},
           .padding = {{1, 1}, {0, 1}},
           .dims = {{0, 3, 1, 2}, {3, 2, 0, 1}, {0, 3, 1, 2}}},
          "NHWC"),
      row({1, 2, 7}, {2, 2, 3}, {.padding = {{-1, -2}}}, "negative padding"),
      row({1, 2, 6, 5}, {2, 2, 2, 2}, {.padding = {{-1, 2}, {3, -2}}}, "negative and positive padding"),
      row({1, 2, 4}, {2, 2, 3}, {.padding = {{2, 2}}, .lhs_dilation = {2}}, "transposed convolution"),
      row({1, 1, 9}, {2, 1, 3}, {.padding = {{1, 1}}, .rhs_dilation = {3}}, "dilated window"),
      row({1, 2, 5}, {1, 2, 2},
          {.strides = {3}, .padding = {{1, -1}}, .lhs_dilation = {2}, .rhs_dilation = {2}}, "all at once"),
      row({2, 4, 5}, {6, 2, 2}, {.feature_group_count = 2}, "feature groups"),
      row({1, 3, 4, 4}, {6, 1, 2, 2},
          {.strides = {1, 2}, .padding = {{1, 0}, {0, 1}}, .feature_group_count = 3}, "depthwise"),
      row({4, 2, 5}, {6, 2, 2}, {.padding = {{1, 0}}, .batch_group_count = 2}, "batch groups"),
      row({1, 2, 5}, {2, 2, 3}, {.padding = {{1, 1}}, .window_reversal = {true}}, "window reversed"),
      row({1, 1, 4, 4}, {1, 1, 2, 3}, {.window_reversal = {false, true}}, "one axis reversed"),
      row({1, 2, 3, 4, 3}, {2, 2, 2, 2, 1}, {.strides = {1, 2, 1}, .padding = {{0, 1}, {1, 0}, {0, 0}}},
          "3-D"),
      row({3, 2}, {4, 2}, {}, "no spatial axes"),
      row({1, 1, 2}, {1, 1, 3}, {}, "no place for the window"),
      row({0, 2, 4}, {3, 2, 2}, {}, "no batch"),
      row({1, 0, 4}, {3, 0, 2}, {}, "no features"),
      row({1, 1, 1}, {1, 1, 1}, {}, "one element"),
      row({2, 1, 6}, {1, 1, 2}, {.strides = {4}}, "a tail that no window reaches")};
  rows.push_back({.inputs = {{bf16, {1, 1, 4}}, {bf16, {1, 1, 2}}},
                  .params = convolution_of({.preferred = f32}, 3),
                  .order = 0});
  rows.push_back({.inputs = {{s8, {1, 1, 4}}, {s8, {1, 1, 2}}},
                  .params = convolution_of({.preferred = s32}, 3),
                  .order = 0});
  return rows;
}
bool saved(const Params&, const SavePolicy& policy) { return policy.save == Save::dots; }
}  // namespace
extern const Primitive conv_general_dilated = {.name = "conv_general_dilated",
                                               .cost = Cost::compute_bound,
                                               .params = Convolution{},
                                               .type = type,
                                               .evaluate = evaluate,
                                               .jvp = bilinear_jvp<conv_general_dilated>,
                                               .transpose = transpose_rule,
                                               .batch = batch,
                                               .saved = saved,
                                               .examples = examples()};
}  // namespace ops
Array lax::conv_general_dilated(Operand lhs, Operand rhs, const ConvOptions& options) {
  const Frame frame(lhs.where());
  const Array x = lhs.array();
  return bind_one(ops::conv_general_dilated, {x, rhs.array()},
                  ops::convolution_of(options, x.empty() ? 2 : x.rank()), lhs.where());
}
}  // namespace baton
