// powers: e^x and 2^x: x is n steps of one power of two and a rest, whose power is a polynomial.
#include "engines/cpu/code/formulas.h"

namespace baton::cpu {
namespace {

/// x * 2^n for an f32 n with |n| <= 252, in two halves, so that the largest and the smallest results are
/// rounded once.
Value scaled(Value x, Value n) {
  const Value whole = as(s32, select(is_nan(n), 0, n)), half = apply(Do::shift_right_arithmetic, whole, 1);
  const auto power = [](Value k) { return from_bits((k + 127) << 23); };
  return x * power(half) * power(whole - half);
}

/// e^(x - n ln 2) - 1, where that is a small number: f32.
Value exp_of_rest(Value x, Value n) {
  const Value r = fma(n, -ln2_low, fma(n, -ln2_high, x));
  const Value p = polynomial(r, {0.4999999403953552, 0.1666652113199234, 0.04166838899254799,
                                 0.008368710055947304, 0.001381461275741458});
  return fma(r * r, p, r);
}

/// e^x as (1 + p) 2^n, with |p| < 1/2: f32.
struct Parts {
  Value p, n;
};
Parts parts_of_exp(Value x) {
  const Value within = bounded(x, -104, 89);
  const Value n = nearest(within * log2_of_e);
  return {exp_of_rest(within, n), n};
}

/// e^x of an f64 as (1 + p) 2^n: the last bits of `shifted` are n.
struct Parts64 {
  Value p, shifted;
};
Parts64 parts_of_exp64(Value x) {
  const Value shifted = fma(x, log2_of_e, to_whole);
  const Value r = fma(shifted - to_whole, -ln2, x);
  const Value p = polynomial(r, {0.5000000044397708, 0.1666666636872493, 0.041666359826032166,
                                 0.008333389602829273, 0.0013940719699370055, 0.00019845869164891123});
  return {fma(r * r, p, r), shifted};
}

}  // namespace

/// The last bits of `shifted` are n, and what is added to the exponent of 1 + p. That holds where the result
/// is a normal number; outside of these bounds, and for NaN, it is anything.
Value exp(Value x) {
  constexpr double least = -87.33654022216797, most = 88.72283172607422;  // the last f32 inside
  constexpr double whole = 12582912;                                      // 1.5 * 2^23
  const Value shifted = fma(x, log2_of_e, whole);
  const Value e = exp_of_rest(x, shifted - whole) + 1;
  const Value power = from_bits(bits(e) + (bits(shifted) << 23));
  return select(x < least, 0, select(like(x, most) >= x, power, x + infinity));
}

Value exp2(Value x) {
  const Value within = bounded(x, -151, 129), n = nearest(within), r = within - n;
  const Value p =
      polynomial(r, {0.6931471824645996, 0.24022650718688965, 0.05550410971045494, 0.009618036448955536,
                     0.0013333430979400873, 0.00015467117191292346, 1.53149612742709e-05});
  return scaled(fma(r, p, 1), n);
}

Value exp64(Value x) {
  const Parts64 e = parts_of_exp64(x);
  return from_bits(bits(e.p + 1) + (bits(e.shifted) << 52));
}

Value exp2_64(Value x) {
  const Value shifted = x + to_whole, r = x - (shifted - to_whole);
  const Value p =
      polynomial(r, {0.693147180581601, 0.24022650920312216, 0.05550410727465876, 0.00961805697954237,
                     0.001333366951666243, 0.00015461353127091756, 1.52527240308931e-05});
  return from_bits(bits(fma(r, p, 1)) + (bits(shifted) << 52));
}

/// 2^n p + (2^n - 1), where the second is exact.
Value expm1(Value x) {
  const Parts64 e = parts_of_exp64(as(f64, bounded(x, -104, 89)));
  const Value power = from_bits(bits(like(e.p, 1)) + (bits(e.shifted) << 52));
  return select(equals(x, 0), x, as(f32, fma(power, e.p, power - 1)));
}

/// By e = exp(-|x|), which is never infinite: 1 / (1 + e), or e / (1 + e) where x is negative. What e and
/// 1 + e lose when they are rounded is added to the quotient.
Value logistic(Value x) {
  const Parts parts = parts_of_exp(-abs(x));
  const Value rounded = parts.p + 1;
  const Value e = scaled(rounded, parts.n), e_rest = scaled(parts.p - (rounded - 1), parts.n);
  const Value below = e + 1, below_rest = (e - (below - 1)) + e_rest;
  const Value negative = x < 0, above = select(negative, e, 1), above_rest = select(negative, e_rest, 0);
  const Value inverse = 1 / below, quotient = above * inverse;
  const Value missing = fma(-quotient, below, above) + fma(-quotient, below_rest, above_rest);
  return fma(missing, inverse, quotient);
}

Value sinh(Value x) {
  const Value size = abs(x), e = exp64(as(f64, bounded(size, 0, 90)));
  return with_sign_of(x, select(size < as_itself, size, as(f32, (e - 1 / e) * 0.5)));
}

Value cosh(Value x) {
  const Value e = exp64(as(f64, bounded(abs(x), 0, 90)));
  return as(f32, (e + 1 / e) * 0.5);
}

/// Near zero a polynomial; elsewhere 1 - 2 / (exp(2 |x|) + 1).
Value tanh(Value x) {
  const Value size = abs(x), u = x * x;
  const Value p = polynomial(u, {-0.3333333134651184, 0.13333210349082947, -0.05394720286130905,
                                 0.021702969446778297, -0.008182677440345287, 0.0021475397516041994});
  const Value near = fma(u * size, p, size), away = 1 - 2 / (exp(size + size) + 1);
  return with_sign_of(x, select(size < 0.625, near, away));
}

}  // namespace baton::cpu
