// window: the shared pieces of window operations that need no template.
#include "ops/window.h"

namespace baton::ops {
namespace {

void require_positive(std::string_view name, const char* what, const Shape& list) {
  for (std::int64_t n : list)
    if (n <= 0) type_error(name, std::string(what) + " must be positive, found " + show(list) + ".");
}

}  // namespace

Windows windows_of(std::string_view name, const lax::Window& window, int rank) {
  const auto n = static_cast<std::size_t>(rank);
  auto filled = [&](const char* what, const Shape& list) {
    if (!list.empty() && list.size() != n)
      type_error(name, std::string(what) + " must have one entry for each of the operand's " +
                           std::to_string(rank) + " axes, or none, found " + show(list) + ".");
    return list.empty() ? Shape(n, 1) : list;
  };
  Windows w;
  w.dimensions = filled("the window's dimensions", window.dimensions);
  w.strides = filled("the window's strides", window.strides);
  w.base_dilation = filled("the base dilation", window.base_dilation);
  w.window_dilation = filled("the window dilation", window.window_dilation);
  if (!window.padding.empty() && window.padding.size() != n)
    type_error(name, "the padding must have one entry for each of the operand's " + std::to_string(rank) +
                         " axes, or none, found " + std::to_string(window.padding.size()) + " entries.");
  w.low.resize(n);
  w.high.resize(n);
  for (std::size_t i = 0; i < window.padding.size(); ++i) {
    if (window.padding[i].interior != 0)
      type_error(name, "padding between elements is not possible, found " +
                           std::to_string(window.padding[i].interior) + " on axis " + std::to_string(i) +
                           ".\n  Use base_dilation for it.");
    w.low[i] = window.padding[i].low;
    w.high[i] = window.padding[i].high;
  }
  return w;
}

lax::Window to_window(const Windows& w) {
  lax::Window window{w.dimensions, w.strides, {}, w.base_dilation, w.window_dilation};
  for (std::size_t i = 0; i < w.low.size(); ++i) window.padding.push_back({w.low[i], w.high[i], 0});
  return window;
}

Shape window_shape(std::string_view name, const Type& operand, const Windows& w) {
  const std::size_t n = operand.shape.size();
  for (const auto* list : {&w.dimensions, &w.strides, &w.low, &w.high, &w.base_dilation, &w.window_dilation})
    if (list->size() != n)
      type_error(name, "every list of the window must have one entry for each axis of " + show(operand) +
                           ", found " + show(*list) + ".");
  require_positive(name, "the window's dimensions", w.dimensions);
  require_positive(name, "the window's strides", w.strides);
  require_positive(name, "the base dilation", w.base_dilation);
  require_positive(name, "the window dilation", w.window_dilation);
  Shape shape;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t padded = with_holes(operand.shape[i], w.base_dilation[i]) + w.low[i] + w.high[i];
    const std::int64_t reach = with_holes(w.dimensions[i], w.window_dilation[i]);
    shape.push_back(padded < reach ? 0 : (padded - reach) / w.strides[i] + 1);
  }
  return shape;
}

void covered(std::int64_t extent, const Windows& w, std::size_t i, std::int64_t o,
             std::vector<std::int64_t>& places) {
  places.clear();
  // The window's element k lies at start + k * step, the operand's element e at e * base.
  const std::int64_t base = w.base_dilation[i], step = w.window_dilation[i];
  const std::int64_t start = o * w.strides[i] - w.low[i];
  const std::int64_t end = extent_product(extent - 1, base),
                     reach = extent_product(w.dimensions[i] - 1, step);
  if (extent == 0 || start > end || reach < -start) return;
  const std::int64_t first_k = start < 0 ? (step - 1 - start) / step : 0,
                     last_k = std::min(w.dimensions[i] - 1, (end - start) / step);
  const std::int64_t first_e = start > 0 ? (start + base - 1) / base : 0,
                     last_e = std::min(extent - 1, (start + reach) / base);
  if (last_k - first_k <= last_e - first_e) {
    for (std::int64_t k = first_k; k <= last_k; ++k)
      if ((start + k * step) % base == 0) places.push_back((start + k * step) / base);
  } else {
    for (std::int64_t e = first_e; e <= last_e; ++e)
      if ((e * base - start) % step == 0) places.push_back(e);
  }
}

Windows with_front(Windows w) {
  for (auto* list : {&w.dimensions, &w.strides, &w.base_dilation, &w.window_dilation})
    list->insert(list->begin(), 1);
  for (auto* list : {&w.low, &w.high}) list->insert(list->begin(), 0);
  return w;
}

bool dilated(const Windows& w) {
  auto above_one = [](std::int64_t n) { return n != 1; };
  return std::any_of(w.base_dilation.begin(), w.base_dilation.end(), above_one) ||
         std::any_of(w.window_dilation.begin(), w.window_dilation.end(), above_one);
}

void require_no_dilation(std::string_view name, const Windows& w) {
  if (dilated(w))
    type_error(
        name,
        "the window must have no dilation, found base dilation " + show(w.base_dilation) +
            " and window dilation " + show(w.window_dilation) +
            ".\n  Reverse mode through a dilated maximum or minimum is not possible: use forward mode.");
}

Types window_reduction_type(std::string_view name, std::span<const Type> in, const Params& params,
                            Domain domain) {
  require_count(name, in, 1);
  require_dtype(name, in, 0, domain);
  return {{in[0].dtype, window_shape(name, in[0], params.as<Windows>())}};
}

std::vector<Batched> window_reduction_batch(const Primitive& primitive, std::span<const Batched> in,
                                            const Params& params) {
  return {{bind_one(primitive, {batch_to_front(in[0])}, with_front(params.as<Windows>()), {}), 0}};
}

Array bind_window_reduction(const Primitive& primitive, Operand x, const lax::Window& window) {
  const Frame frame(x.where());
  const Array a = x.array();
  return bind_one(primitive, {a}, windows_of(primitive.name, window, a.empty() ? 0 : a.rank()), x.where());
}

Array bind_select(const Primitive& primitive, Operand moved, Operand operand, bool select_max,
                  const lax::Window& window) {
  const Frame frame(moved.where());
  const Array x = operand.array();
  const Windows w = windows_of(primitive.name, window, x.empty() ? 0 : x.rank());
  return bind_one(primitive, {moved.array(), x}, SelectWindows{w, select_max}, moved.where());
}

std::vector<std::pair<Type, Windows>> window_rows() {
  return {{{f32, {6}}, {{2}, {2}, {0}, {0}, {1}, {1}}},
          {{f32, {7}}, {{3}, {2}, {1}, {1}, {1}, {1}}},
          {{f32, {4, 5}}, {{2, 3}, {1, 2}, {0, 1}, {1, 0}, {1, 1}, {1, 1}}},
          {{f32, {1, 5, 5, 2}},
           {{1, 2, 2, 1}, {1, 2, 2, 1}, {0, 0, 0, 0}, {0, 1, 1, 0}, {1, 1, 1, 1}, {1, 1, 1, 1}}},
          {{f32, {5}}, {{2}, {3}, {-1}, {0}, {1}, {1}}},
          {{f32, {3}}, {{5}, {1}, {0}, {0}, {1}, {1}}},
          {{f32, {0, 2}}, {{1, 2}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, {1, 1}}},
          {{f32, {1}}, {{1}, {1}, {0}, {0}, {1}, {1}}},
          {{f32, {}}, {}}};
}

std::vector<Example> window_reduction_examples(bool distinct) {
  std::vector<Example> rows;
  for (auto& [type, w] : window_rows())
    rows.push_back({.inputs = {type}, .params = w, .complex_order = distinct ? 0 : 2, .distinct = distinct});
  rows.push_back({.inputs = {{f32, {6}}},
                  .params = Windows{{3}, {1}, {1}, {2}, {1}, {2}},
                  .order = distinct ? 0 : 2,
                  .note = "window dilation",
                  .distinct = distinct});
  rows.push_back({.inputs = {{f32, {4, 3}}},
                  .params = Windows{{2, 2}, {2, 1}, {1, 0}, {0, 1}, {2, 3}, {1, 1}},
                  .order = distinct ? 0 : 2,
                  .note = "base dilation",
                  .distinct = distinct});
  return rows;
}

}  // namespace baton::ops
