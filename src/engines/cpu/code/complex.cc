// complex: of parts of f32 products, quotients and functions are computed in f64, where nothing overflows or
// cancels that matters to a result of f32. Parts of f64 are scaled by powers of two on the way.
#include "engines/cpu/code/complex.h"

#include "engines/cpu/code/formulas.h"

namespace baton::cpu {
namespace {

struct Complex {
  Value re, im;
};

bool is_single(Complex z) { return z.re.dtype() == f32; }
Complex widened(Complex z) { return {as(f64, z.re), as(f64, z.im)}; }
Complex narrowed(Dtype d, Complex z) { return {as(d, z.re), as(d, z.im)}; }
Complex operator*(Complex z, Value by) { return {z.re * by, z.im * by}; }
Complex select(Value which, Complex x, Complex y) {
  return {select(which, x.re, y.re), select(which, x.im, y.im)};
}
Value is_infinite(Value x) { return equals(abs(x), infinity); }
Value is_infinite(Complex z) { return is_infinite(z.re) | is_infinite(z.im); }
Value is_finite(Complex z) { return (abs(z.re) < infinity) & (abs(z.im) < infinity); }
/// The size of `value` with the sign of x.
Value signed_as(Value x, Value value) { return with_sign_of(x, abs(value)); }
// As C99, Annex G, has it where a product or quotient is NaN and an operand was infinite:
/// Infinite parts as 1, others as 0, or others as they are but for NaN, which is 0; with their signs.
Complex ends(Complex z) {
  const auto end = [](Value x) { return signed_as(x, select(is_infinite(x), 1, like(x, 0))); };
  return {end(z.re), end(z.im)};
}
Complex numbers(Complex z) {
  const auto number = [](Value x) { return select(is_nan(x), signed_as(x, like(x, 0)), x); };
  return {number(z.re), number(z.im)};
}

/// z times `by` twice, with parts whose products with one another neither overflow nor vanish; `back` undoes
/// `by`. Parts that were f32 are such already.
struct Scaled {
  Complex z;
  Value by, back;
};
Scaled scaled(Complex z, bool single) {
  if (single) return {z, like(z.re, 1), like(z.re, 1)};
  const auto finite = [](Value x) { return select(is_infinite(x), 0, abs(x)); };
  const Value size = apply(Do::max, finite(z.re), finite(z.im));
  const Value large = size > 0x1p500, small = size < 0x1p-500;
  const Value by = select(large, 0x1p-350, select(small, 0x1p350, like(size, 1)));
  return {z * by * by, by, 1 / by};
}

/// Where both parts of a result are NaN, which is rare, that of `other`: in a loop that runs only then.
template <class F>
Complex unless_nan(Complex result, Complex x, Complex y, const F& other) {
  const std::vector<Value> found =
      unless_rare(is_nan(result.re) & is_nan(result.im), {result.re, result.im, x.re, x.im, y.re, y.im},
                  [&](const std::vector<Value>& v) {
                    const Complex made = other(Complex{v[2], v[3]}, Complex{v[4], v[5]});
                    return std::vector<Value>{made.re, made.im};
                  });
  return {found[0], found[1]};
}

Complex plain_product(Complex x, Complex y) {
  return {fma(x.re, y.re, -(x.im * y.im)), fma(x.re, y.im, x.im * y.re)};
}

Complex product(Complex x, Complex y) {
  const Dtype d = x.re.dtype();
  const bool single = is_single(x);
  const Scaled a = scaled(widened(x), single), b = scaled(widened(y), single);
  const Value back = a.back * b.back;
  const Complex result = plain_product(a.z, b.z) * back * back;
  return narrowed(d, unless_nan(result, a.z, b.z, [&](Complex p, Complex q) {
                    const Value p_ends = is_infinite(p), q_ends = is_infinite(q);
                    const Complex left = select(p_ends, ends(p), select(q_ends, numbers(p), p));
                    const Complex right = select(q_ends, ends(q), select(p_ends, numbers(q), q));
                    const Value end = select(p_ends | q_ends, infinity, like(p.re, nan));
                    return plain_product(left, right) * end;
                  }));
}

/// x times the conjugate of y.
Complex turned(Complex x, Complex y) {
  return {fma(x.re, y.re, x.im * y.im), fma(x.im, y.re, -(x.re * y.im))};
}

Complex quotient(Complex x, Complex y) {
  const Dtype d = x.re.dtype();
  const bool single = is_single(x);
  const Scaled a = scaled(widened(x), single), b = scaled(widened(y), single);
  const Value size = fma(b.z.re, b.z.re, b.z.im * b.z.im), back = a.back * b.by;
  const Complex above = turned(a.z, b.z);
  const Complex result = Complex{above.re / size, above.im / size} * back * back;
  return narrowed(
      d, unless_nan(result, a.z, b.z, [&](Complex p, Complex q) {
        const Value by_zero = equals(q.re, 0) & equals(q.im, 0);
        const Value ends_above = is_infinite(p) & is_finite(q), ends_below = is_infinite(q) & is_finite(p);
        const Complex over_zero = p * signed_as(q.re, like(q.re, infinity));
        const Complex over = turned(select(ends_above, ends(p), p), select(ends_below, ends(q), q)) *
                             select(ends_above, infinity, select(ends_below, 0, like(p.re, nan)));
        return select(by_zero, over_zero, over);
      }));
}

Value size_of(Complex z) {
  const Scaled s = scaled(widened(z), is_single(z));
  const Value size = sqrt(fma(s.z.re, s.z.re, s.z.im * s.z.im)) * s.back * s.back;
  return as(z.re.dtype(), select(is_infinite(z), infinity, size));
}

/// e^x (cos y + i sin y). Of f64 in two halves, as e^x alone may overflow.
Complex exponential(Complex z) {
  const Value edge = is_infinite(z.re) & differs(z.im - z.im, 0), none = z.re < 0;
  Complex result = z;
  if (is_single(z)) {
    const Value size = exp64(as(f64, bounded(z.re, -250, 250)));
    const Value angle = as(f64, z.im);
    result = narrowed(f32, {size * cos64(angle), size * sin64(angle)});
  } else {
    const Value half = apply(Do::exp, z.re * 0.5);
    result = {apply(Do::cos, z.im) * half * half, apply(Do::sin, z.im) * half * half};
  }
  result = {select(edge, select(none, 0, like(z.re, infinity)), result.re),
            select(edge & none, 0, select(equals(z.im, 0), z.im, result.im))};
  return result;
}

/// log |z| and the angle. Near 1 |z|^2 - 1 is (m - 1) (m + 1) + n^2, with m the larger part.
Complex logarithm(Complex z) {
  const Value x = abs(z.re), y = abs(z.im);
  const Value m = apply(Do::max, x, y), n = apply(Do::min, x, y);
  Value size = m;
  if (is_single(z)) {
    const Value a = as(f64, m), b = as(f64, n), near = fma(a - 1, a + 1, b * b);
    size = as(f32, log64(fma(a, a, b * b), near) * 0.5);
  } else {
    const Value close = (m > 0.5) & (m < 2), q = n / m, near = fma(m - 1, m + 1, n * n);
    const Value part = apply(Do::log1p, select(close, near, q * q)) * 0.5;
    size = part + select(close, 0, apply(Do::log, m));
  }
  const Value ends = is_infinite(z);
  size = select(is_nan(x) | is_nan(y), nan, select(equals(m, 0), -infinity, size));
  const Value angle = is_single(z) ? atan2(z.im, z.re) : apply(Do::atan2, z.im, z.re);
  return {select(ends, infinity, size), angle};
}

/// t = sqrt((|z| + |x|) / 2) is one part, y / 2t the other.
Complex root(Complex given) {
  const Complex z = widened(given);
  const Value size = size_of(z), t = sqrt(fma(size, 0.5, abs(z.re) * 0.5));
  const Value ends = is_infinite(z.im), longer = select(ends, infinity, t);
  const Value shorter = select(ends | equals(t, 0), z.im, z.im / (t + t));
  const Value left = z.re < 0;
  return narrowed(given.re.dtype(),
                  {select(left, abs(shorter), longer), select(left, signed_as(z.im, longer), shorter)});
}

Pair pair(Complex z) { return {z.re.id, z.im.id}; }

}  // namespace

Pair complex_value(Coder& c, Do what, Dtype d, Pair first, Pair second) {
  const auto given = [&](Pair p) {  // a real number has an imaginary part of 0
    const Value re{&c, p.real};
    return Complex{re, p.imaginary >= 0 || p.real < 0 ? Value{&c, p.imaginary} : like(re, 0)};
  };
  const Complex x = given(first), y = given(second);
  switch (what) {
    case Do::add:
      return pair({x.re + y.re, x.im + y.im});
    case Do::sub:
      return pair({x.re - y.re, x.im - y.im});
    case Do::mul:
      return pair(product(x, y));
    case Do::div:
      return pair(quotient(x, y));
    case Do::neg:
      return pair({-x.re, -x.im});
    case Do::abs:
      return {size_of(x).id, -1};
    case Do::eq:
      return {(equals(x.re, y.re) & equals(x.im, y.im)).id, -1};
    case Do::ne:
      return {(differs(x.re, y.re) | differs(x.im, y.im)).id, -1};
    case Do::convert:
      if (!is_complex(d)) return {as(d, x.re).id, -1};
      return pair({as(real_of(d), x.re), as(real_of(d), x.im)});
    case Do::sqrt:
      return pair(root(x));
    case Do::exp:
      return pair(exponential(x));
    case Do::log:
      return pair(logarithm(x));
    default:
      return {};
  }
}

}  // namespace baton::cpu
