#pragma once
// arg_reduction: what argmax and argmin share: the index of the first element along an axis that beats the
// others.
#include "ops/element_rules.h"
#include "ops/reduction.h"

namespace baton::ops {

struct ArgReduction {
  std::int64_t axis = 0;
  Dtype index_dtype = s32;
  BATON_FIELDS(axis, index_dtype)
};

template <const Primitive& self>
Types arg_reduction_type(std::span<const Type> in, const Params& params) {
  const std::string_view name = self.name;
  require_count(name, in, 1);
  const auto& p = params.as<ArgReduction>();
  if (is_complex(in[0].dtype)) type_error(name, "operand 0 must be real or bool, found " + show(in[0]) + ".");
  require_axis(name, in[0], p.axis);
  if (!is_integer(p.index_dtype))
    type_error(name, "the index dtype must be an integer, found " + std::string(name_of(p.index_dtype)) +
                         ".\n  Say s32 or s64.");
  const std::int64_t extent = in[0].shape[static_cast<std::size_t>(p.axis)];
  if (extent == 0)
    type_error(name,
               "axis " + std::to_string(p.axis) + " of " + show(in[0]) + " has no elements to choose from.");
  const std::size_t width = 8 * size_of(p.index_dtype) - (is_signed(p.index_dtype) ? 1 : 0);
  if (width < 63 && extent - 1 >= (std::int64_t{1} << width))
    type_error(name, "axis " + std::to_string(p.axis) + " of " + show(in[0]) +
                         " is too long for indices of " + std::string(name_of(p.index_dtype)) + ".");
  return {{p.index_dtype, without_axes(in[0].shape, {p.axis})}};
}

/// F is Larger or Smaller: NaN wins, the first among equals is kept.
template <class F>
void evaluate_arg_reduction(std::span<const View> in, std::span<const View> out, const Params& params,
                            Evaluator&) {
  const std::int64_t axis = params.as<ArgReduction>().axis;
  const auto strides = reduced_strides(in[0].shape(), {axis});
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (!is_complex_v<T>) {
      const auto x = in[0].as<T>();
      const auto count = static_cast<std::size_t>(out[0].type->size());
      auto best = std::make_unique<wide_t<T>[]>(count);
      std::vector<std::int64_t> index(count, -1);
      std::size_t from = 0;
      for (Counter c(in[0].shape()); !c.done(); c.next(), ++from) {
        const auto to = static_cast<std::size_t>(offset_of(c.index(), strides));
        const auto value = widen(x[from]);
        const bool kept = index[to] >= 0 && (best[to] != best[to] || F{}(best[to], value) == best[to]);
        if (kept) continue;
        best[to] = value;
        index[to] = c[static_cast<std::size_t>(axis)];
      }
      with_type(out[0].dtype(), [&]<class I>(Tag<I>) {
        if constexpr (std::is_integral_v<I> && !std::is_same_v<I, bool>)
          for (std::size_t i = 0; i < count; ++i) out[0].as<I>()[i] = static_cast<I>(index[i]);
      });
    }
  });
}

/// The same as code: among equals the lower index, in whatever order they meet.
template <Do beats>
Scalar arg_reduction_element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const std::int64_t axes[] = {params.as<ArgReduction>().axis};
  const Dtype d = w.operand_type(0).dtype, index = w.result_type(0).dtype;
  const Scalar none = w.integer(s64, -1), zero = w.integer(s64, 0);
  const Scalar start[] = {beats == Do::gt ? least(w, d) : greatest(w, d), none};
  const auto element = [&](Positions p) {
    return std::vector<Scalar>{w.operand(0, p), w.count(p[static_cast<std::size_t>(axes[0])])};
  };
  const auto better = [&](std::span<const Scalar> x, std::span<const Scalar> y) {
    const Scalar x_is_nan = compare(Do::ne, x[0], x[0]), y_is_nan = compare(Do::ne, y[0], y[0]);
    const Scalar equal = compare(Do::eq, x[0], y[0]) | (x_is_nan & y_is_nan);
    const Scalar wins = compare(beats, y[0], x[0]) | (y_is_nan & compare(Do::eq, x[0], x[0]));
    const Scalar earlier = equal & compare(Do::lt, y[1], x[1]);
    const Scalar there = compare(Do::ge, y[1], zero), nobody = compare(Do::lt, x[1], zero);
    const Scalar taken = there & (nobody | wins | earlier);
    return std::vector<Scalar>{select(taken, y[0], x[0]), select(taken, y[1], x[1])};
  };
  return emit(Do::convert, index, reduced(w, at, axes, start, element, better)[1]);
}

template <const Primitive& self>
std::vector<Batched> arg_reduction_batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                                         Transformer&) {
  ArgReduction p = params.as<ArgReduction>();
  ++p.axis;
  return {{bind_one(self, {batch_to_front(in[0])}, p, {}), 0}};
}

inline Array bind_arg_reduction(const Primitive& primitive, Operand x, int axis, Dtype index_dtype) {
  const Array a = x.array();
  const std::int64_t rank = a.empty() ? 0 : a.rank();
  return bind_one(primitive, {a}, ArgReduction{canonical_axis(axis, rank), index_dtype}, x.where());
}

inline std::vector<Example> arg_reduction_examples() {
  return {
      {.inputs = {{f32, {5}}}, .params = ArgReduction{0, s32}, .order = 0},
      {.inputs = {{f32, {2, 3, 4}}}, .params = ArgReduction{1, u8}, .order = 0},
      {.inputs = {{f32, {3, 1}}}, .params = ArgReduction{1, s64}, .order = 0, .note = "an axis of extent 1"},
      {.inputs = {{f32, {0, 3}}}, .params = ArgReduction{1, s32}, .order = 0, .note = "no results"},
      {.inputs = {{s32, {4, 3}}}, .params = ArgReduction{0, s32}, .order = 0, .note = "ties of integers"},
      {.inputs = {{boolean, {4}}}, .params = ArgReduction{0, s32}, .order = 0}};
}

}  // namespace baton::ops
