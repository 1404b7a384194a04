// angles: sine and its like of an angle less a multiple of pi/2, and the angles of these.
#include "engines/cpu/code/formulas.h"

namespace baton::cpu {
namespace {

/// An angle as r + n pi/2 with |r| <= pi/4, r an f64; the last two bits of `quarter` are those of n.
struct Reduced {
  Value r, quarter;
};

/// Of an f64 of any size, that an f32 can be: 2/pi is a sum of parts of 28 bits, so that each product with
/// the 24 bits of x is exact, and so is what it is beyond a multiple of 4. All parts of the angle that are
/// left are summed with what the sum loses.
Reduced reduced_by_parts(Value x) {
  constexpr double parts[] = {0x1.45f306c000000p-1,  0x1.c9c882a000000p-29,  0x1.4fe13a8000000p-59,
                              0x1.f47d4d0000000p-86, 0x1.bb81b6c000000p-113, 0x1.4acc9e0000000p-143,
                              0x1.0e4107c000000p-170};
  Value sum = like(x, 0), lost = sum;
  for (double part : parts) {
    const Value product = x * part, term = fma(nearest(product * 0.25), -4, product);
    const Value next = sum + term, of_term = next - sum;
    lost = lost + ((sum - (next - of_term)) + (term - of_term));
    sum = next;
  }
  const Value shifted = sum + to_whole;
  return {((sum - (shifted - to_whole)) + lost) * (pi / 2), bits(shifted)};
}

/// x is an f64 above 0 that an f32 can be. Up to 2^35 x - n pi/2 is exact but for what pi/2 as a sum of two
/// f64 lacks. Beyond, it takes a loop that runs only if a lane needs it.
Reduced reduced(Value x) {
  const Value shifted = fma(x, 2 / pi, to_whole), n = shifted - to_whole;
  const Value r = fma(n, -6.123233995736766e-17, fma(n, -pi / 2, x)), quarter = bits(shifted);
  const std::vector<Value> found =
      unless_rare(x > 34359738368.0, {r, quarter, x}, [](const std::vector<Value>& carried) {
        const Reduced by_parts = reduced_by_parts(carried[2]);  // of what the loop carries: it stays inside
        return std::vector<Value>{by_parts.r, by_parts.quarter};
      });
  return {found[0], found[1]};
}

Value odd(Value quarter) { return differs(quarter & 1, 0); }

/// The sine of r + quarter pi/2, for both f64 and s64.
Value sine(Value r, Value quarter) {
  const Value u = r * r;
  const Value s = fma(u * r,
                      polynomial(u, {-0.16666666641616515, 0.008333329384691297, -0.00019839334444318342,
                                     2.718307721752696e-06}),
                      r);
  const Value c =
      fma(u * u, polynomial(u, {0.04166664686110061, -0.0013887367233971588, 2.443841742176445e-05}),
          fma(u, -0.5, 1));
  const Value sign = (quarter & 2) << 62;
  return from_bits(bits(select(odd(quarter), c, s)) ^ sign);
}

/// atan of x between 0 and 1.
Value small_atan(Value x) {
  const Value u = x * x;
  const Value p =
      polynomial(u, {-0.3333332743240107, 0.19999692580689854, -0.1428013038985764, 0.11060242484086659,
                     -0.08818841318125555, 0.06759557649664835, -0.04494626015610644, 0.022760197328118622,
                     -0.007422576424341, 0.0011348672677281067});
  return fma(x * u, p, x);
}

/// For |x| above 1/2, asin |x| is pi/2 - 2 asin sqrt((1 - |x|) / 2).
struct Arcsine {
  Value far, value;  // value: asin |x|, or of the root
};
Arcsine arcsine(Value size) {
  const Value far = size > 0.5, wide = as(f64, size);
  const Value u = select(far, (1 - wide) * 0.5, wide * wide), root = select(far, sqrt(u), wide);
  const Value p = polynomial(u, {0.16666659853571802, 0.07500512110891562, 0.0445154734671592,
                                 0.03181980757217259, 0.014393829037948074, 0.03757814379390138});
  return {far, fma(root * u, p, root)};
}

}  // namespace

Value sin64(Value x) {
  const Reduced a = reduced(abs(x));
  return turned_by(x, sine(a.r, a.quarter));
}
Value cos64(Value x) {
  const Reduced a = reduced(abs(x));
  return sine(a.r, a.quarter + 1);
}
Value sin(Value x) { return as(f32, sin64(as(f64, x))); }
Value cos(Value x) { return as(f32, cos64(as(f64, x))); }

/// For odd quarters it is -1 / tan r.
Value tan(Value x) {
  const Reduced a = reduced(as(f64, abs(x)));
  const Value u = a.r * a.r;
  const Value p =
      polynomial(u, {0.33333351449212933, 0.13332609604567866, 0.05406558364943955, 0.021254730257355817,
                     0.010903027786118957, 8.633384726765941e-06, 0.00441433630050655});
  const Value t = fma(a.r * u, p, a.r), turned = odd(a.quarter);
  return turned_by(x, as(f32, select(turned, -1, t) / select(turned, t, 1)));
}

Value asin(Value x) {
  const Value size = abs(x);
  const Arcsine a = arcsine(size);
  return with_sign_of(x, as(f32, select(a.far, fma(a.value, -2, pi / 2), a.value)));
}

Value acos(Value x) {
  const Arcsine a = arcsine(abs(x));
  const Value of_size = select(a.far, a.value + a.value, pi / 2 - a.value);
  return as(f32, select(x < 0, pi - of_size, of_size));
}

Value atan(Value x) {
  const Value size = abs(x), wide = as(f64, size), steep = wide > 1;
  const Value angle = small_atan(select(steep, 1, wide) / select(steep, wide, 1));
  return with_sign_of(x, as(f32, select(steep, pi / 2 - angle, angle)));
}

/// By the angle to the nearer axis.
Value atan2(Value y, Value x) {
  const Value wide_y = as(f64, abs(y)), wide_x = as(f64, abs(x)), steep = wide_y > wide_x;
  const Value less = select(steep, wide_x, wide_y), more = select(steep, wide_y, wide_x);
  const Value quotient = less / select(equals(more, 0), 1, more);
  const Value angle = small_atan(select(equals(less, infinity) & equals(more, infinity), 1, quotient));
  const Value right = select(steep, pi / 2 - angle, angle);
  return with_sign_of(y, as(f32, select(bits(x) < 0, pi - right, right)));
}

}  // namespace baton::cpu
