// narrow: the table of the formats, and their numbers in double precision, where all of them are exact.
#include "interop/mlir/narrow.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace baton::mlir {

const Narrow* narrow_type(std::string_view name) {
  using Kind = Narrow::Kind;
  static const Narrow formats[] = {{"i2", Kind::integer, 2, s8, 0, 0, 0},
                                   {"i4", Kind::integer, 4, s8, 0, 0, 0},
                                   {"ui2", Kind::integer, 2, u8, 0, 0, 0},
                                   {"ui4", Kind::integer, 4, u8, 0, 0, 0},
                                   {"f4E2M1FN", Kind::finite, 4, f32, 1, 0, 6},
                                   {"f6E2M3FN", Kind::finite, 6, f32, 3, 0, 7.5},
                                   {"f6E3M2FN", Kind::finite, 6, f32, 2, -2, 28},
                                   {"f8E3M4", Kind::ieee, 8, f32, 4, -2, 15.5},
                                   {"f8E4M3", Kind::ieee, 8, f32, 3, -6, 240},
                                   {"f8E4M3FN", Kind::fn, 8, f32, 3, -6, 448},
                                   {"f8E4M3FNUZ", Kind::fnuz, 8, f32, 3, -7, 240},
                                   {"f8E4M3B11FNUZ", Kind::fnuz, 8, f32, 3, -10, 30},
                                   {"f8E5M2", Kind::ieee, 8, f32, 2, -14, 57344},
                                   {"f8E5M2FNUZ", Kind::fnuz, 8, f32, 2, -15, 57344},
                                   {"f8E8M0FNU", Kind::exponent, 8, f64, 0, -127, 0x1p127}};
  for (const Narrow& n : formats)
    if (n.name == name) return &n;
  return nullptr;
}

double value_of(const Narrow& n, unsigned bits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const unsigned sign_bit = 1u << (n.bits - 1);
  bits &= 2 * sign_bit - 1;
  if (n.kind == Narrow::Kind::exponent)
    return bits == 0xFF ? nan : std::ldexp(1, static_cast<int>(bits) - 127);
  const bool sign = bits & sign_bit;
  if (n.kind == Narrow::Kind::integer)
    return sign && is_signed(n.carrier) ? static_cast<int>(bits) - static_cast<int>(2 * sign_bit)
                                        : static_cast<int>(bits);
  if (n.kind == Narrow::Kind::fnuz && bits == sign_bit) return nan;
  const unsigned ones = (1u << n.mantissa_bits) - 1, fraction = bits & ones;
  const unsigned exponent = (bits & (sign_bit - 1)) >> n.mantissa_bits;
  const bool top = exponent == (sign_bit - 1) >> n.mantissa_bits;
  double size = exponent == 0 ? std::ldexp(fraction, n.min_exponent - n.mantissa_bits)
                              : std::ldexp(ones + 1 + fraction,
                                           static_cast<int>(exponent) - 1 + n.min_exponent - n.mantissa_bits);
  if (n.kind == Narrow::Kind::ieee && top) size = fraction ? nan : std::numeric_limits<double>::infinity();
  if (n.kind == Narrow::Kind::fn && top && fraction == ones) size = nan;
  return sign ? -size : size;
}

double nearest(const Narrow& n, double x) {
  using Kind = Narrow::Kind;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(x)) return n.kind == Kind::finite ? -0.0 : x;
  if (n.kind == Kind::exponent && !(x > 0)) return nan;
  double size = std::fabs(x);
  if (n.kind == Kind::exponent && std::isfinite(size)) {
    int exponent = 0;
    const double half = std::frexp(size, &exponent);  // from 1/2; a tie goes up, away from the odd mantissa 1
    size = std::ldexp(1, std::max(half < 0.75 ? exponent - 1 : exponent, n.min_exponent));
  } else if (std::isfinite(size) && size > 0) {
    const int unit = std::max(std::ilogb(size), n.min_exponent) - n.mantissa_bits;
    size = std::ldexp(std::nearbyint(std::ldexp(size, -unit)), unit);
  }
  if (size > n.largest) {
    if (n.kind == Kind::finite)
      size = n.largest;
    else
      size = n.kind == Kind::ieee ? std::numeric_limits<double>::infinity() : nan;
  }
  if (n.kind == Kind::fnuz && size == 0) return 0;
  return std::copysign(size, x);
}

}  // namespace baton::mlir
