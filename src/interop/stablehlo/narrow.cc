// narrow: the same rounding as mlir::nearest, on arrays. It is done in f64, where every number of every
// format is normal, and by operations that hand derivatives through: the derivative of a rounding is one.
#include "interop/stablehlo/narrow.h"

#include <cmath>
#include <limits>

#include "trace/trace.h"

namespace baton::stablehlo {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Array constant_like(const Array& x, double value) { return lax::full_like(x, value); }

/// In f64, numbers below the normal ones of f32 too, which arithmetic may take for zero: from their bits.
Array exact_in_f64(const Array& x) {
  const Array wide = lax::convert_element_type(x, f64);
  if (x.dtype() == f64 || !is_real_floating(x.dtype())) return wide;
  const Array bits = lax::bitcast_convert_type(lax::convert_element_type(x, f32), s32);
  const Array units = lax::convert_element_type(lax::bitwise_and(bits, 0x7fffff), f64);
  const Array below = lax::mul(
      units, lax::select(lax::lt(bits, 0), constant_like(units, -0x1p-149), constant_like(units, 0x1p-149)));
  const Array lost = lax::select(lax::eq(lax::bitwise_and(bits, 0x7f800000), 0), lax::sub(below, wide),
                                 constant_like(wide, 0));
  return lax::add(wide, lax::stop_gradient(lost));
}
/// A power of two; a tie goes up, away from the odd mantissa 1.
Array power_of_two(const Narrow& n, const Array& x) {
  Array r = lax::reduce_precision(x, 11, 0);
  r = lax::select(lax::eq(x, lax::mul(r, 1.5)), lax::mul(r, 2.0), r);
  r = lax::max(r, constant_like(r, std::ldexp(1, n.min_exponent)));
  return lax::select(lax::bitwise_and(lax::gt(x, 0.0), lax::le(r, n.largest)), r, constant_like(r, nan));
}

Array rounded(const Narrow& n, const Array& wide) {
  using Kind = Narrow::Kind;
  if (n.kind == Kind::exponent) return power_of_two(n, exact_in_f64(wide));
  const Array x = lax::convert_element_type(wide, f64);
  Array r = lax::reduce_precision(x, 11, n.mantissa_bits);
  // Below the normal numbers: to multiples of the smallest one. The step there is exact, and has no
  // derivative.
  const double unit = std::ldexp(1, n.min_exponent - n.mantissa_bits);
  const Array multiple = lax::mul(lax::round(lax::mul(x, 1 / unit), lax::Rounding::to_nearest_even), unit);
  Array small = lax::add(x, lax::stop_gradient(lax::sub(multiple, x)));
  // To zero: two exponent bits leave nothing below 1 but its sign.
  small = lax::select(lax::eq(small, 0.0), lax::reduce_precision(x, 2, n.mantissa_bits), small);
  r = lax::select(lax::lt(lax::abs(x), std::ldexp(1, n.min_exponent)), small, r);
  const double most = n.kind == Kind::ieee ? inf : n.kind == Kind::finite ? n.largest : nan;
  r = lax::select(lax::gt(r, n.largest), constant_like(r, most), r);
  r = lax::select(lax::lt(r, -n.largest), constant_like(r, -most), r);
  if (n.kind == Kind::finite) r = lax::select(lax::ne(r, r), constant_like(r, -0.0), r);
  if (n.kind == Kind::fnuz) r = lax::add(r, 0.0);  // -0 + 0 is 0
  return lax::convert_element_type(r, f32);
}

Array wrapped(const Narrow& n, const Array& x) {
  return is_signed(n.carrier) ? sign_extended(n, x) : zero_extended(n, x);
}

/// An integer of 64 bits as one of 52 that rounds alike in every narrower format: the last bit kept is set
/// where bits are lost.
Array without_last_bits(const Array& x) {
  const std::int64_t exact = std::int64_t{1} << 52;
  Array fits = lax::lt(x, exact);
  if (is_signed(x.dtype())) fits = lax::bitwise_and(fits, lax::gt(x, -exact));
  const Array high = lax::shift_left(lax::shift_right_logical(x, 12), 12);
  const Array lost = lax::select(lax::eq(high, x), lax::full_like(x, 0), lax::full_like(x, 1 << 12));
  return lax::select(fits, x, lax::bitwise_or(high, lost));
}

}  // namespace

Array zero_extended(const Narrow& n, const Array& x) { return lax::bitwise_and(x, (1 << n.bits) - 1); }
Array sign_extended(const Narrow& n, const Array& x) {
  const int above = 8 - n.bits;
  return lax::shift_right_arithmetic(lax::shift_left(x, above), above);
}

Array in_format(const Narrow& n, const Array& x, Where where) {
  const Frame frame(where);
  if (n.kind == Narrow::Kind::exponent)  // what f32 rounds to zero is none of its numbers
    return rounded(n, lax::select(lax::le(x, 0x1p-150), constant_like(x, 0), x));
  return n.floating() ? rounded(n, x) : wrapped(n, x);
}

Array converted(const Narrow& n, const Array& x, Where where) {
  const Frame frame(where);
  const Array real = is_complex(x.dtype()) ? lax::real(x) : x;
  if (n.floating())
    return rounded(n,
                   is_integer(real.dtype()) && size_of(real.dtype()) == 8 ? without_last_bits(real) : real);
  const Array integer = lax::convert_element_type(real, n.carrier);
  if (!is_inexact(real.dtype())) return wrapped(n, integer);
  const int values = 1 << n.bits, least = is_signed(n.carrier) ? -values / 2 : 0;
  return lax::clamp(lax::full_like(integer, least), integer, lax::full_like(integer, least + values - 1));
}

Array without_format(const Narrow& n, const Array& x, Dtype to, Where where) {
  const Frame frame(where);
  if (n.kind != Narrow::Kind::exponent || size_of(to) > 4) return lax::convert_element_type(x, to);
  // The one power of two that is below the normal numbers of f32 is written, not computed.
  const Array narrow = lax::convert_element_type(x, f32);
  return lax::convert_element_type(lax::select(lax::eq(x, 0x1p-127), constant_like(narrow, 0x1p-127), narrow),
                                   to);
}

}  // namespace baton::stablehlo
