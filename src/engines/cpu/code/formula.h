#pragma once
// formula: arithmetic on the values of a kernel that is being written, so that functions read as formulas.
#include <algorithm>
#include <concepts>
#include <initializer_list>
#include <limits>
#include <vector>

#include "engines/cpu/code/code.h"

namespace baton::cpu {

/// A value of the code. A number beside one takes its dtype.
struct Value {
  Coder* coder;
  int id;
  Dtype dtype() const { return coder->at(id).dtype; }
};

template <class T>
concept Number = std::integral<T> || std::floating_point<T>;

inline Value like(Value, Value y) { return y; }
template <Number T>
Value like(Value x, T y) {
  const Dtype d = x.dtype();
  Coder& c = *x.coder;
  return {&c,
          is_inexact(d) ? c.constant(d, static_cast<double>(y)) : c.integer(static_cast<std::int64_t>(y), d)};
}

inline Value apply(Do what, Dtype d, Value x) { return {x.coder, x.coder->emit(what, d, {x.id, -1, -1})}; }
inline Value apply(Do what, Dtype d, Value x, Value y) {
  return {x.coder, x.coder->emit(what, d, {x.id, y.id, -1})};
}
inline Value apply(Do what, Value x) { return apply(what, x.dtype(), x); }
template <class Y>
Value apply(Do what, Value x, Y y) {
  return apply(what, x.dtype(), x, like(x, y));
}

template <class Y>
Value operator+(Value x, Y y) {
  return apply(Do::add, x, y);
}
template <class Y>
Value operator-(Value x, Y y) {
  return apply(Do::sub, x, y);
}
template <class Y>
Value operator*(Value x, Y y) {
  return apply(Do::mul, x, y);
}
template <class Y>
Value operator/(Value x, Y y) {
  return apply(Do::div, x, y);
}
template <Number X>
Value operator+(X x, Value y) {
  return like(y, x) + y;
}
template <Number X>
Value operator-(X x, Value y) {
  return like(y, x) - y;
}
template <Number X>
Value operator*(X x, Value y) {
  return like(y, x) * y;
}
template <Number X>
Value operator/(X x, Value y) {
  return like(y, x) / y;
}
inline Value operator-(Value x) { return apply(Do::neg, x); }
template <class Y>
Value operator&(Value x, Y y) {
  return apply(Do::bit_and, x, y);
}
template <class Y>
Value operator|(Value x, Y y) {
  return apply(Do::bit_or, x, y);
}
template <class Y>
Value operator^(Value x, Y y) {
  return apply(Do::bit_xor, x, y);
}
inline Value operator<<(Value x, int by) { return apply(Do::shift_left, x, by); }

template <class Y>
Value operator<(Value x, Y y) {
  return apply(Do::lt, boolean, x, like(x, y));
}
template <class Y>
Value operator>(Value x, Y y) {
  return apply(Do::gt, boolean, x, like(x, y));
}
template <class Y>
Value operator>=(Value x, Y y) {
  return apply(Do::ge, boolean, x, like(x, y));
}
template <class Y>
Value equals(Value x, Y y) {
  return apply(Do::eq, boolean, x, like(x, y));
}
template <class Y>
Value differs(Value x, Y y) {
  return apply(Do::ne, boolean, x, like(x, y));
}
inline Value is_nan(Value x) { return differs(x, x); }

inline Value select(Value which, Value x, Value y) {
  return {x.coder, x.coder->emit(Do::select, x.dtype(), {which.id, x.id, y.id})};
}
template <Number X>
Value select(Value which, X x, Value y) {
  return select(which, like(y, x), y);
}
template <Number Y>
Value select(Value which, Value x, Y y) {
  return select(which, x, like(x, y));
}

template <class Y, class Z>
Value fma(Value x, Y y, Z z) {
  return {x.coder, x.coder->emit(Do::fma, x.dtype(), {x.id, like(x, y).id, like(x, z).id})};
}
inline Value abs(Value x) { return apply(Do::abs, x); }
inline Value sqrt(Value x) { return apply(Do::sqrt, x); }
inline Value floor(Value x) { return apply(Do::floor, x); }
inline Value nearest(Value x) { return apply(Do::nearest, x); }
/// x within [low, high]; NaN stays.
inline Value bounded(Value x, double low, double high) {
  return apply(Do::min, apply(Do::max, x, low), high);
}

inline Value as(Dtype d, Value x) { return x.dtype() == d ? x : apply(Do::convert, d, x); }
/// The bits of a float as an integer of its size, and back.
inline Value bits(Value x) { return apply(Do::bits, x.dtype() == f32 ? s32 : s64, x); }
inline Value from_bits(Value x) { return apply(Do::bits, x.dtype() == s32 ? f32 : f64, x); }

/// The polynomial with these coefficients, the constant one first.
inline Value polynomial(Value x, std::initializer_list<double> coefficients) {
  const double* end = coefficients.end();
  Value sum = like(x, *--end);
  while (end != coefficients.begin()) sum = fma(sum, x, *--end);
  return sum;
}

/// The bit of the sign alone.
inline Value sign_of(Value x) {
  return bits(x) & (x.dtype() == f32 ? std::int64_t{std::numeric_limits<std::int32_t>::min()}
                                     : std::numeric_limits<std::int64_t>::min());
}
/// `size`, which is not below 0, with the sign of x; and x, or -x where y is below 0. All of one dtype.
inline Value with_sign_of(Value x, Value size) { return from_bits(bits(size) | sign_of(x)); }
inline Value turned_by(Value y, Value x) { return from_bits(bits(x) ^ sign_of(y)); }

/// Where `rare` holds, what `other` makes of the values, in a loop that runs only if it holds in any lane;
/// else the first of the values as they are. `other` gets all of them, as the loop carries them.
template <class F>
std::vector<Value> unless_rare(Value rare, const std::vector<Value>& values, const F& other) {
  Coder& c = *rare.coder;
  int level = 0;
  for (Value v : values) level = std::max(level, c.level(v.id));
  const Coder::Outside outside(c, level);
  std::vector<int> carried;
  for (Value v : values) carried.push_back(c.at(rare.id).wide ? c.wide(v.id) : v.id);
  const int rounds = c.emit(Do::convert, s64, {c.emit(Do::any, boolean, false, {rare.id, -1, -1}), -1, -1});
  const Coder::Opened loop = c.open(c.integer(0), rounds, 1, carried);
  std::vector<Value> inside;
  for (int v : loop.inside) inside.push_back({&c, v});
  std::vector<int> next = loop.inside;
  const std::vector<Value> others = other(inside);
  for (std::size_t k = 0; k < others.size(); ++k) next[k] = select(rare, others[k], inside[k]).id;
  next = c.close(next);
  std::vector<Value> results;
  for (std::size_t k = 0; k < others.size(); ++k) results.push_back({&c, next[k]});
  return results;
}

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double ln2 = 0.6931471805599453;
inline constexpr double ln2_high = 0.693145751953125,
                        ln2_low = 1.4286068203094172e-06;  // n ln2_high is exact
inline constexpr double log2_of_e = 1.4426950408889634;
inline constexpr double pi = 3.141592653589793;

inline constexpr double as_itself = 1.0 / (1 << 14);  // functions like x + x^3 / 6 are x below it, to 2^-30

/// Added to an f64 and taken away again it leaves the nearest integer, in the last bits while it is there.
inline constexpr double to_whole = 6755399441055744.0;  // 1.5 * 2^52

}  // namespace baton::cpu
