#pragma once
// element_rules: `element` of the operations on single elements, and pieces of those of others.
#include "ops/rules.h"

namespace baton::ops {

using Positions = std::span<const Position>;

/// One instruction on the elements of the operands at the same place.
template <Do what>
Scalar unary_element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  return emit(what, w.operand(0, at));
}
template <Do what>
Scalar binary_element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  return emit(what, x, w.operand(1, at));
}
template <Do how>
Scalar compare_element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  return compare(how, x, w.operand(1, at));
}
/// floor or ceil: also of numbers below the normal ones, which instructions take for zero.
template <Do how>
Scalar whole_element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  const bool wide = x.dtype() == Dtype::f64, down = how == Do::floor;
  const Dtype word = wide ? Dtype::u64 : Dtype::u32;
  const std::int64_t first = (down ? std::int64_t{1} << (wide ? 63 : 31) : 0) + 1;  // its bits are a number's
  const std::int64_t many = (std::int64_t{1} << (wide ? 52 : 23)) - 1;
  const Scalar below_normal =
      compare(Do::lt, emit(Do::bits, word, x) - w.integer(word, first), w.integer(word, many));
  return select(below_normal, w.number(x.dtype(), down ? -1 : 1), emit(how, x));
}
/// The operand itself.
inline Scalar same_element(ElementWriter& w, std::size_t result, Positions at, const Params&) {
  return w.operand(result, at);
}

/// A shift by a count that may be the width or more: then what is left is `beyond`.
Scalar shifted_element(ElementWriter& w, Do shift, Scalar x, Scalar count, Scalar beyond);
/// x / y and x rem y of integers as lax has them where y is 0 or -1.
Scalar integer_quotient(Scalar x, Scalar y);
Scalar integer_remainder(Scalar x, Scalar y);
/// x to a power that is not negative, by squaring.
Scalar power_element(Scalar x, std::int64_t n);
/// x as another dtype, as XLA converts: to integers truncated and saturated, NaN gives 0.
Scalar converted(Scalar x, Dtype from, Dtype to);

/// The least and the greatest of a dtype; infinities of floats.
Scalar least(ElementWriter& w, Dtype);
Scalar greatest(ElementWriter& w, Dtype);

/// An integer that was read from an array, moved into [0, high].
Scalar clamped_start(Scalar x, std::int64_t high);

/// Whether the position lies in [low, high): empty where that is known to be so.
Scalar within(ElementWriter& w, const Position&, std::int64_t low, std::int64_t high);
/// Both; an empty one is true.
Scalar both(Scalar x, Scalar y);
/// `inside` where the condition, which may be empty, holds.
Scalar where(ElementWriter& w, Scalar condition, FunctionRef<Scalar()> inside,
             FunctionRef<Scalar()> otherwise);

/// Combines operand 0 over the axes; `at` is the place in the result, which has lost them.
std::vector<Scalar> reduced(
    ElementWriter& w, Positions at, std::span<const std::int64_t> axes, std::span<const Scalar> start,
    FunctionRef<std::vector<Scalar>(Positions)> element,
    FunctionRef<std::vector<Scalar>(std::span<const Scalar>, std::span<const Scalar>)>);
/// A Reduction by one instruction.
Scalar reduction_element(ElementWriter& w, Positions at, std::span<const std::int64_t> axes, Do how,
                         Scalar start);
/// The greatest or the least, by Do::max or Do::min. Floats are compared as integers: one instruction from
/// element to element, where those of floats, with NaN and two zeros, wait for five.
Scalar extreme_element(ElementWriter& w, Positions at, std::span<const std::int64_t> axes, Do how);

}  // namespace baton::ops
