// functions: each reduces its argument to a small range around zero, where a polynomial with the least
// largest relative error (found by the exchange algorithm of Remez, coefficients rounded to f32) is enough.
#include "engines/cpu/code/functions.h"

#include <limits>

namespace baton::cpu {
namespace {

/// Arithmetic on f32 and on its bits, written as formulas.
class Float {
 public:
  explicit Float(Coder& c) : c_(c) {}
  int k(double value) { return c_.constant(f32, value); }
  int i(std::int64_t value) { return c_.integer(value, s32); }
  int op(Do what, int x, int y) { return c_.emit(what, f32, {x, y, -1}); }
  int add(int x, int y) { return op(Do::add, x, y); }
  int sub(int x, int y) { return op(Do::sub, x, y); }
  int mul(int x, int y) { return op(Do::mul, x, y); }
  int div(int x, int y) { return op(Do::div, x, y); }
  int fma(int x, int y, int z) { return c_.emit(Do::fma, f32, {x, y, z}); }
  int one(Do what, int x) { return c_.emit(what, f32, {x, -1, -1}); }
  int test(Do what, int x, int y) { return c_.emit(what, boolean, {x, y, -1}); }
  int select(int which, int x, int y) { return c_.emit(Do::select, c_.at(x).dtype, {which, x, y}); }
  int bits_of(int x) { return c_.emit(Do::bits, s32, {x, -1, -1}); }
  int from_bits(int x) { return c_.emit(Do::bits, f32, {x, -1, -1}); }
  int whole(int x) { return c_.emit(Do::convert, s32, {x, -1, -1}); }
  int real(int x) { return c_.emit(Do::convert, f32, {x, -1, -1}); }
  int integer(Do what, int x, int y) { return c_.emit(what, s32, {x, y, -1}); }
  /// The polynomial with these coefficients, the constant one first.
  int polynomial(int x, std::initializer_list<double> coefficients) {
    const double* end = coefficients.end();
    int sum = k(*--end);
    while (end != coefficients.begin()) sum = fma(sum, x, k(*--end));
    return sum;
  }
  /// x * 2^n for |n| <= 126.
  int scaled(int x, int n) {
    const int exponent = integer(Do::shift_left, integer(Do::add, n, i(127)), i(23));
    return mul(x, from_bits(exponent));
  }

 private:
  Coder& c_;
};

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double log2_of_e = 1.4426950408889634;
constexpr double ln2_high = 0.693145751953125, ln2_low = 1.4286068203094172e-06;  // n * ln2_high is exact

/// exp(x) - 1 for |x| <= ln(2) / 2.
int exp_less_one(Float& f, int r) {
  const int p = f.polynomial(r, {0.4999999403953552, 0.1666652113199234, 0.04166838899254799,
                                 0.008368710055947304, 0.001381461275741458});
  return f.fma(f.mul(r, r), p, r);
}

}  // namespace

/// x = n ln 2 + r. The power of two is multiplied in two halves, so that the largest and the smallest results
/// are rounded once.
int exp(Coder& c, int x) {
  Float f(c);
  const int bounded = f.op(Do::min, f.op(Do::max, x, f.k(-104)), f.k(89));  // NaN stays
  const int n = f.one(Do::nearest, f.mul(bounded, f.k(log2_of_e)));
  const int r = f.fma(n, f.k(-ln2_low), f.fma(n, f.k(-ln2_high), bounded));
  const int e = f.add(exp_less_one(f, r), f.k(1));
  const int whole = f.whole(f.select(f.test(Do::eq, x, x), n, f.k(0)));
  const int half = f.integer(Do::shift_right_arithmetic, whole, f.i(1));
  return f.scaled(f.scaled(e, half), f.integer(Do::sub, whole, half));
}

/// x = m 2^e with m between sqrt(1/2) and sqrt(2): log x = e ln 2 + log m.
int log(Coder& c, int x) {
  Float f(c);
  const int small = f.test(Do::lt, x, f.k(1.17549435e-38));
  const int normal = f.select(small, f.mul(x, f.k(8388608)), x);
  const int bits = f.bits_of(normal);
  // The bits above those of sqrt(1/2), in steps of one power of two.
  const int above = f.integer(Do::sub, bits, f.i(0x3f3504f3));
  const int power = f.integer(Do::shift_right_arithmetic, above, f.i(23));
  const int m = f.from_bits(f.integer(Do::sub, bits, f.integer(Do::shift_left, power, f.i(23))));
  const int e = f.sub(f.real(power), f.select(small, f.k(23), f.k(0)));
  const int r = f.sub(m, f.k(1));
  const int p = f.polynomial(r, {0.3333331346511841, -0.25000008940696716, 0.2000211924314499,
                                 -0.1666799634695053, 0.14219552278518677, -0.1240558847784996,
                                 0.11888159066438675, -0.11675654351711273, 0.06746651232242584});
  const int square = f.mul(r, r);
  const int tail = f.fma(f.mul(square, r), p, f.fma(e, f.k(ln2_low), f.mul(square, f.k(-0.5))));
  const int value = f.fma(e, f.k(ln2_high), f.add(tail, r));
  const int finite =
      f.select(f.test(Do::lt, x, f.k(infinity)), value, x);  // infinity and NaN are their own logarithm
  const int positive =
      f.select(f.test(Do::lt, x, f.k(0)), f.k(std::numeric_limits<double>::quiet_NaN()), finite);
  return f.select(f.test(Do::eq, x, f.k(0)), f.k(-infinity), positive);
}

/// Near zero a polynomial; elsewhere 1 - 2 / (exp(2 |x|) + 1), with the sign of x.
int tanh(Coder& c, int x) {
  Float f(c);
  const int size = f.one(Do::abs, x);
  const int u = f.mul(x, x);
  const int p = f.polynomial(u, {-0.3333333134651184, 0.13333210349082947, -0.05394720286130905,
                                 0.021702969446778297, -0.008182677440345287, 0.0021475397516041994});
  const int near = f.fma(f.mul(u, x), p, x);
  const int e = exp(c, f.add(size, size));
  const int away = f.sub(f.k(1), f.div(f.k(2), f.add(e, f.k(1))));
  const int sign = f.integer(Do::bit_and, f.bits_of(x), f.i(INT32_MIN));
  const int signed_away = f.from_bits(f.integer(Do::bit_or, f.bits_of(away), sign));
  return f.select(f.test(Do::lt, size, f.k(0.625)), near, signed_away);
}

/// By e = exp(-|x|), which is never infinite: 1 / (1 + e), or e / (1 + e) where x is negative.
int logistic(Coder& c, int x) {
  Float f(c);
  const int e = exp(c, f.one(Do::neg, f.one(Do::abs, x)));
  return f.div(f.select(f.test(Do::lt, x, f.k(0)), e, f.k(1)), f.add(f.k(1), e));
}

}  // namespace baton::cpu
