#pragma once
// reduction: what the operations that combine the elements of some axes into one share.
#include "ops/rules.h"

namespace baton::ops {

/// Axes that are combined and taken away.
struct Reduction {
  std::vector<std::int64_t> axes;
  BATON_FIELDS(axes)
};

/// The shape that is left without these axes.
Shape without_axes(const Shape& shape, const std::vector<std::int64_t>& axes);
/// Strides of the reduced result, seen from the operand's axes: 0 on those that are reduced.
std::vector<std::int64_t> reduced_strides(const Shape& shape, const std::vector<std::int64_t>& axes);
Types reduction_type(std::string_view name, std::span<const Type> in, const Params& params, Domain domain);
template <const Primitive& self, Domain domain>
Types reduction_type(std::span<const Type> in, const Params& params) {
  return reduction_type(self.name, in, params, domain);
}
/// The batch axis in front, the reduced axes behind it.
std::vector<Batched> reduction_batch(const Primitive& primitive, std::span<const Batched> in,
                                     const Params& params);
template <const Primitive& self>
std::vector<Batched> reduction_batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                                     Transformer&) {
  return reduction_batch(self, in, params);
}
/// Repeats a reduced array along the axes that it lost.
Array unreduce(const Array& reduced, const Shape& shape, const std::vector<std::int64_t>& axes);
/// The axes moved to the front and made one.
Array flatten_axes(const Array& x, const std::vector<std::int64_t>& axes);
/// jvp of a maximum or minimum: the mean of the tangents at the elements that are equal to it.
Arrays chooser_jvp(const Arrays& x, const Arrays& out, const Arrays& dx, const Params& params);
Array bind_reduction(const Primitive& primitive, Operand x, const std::vector<std::int64_t>& axes);
/// Shapes and axes that every reduction is tested with; rows of an empty axis have no derivative if
/// `smooth_empty` is not set.
std::vector<Example> reduction_examples(int order, bool distinct = false, bool smooth_empty = true,
                                        Dtype dtype = f32);

/// Folds in row-major order, one precision up, from F::start<T>().
template <class F, Domain domain>
void evaluate_reduction(std::span<const View> in, std::span<const View> out, const Params& params,
                        Evaluator&) {
  const auto strides = reduced_strides(in[0].shape(), params.as<Reduction>().axes);
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (admits<domain, T>) {
      const auto x = in[0].as<T>(), y = out[0].as<T>();
      // Not std::vector<bool>, whose elements are no bool.
      auto folded = std::make_unique<wide_t<T>[]>(y.size());
      for (std::size_t i = 0; i < y.size(); ++i) folded[i] = widen(F::template start<T>());
      std::size_t from = 0;
      for (Counter c(in[0].shape()); !c.done(); c.next(), ++from) {
        auto& value = folded[static_cast<std::size_t>(offset_of(c.index(), strides))];
        value = F{}(value, widen(x[from]));
      }
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = narrow<T>(folded[i]);
    }
  });
}

}  // namespace baton::ops
