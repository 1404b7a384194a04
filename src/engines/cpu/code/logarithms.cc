// logarithms: of m 2^e, with m between sqrt(1/2) and sqrt(2), it is e ln 2 + log m. Powers are by logarithms.
#include "engines/cpu/code/formulas.h"

namespace baton::cpu {
namespace {

/// An f64 as m 2^e.
struct Parts {
  Value m, e;
};
Parts parts(Value x) {
  constexpr std::int64_t root = 0x3fe6a09e667f3bcd;  // the bits of sqrt(1/2)
  constexpr std::int64_t bias = 1023, one = bias << 52;
  const Value all = bits(x);
  const Value biased = apply(Do::shift_right_logical, all - (root - one), 52);
  // Below 2^52 an integer is the last bits of 2^52 and it.
  const Value e = from_bits(biased | std::int64_t{0x4330000000000000}) - (4503599627370496.0 + bias);
  return {from_bits((all + one) - (biased << 52)), e};
}

/// log(1 + r) for sqrt(1/2) <= 1 + r <= sqrt(2): with s = r / (2 + r) it is 2 (s + s^3 / 3 + s^5 / 5 + ...).
Value log_of_one_and(Value r) {
  const Value s = r / (r + 2), v = s * s;
  const Value p = polynomial(v, {0.6666666667580432, 0.3999999562080324, 0.28572109257426215,
                                 0.2217618491160169, 0.19584201779849997});
  return fma(s * v, p, s + s);
}

/// `value` where the argument is in the domain and finite, infinity for infinity, NaN elsewhere.
Value within_domain(Value x, Value inside, Value value) {
  return select(inside & (x < infinity), value, select(equals(x, infinity), x, nan));
}

}  // namespace

Value log64(Value x, Value less_one) {
  const Parts of = parts(x);
  return fma(of.e, ln2, log_of_one_and(select(equals(of.e, 0), less_one, of.m - 1)));
}
Value log64(Value x) { return log64(x, x - 1); }
Value log2_64(Value x) {
  const Parts of = parts(x);
  return fma(log_of_one_and(of.m - 1), log2_of_e, of.e);
}

Value log(Value x) {
  const Value small = x < 1.17549435e-38, normal = select(small, x * 8388608, x), all = bits(normal);
  const Value power = apply(Do::shift_right_arithmetic, all - 0x3f3504f3, 23);  // the bits of sqrt(1/2)
  const Value r = from_bits(all - (power << 23)) - 1;
  const Value e = as(f32, power) - select(small, like(x, 23), 0);
  const Value p = polynomial(r, {0.3333331346511841, -0.25000008940696716, 0.2000211924314499,
                                 -0.1666799634695053, 0.14219552278518677, -0.1240558847784996,
                                 0.11888159066438675, -0.11675654351711273, 0.06746651232242584});
  const Value square = r * r, tail = fma(square * r, p, fma(e, ln2_low, square * -0.5));
  const Value value = fma(e, ln2_high, tail + r);
  const Value finite = select(x < infinity, value, x);  // infinity and NaN are their own logarithm
  return select(equals(x, 0), -infinity, select(x < 0, nan, finite));
}

/// Where 1 + x needs no step of powers of two it is not rounded either.
Value log1p(Value x) {
  const Value wide = as(f64, x), value = log64(wide + 1, wide);
  const Value result = within_domain(x, x > -1, select(equals(x, 0), x, as(f32, value)));
  return select(equals(x, -1), -infinity, result);
}

Value asinh(Value x) {
  const Value size = abs(x), wide = as(f64, size);
  const Value value = as(f32, log64(wide + sqrt(fma(wide, wide, 1))));
  return with_sign_of(x, select((size < infinity) & (size >= as_itself), value, size));
}

Value acosh(Value x) {
  const Value wide = as(f64, x);
  return within_domain(x, x >= 1, as(f32, log64(wide + sqrt(fma(wide, wide, -1)))));
}

Value atanh(Value x) {
  const Value size = abs(x), wide = as(f64, size);
  const Value value = as(f32, log64((wide + 1) / (1 - wide)) * 0.5);
  const Value edge = select(equals(size, 1), infinity, like(x, nan));
  return with_sign_of(x, select(size < as_itself, size, select(size < 1, value, edge)));
}

/// 2^(y log2 |x|), with the sign of x for odd y.
Value pow(Value x, Value y) {
  const Value size = abs(x), finite = size < infinity;
  const Value l = log2_64(as(f64, size));
  const Value l_or_edge = select(equals(size, 0), -infinity, select(finite, l, as(f64, size)));
  const Value z = as(f64, bounded(y, -1e30, 1e30)) * l_or_edge;  // an infinite y is a large one
  const Value power = as(f32, exp2_64(bounded(z, -200, 200)));
  const Value half = y * 0.5, whole = equals(floor(y), y), odd = whole & differs(floor(half), half);
  const Value sign = select(odd, sign_of(x), 0);
  const Value with_sign = from_bits(bits(power) ^ sign);
  const Value real = select((x < 0) & finite & differs(floor(y), y), nan, with_sign);
  return select(equals(y, 0) | equals(x, 1), 1, real);
}

Value cbrt(Value x) {
  const Value size = abs(x);
  const Value value = as(f32, exp2_64(log2_64(as(f64, size)) * (1.0 / 3)));
  return with_sign_of(x, select(size < infinity, value, size));
}

}  // namespace baton::cpu
