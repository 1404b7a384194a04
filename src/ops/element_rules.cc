// element_rules: the pieces that take more than one instruction.
#include "ops/element_rules.h"

#include <algorithm>
#include <limits>

namespace baton::ops {
namespace {

Scalar number_like(Scalar x, double value) { return x.writer->number(x.dtype(), value); }

constexpr std::int64_t few =
    8;  // elements that are combined one after the other, beside those of other results

/// The range of an integer dtype, as doubles and as bits.
double low_of(Dtype d) { return is_signed(d) ? -std::ldexp(1.0, static_cast<int>(8 * size_of(d)) - 1) : 0; }
double beyond(Dtype d) { return std::ldexp(1.0, static_cast<int>(8 * size_of(d)) - (is_signed(d) ? 1 : 0)); }
std::int64_t low_bits(Dtype d) {
  return is_signed(d) ? std::int64_t(-1) * (std::int64_t{1} << (8 * size_of(d) - 2)) * 2 : 0;
}
std::int64_t high_bits(Dtype d) {
  if (!is_signed(d)) return -1;
  return static_cast<std::int64_t>((std::uint64_t{1} << (8 * size_of(d) - 1)) - 1);
}

/// x and y by an instruction that may not see a y of 0 or, below the least number, of -1: what is there
/// instead.
Scalar divided(Do what, Scalar x, Scalar y, Scalar by_zero, Scalar by_minus_one) {
  ElementWriter& w = *x.writer;
  const Dtype d = x.dtype();
  Scalar odd = compare(Do::eq, y, w.integer(d, 0)), result = by_zero;
  if (is_signed(d)) {
    const Scalar negates = compare(Do::eq, y, w.integer(d, -1));
    result = select(negates, by_minus_one, result);
    odd = odd | negates;
  }
  return select(odd, result, emit(what, x, select(odd, w.integer(d, 1), y)));
}

}  // namespace

Scalar shifted_element(ElementWriter& w, Do shift, Scalar x, Scalar count, Scalar beyond) {
  const Dtype d = x.dtype();
  const auto width = static_cast<std::int64_t>(8 * size_of(d));
  const Scalar mask = w.integer(d, width - 1), rest = count & w.integer(d, ~(width - 1));
  const Scalar inside = compare(Do::eq, rest, w.integer(d, 0));
  return select(inside, emit(shift, x, count & mask), beyond);
}

Scalar integer_quotient(Scalar x, Scalar y) {
  ElementWriter& w = *x.writer;
  const Dtype d = x.dtype();
  return divided(Do::div, x, y, w.integer(d, -1), w.integer(d, 0) - x);
}

Scalar integer_remainder(Scalar x, Scalar y) {
  return divided(Do::rem, x, y, x, x.writer->integer(x.dtype(), 0));
}

Scalar power_element(Scalar x, std::int64_t n) {
  Scalar result;
  for (; n > 0; n >>= 1) {
    if (n & 1) result = result.empty() ? x : result * x;
    if (n > 1) x = x * x;
  }
  if (!result.empty()) return result;
  return is_inexact(x.dtype()) ? number_like(x, 1) : x.writer->integer(x.dtype(), 1);
}

Scalar converted(Scalar x, Dtype from, Dtype to) {
  ElementWriter& w = *x.writer;
  const bool half = to == f16 || to == bf16;
  if (to == boolean) {
    if (from == boolean) return x;
    return compare(Do::ne, x, is_inexact(from) ? number_like(x, 0) : w.integer(x.dtype(), 0));
  }
  if (is_complex(to)) return emit(Do::convert, to, x);
  if (x.is_complex()) return converted(x.real(), real_of(from), to);
  if (half && x.dtype() == f64) {
    // Rounded to odd on the way, so that the second rounding is the only one.
    const Scalar near = emit(Do::convert, f32, x), back = emit(Do::convert, f64, near);
    const Scalar bits = emit(Do::bits, u32, near), one = w.integer(u32, 1);
    const Scalar further = compare(Do::gt, emit(Do::abs, back), emit(Do::abs, x));
    const Scalar cut = select(further, bits - one, bits) | one;
    const Scalar keep =
        compare(Do::eq, back, x) | compare(Do::ne, x, x) |
        compare(Do::eq, emit(Do::abs, back), w.number(f64, std::numeric_limits<double>::infinity()));
    return emit(Do::bits, f32, select(keep, bits, cut));
  }
  if (is_inexact(from) && !is_inexact(to)) {
    const Dtype d = x.dtype();
    const Scalar low = w.number(d, low_of(to)), high = w.number(d, beyond(to));
    const Scalar is_low = compare(Do::le, x, low), is_high = compare(Do::ge, x, high);
    const Scalar inside = emit(Do::bit_and, compare(Do::gt, x, low), compare(Do::lt, x, high));
    const Scalar whole = emit(Do::convert, to, select(inside, x, w.number(d, 0)));
    return select(is_high, w.integer(to, high_bits(to)), select(is_low, w.integer(to, low_bits(to)), whole));
  }
  return emit(Do::convert, half ? f32 : to, x);
}

Scalar least(ElementWriter& w, Dtype d) {
  if (is_inexact(d)) return w.number(d, -std::numeric_limits<double>::infinity());
  return w.integer(d, d == boolean ? 0 : low_bits(d));
}
Scalar greatest(ElementWriter& w, Dtype d) {
  if (is_inexact(d)) return w.number(d, std::numeric_limits<double>::infinity());
  return w.integer(d, d == boolean ? 1 : high_bits(d));
}

Scalar clamped_start(Scalar x, std::int64_t high) {
  ElementWriter& w = *x.writer;
  if (x.dtype() == u64) x = emit(Do::min, x, w.integer(u64, std::numeric_limits<std::int64_t>::max()));
  const Scalar start = emit(Do::convert, s64, x);
  return emit(Do::max, emit(Do::min, start, w.integer(s64, high)), w.integer(s64, 0));
}

Scalar within(ElementWriter& w, const Position& p, std::int64_t low, std::int64_t high) {
  const Range r = p.range();
  Scalar inside;
  if (r.low < low) inside = compare(Do::ge, w.count(p), w.integer(s64, low));
  if (r.high >= high) inside = both(inside, compare(Do::lt, w.count(p), w.integer(s64, high)));
  return inside;
}

Scalar both(Scalar x, Scalar y) { return x.empty() ? y : y.empty() ? x : x & y; }

Scalar where(ElementWriter& w, Scalar condition, FunctionRef<Scalar()> inside,
             FunctionRef<Scalar()> otherwise) {
  if (condition.empty()) return inside();
  return w.guarded(condition, inside, otherwise());
}

/// The reduced axes at the end count as one. Along lanes if the innermost axis is among them, unless there
/// are few.
std::vector<Scalar> reduced(
    ElementWriter& w, Positions at, std::span<const std::int64_t> axes, std::span<const Scalar> start,
    FunctionRef<std::vector<Scalar>(Positions)> element,
    FunctionRef<std::vector<Scalar>(std::span<const Scalar>, std::span<const Scalar>)> combine) {
  const Shape& shape = w.operand_type(0).shape;
  const std::size_t rank = shape.size();
  std::vector<bool> gone(rank);
  for (std::int64_t a : axes) gone[static_cast<std::size_t>(a)] = true;
  std::size_t tail = rank;  // where the reduced axes at the end begin
  while (tail > 0 && (gone[tail - 1] || shape[tail - 1] == 1)) --tail;
  const Shape inner(shape.begin() + static_cast<std::ptrdiff_t>(tail), shape.end());
  std::int64_t count = 1;
  for (std::int64_t extent : inner) count *= extent;
  const bool along_lanes = count > few;
  Shape extents;
  for (std::size_t i = 0; i < tail; ++i)
    if (gone[i]) extents.push_back(shape[i]);
  extents.push_back(count);
  const std::vector<Position> kept(at.begin(), at.end());
  const auto at_place = [&](Positions r) {
    std::vector<Position> full(rank);
    const std::vector<Position> last = unflat(r[r.size() - 1], inner);
    std::size_t k = 0, g = 0;
    for (std::size_t i = 0; i < rank; ++i)
      full[i] = !gone[i] ? kept[k++] : i < tail ? r[g++] : last[i - tail];
    return element(full);
  };
  return w.fold({extents, start, along_lanes, at_place, combine});
}

namespace {
/// The bits of a float as an integer in the order of max, -0 below 0; and back. NaN is beyond the infinities,
/// on the side of its sign.
Scalar in_order(Scalar bits) {
  ElementWriter& w = *bits.writer;
  const Dtype d = bits.dtype();
  const std::int64_t sign = 8 * static_cast<std::int64_t>(size_of(d)) - 1;
  const Scalar negative = emit(Do::shift_right_arithmetic, bits, w.integer(d, sign));
  return bits ^ (negative & greatest(w, d));
}
}  // namespace

Scalar extreme_element(ElementWriter& w, Positions at, std::span<const std::int64_t> axes, Do how) {
  const Dtype d = w.result_type(0).dtype;
  const Scalar none = how == Do::max ? least(w, d) : greatest(w, d);
  if (!is_real_floating(d)) return reduction_element(w, at, axes, how, none);
  const Dtype real = d == f64 ? f64 : f32, integer = d == f64 ? s64 : s32;
  const Scalar of_nan = how == Do::max ? greatest(w, integer) : least(w, integer);
  const auto ordered = [&](Scalar x) { return in_order(emit(Do::bits, integer, x)); };
  const Scalar starts[] = {ordered(none)};
  const Scalar chosen = reduced(
      w, at, axes, starts,
      [&](Positions p) {
        const Scalar x = w.operand(0, p);
        return std::vector<Scalar>{select(compare(Do::ne, x, x), of_nan, ordered(x))};
      },
      [&](std::span<const Scalar> x, std::span<const Scalar> y) {
        return std::vector<Scalar>{emit(how, x[0], y[0])};
      })[0];
  // What is below the normal numbers is zero to kernels, also where it is read.
  const Scalar bits = in_order(chosen);
  const std::int64_t infinity = d == f64 ? 0x7ff0000000000000 : 0x7f800000;
  const Scalar below = compare(Do::eq, bits & w.integer(integer, infinity), w.integer(integer, 0));
  return emit(Do::bits, real, select(below, bits & least(w, integer), bits));
}

Scalar reduction_element(ElementWriter& w, Positions at, std::span<const std::int64_t> axes, Do how,
                         Scalar start) {
  const Scalar starts[] = {start};
  return reduced(
      w, at, axes, starts, [&](Positions p) { return std::vector<Scalar>{w.operand(0, p)}; },
      [&](std::span<const Scalar> x, std::span<const Scalar> y) {
        return std::vector<Scalar>{emit(how, x[0], y[0])};
      })[0];
}

}  // namespace baton::ops
