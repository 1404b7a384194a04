#pragma once
// window: what operations over sliding windows share.
#include "ops/reduction.h"

namespace baton::ops {

/// lax::Window with every list written out, one entry for each axis.
struct Windows {
  Shape dimensions, strides;
  std::vector<std::int64_t> low, high;  // padding; negative cuts off
  Shape base_dilation, window_dilation;
  BATON_FIELDS(dimensions, strides, low, high, base_dilation, window_dilation)
};

/// Fills in what a Window leaves out, and raises what the lists alone show to be wrong.
Windows windows_of(std::string_view name, const lax::Window& window, int rank);
lax::Window to_window(const Windows& w);
/// The shape of the windows over an operand of this type, or an error.
Shape window_shape(std::string_view name, const Type& operand, const Windows& w);
/// Windows that do not reach across the axis that is put in front.
Windows with_front(Windows w);
bool dilated(const Windows& w);

/// The places of axis i of the operand that window `o` of that axis covers, in rising order. The walk is no
/// longer than that axis, however far the window, its padding or its dilation reach.
void covered(std::int64_t extent, const Windows& w, std::size_t i, std::int64_t o,
             std::vector<std::int64_t>& places);

/// Calls f(window, element) for each element of the operand in each window, both as flat positions, windows
/// and elements in row-major order. Padding and the holes of dilation are passed over.
template <class F>
void for_each_in_window(const Shape& operand, const Shape& out, const Windows& w, F&& f) {
  const auto strides = strides_of(operand);
  std::vector<std::vector<std::int64_t>> places(operand.size());
  Shape counts(operand.size());
  std::int64_t window = 0;
  for (Counter o(out); !o.done(); o.next(), ++window) {
    for (std::size_t i = 0; i < operand.size(); ++i) {
      covered(operand[i], w, i, o[i], places[i]);
      counts[i] = static_cast<std::int64_t>(places[i].size());
    }
    for (Counter k(counts); !k.done(); k.next()) {
      std::int64_t element = 0;
      for (std::size_t i = 0; i < operand.size(); ++i)
        element += places[i][static_cast<std::size_t>(k[i])] * strides[i];
      f(window, element);
    }
  }
}

/// reduce_window_sum, _max and _min: folds each window one precision up, from F::start<T>().
template <class F, Domain domain>
void evaluate_window(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (admits<domain, T>) {
      const auto x = in[0].as<T>(), y = out[0].as<T>();
      auto folded = std::make_unique<wide_t<T>[]>(y.size());
      for (std::size_t i = 0; i < y.size(); ++i) folded[i] = widen(F::template start<T>());
      for_each_in_window(in[0].shape(), out[0].shape(), params.as<Windows>(),
                         [&](std::int64_t to, std::int64_t from) {
                           auto& value = folded[static_cast<std::size_t>(to)];
                           value = F{}(value, widen(x[static_cast<std::size_t>(from)]));
                         });
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = narrow<T>(folded[i]);
    }
  });
}

Types window_reduction_type(std::string_view name, std::span<const Type> in, const Params& params,
                            Domain domain);
std::vector<Batched> window_reduction_batch(const Primitive& primitive, std::span<const Batched> in,
                                            const Params& params);
Array bind_window_reduction(const Primitive& primitive, Operand x, const lax::Window& window);
/// Rows without dilation, which every window operation takes.
std::vector<std::pair<Type, Windows>> window_rows();
std::vector<Example> window_reduction_examples(bool distinct);

/// Params of select_and_scatter_add and select_and_gather_add.
struct SelectWindows : Windows {
  bool select_max = true;
  void fields(FieldVisitor& v) {
    Windows::fields(v);
    baton::detail::visit_field(v, "select_max", select_max);
  }
};
/// Whether the element that stands keeps its place before the next one.
template <class T>
bool keeps(bool select_max, T standing, T next) {
  if constexpr (is_complex_v<T>)
    return true;
  else
    return select_max ? standing >= next : standing <= next;
}
void require_no_dilation(std::string_view name, const Windows& w);
/// Their rules: both are linear in operand 0, and choose by operand 1.
template <const Primitive& self>
Arrays select_jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  if (dx[0].empty()) return {Array()};
  return {bind_one(self, {dx[0], x[1]}, params, {})};
}
template <const Primitive& self>
std::vector<Batched> select_batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                                  Transformer&) {
  const auto& p = params.as<SelectWindows>();
  return batch_at_front(self, axis, in, SelectWindows{with_front(p), p.select_max});
}
Array bind_select(const Primitive&, Operand moved, Operand operand, bool select_max, const lax::Window&);

}  // namespace baton::ops
