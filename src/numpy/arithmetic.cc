// arithmetic: operators and elementwise functions of two operands.
#include "numpy/common.h"

namespace baton {
namespace {

using namespace numpy;

using Binary = Array (*)(Operand, Operand);

/// An operation of lax on what was broadcast and promoted. Bool operands take `logic`, as in numpy.
Array binary(std::string_view name, Binary op, Operand x, Operand y, Binary logic = nullptr) {
  const Frame frame(x.where());
  const auto [a, b] = aligned(name, x, y);
  return a.dtype() == boolean && logic ? logic(a, b) : op(a, b);
}
Array inexact_binary(std::string_view name, Binary op, Operand x, Operand y) {
  const Frame frame(x.where());
  const auto [a, b] = aligned_inexact(name, x, y);
  return op(a, b);
}
Array logical(std::string_view name, Binary op, Operand x, Operand y) {
  const Frame frame(x.where());
  const Array a = as(x, boolean), b = as(y, boolean);
  return binary(name, op, a, b);
}
Array no_bool(Operand x, Operand) {
  type_error("subtract", "numbers are required, found " + show(x.array().type()) +
                             ".\n  Use logical_xor, or convert with astype.");
}
void require_real(std::string_view name, const Array& x) {
  if (is_complex(x.dtype())) type_error(name, "real operands are required, found " + show(x.type()) + ".");
}
Array zero(const Array& like) { return lax::full_like(like, 0); }
Array has_sign(const Array& x) { return lax::lt(x, zero(x)); }

}  // namespace

Array add(Operand x, Operand y) { return binary("add", lax::add, x, y, lax::bitwise_or); }
Array subtract(Operand x, Operand y) { return binary("subtract", lax::sub, x, y, no_bool); }
Array multiply(Operand x, Operand y) { return binary("multiply", lax::mul, x, y, lax::bitwise_and); }
Array divide(Operand x, Operand y) { return inexact_binary("divide", lax::div, x, y); }
Array maximum(Operand x, Operand y) { return binary("maximum", lax::max, x, y); }
Array minimum(Operand x, Operand y) { return binary("minimum", lax::min, x, y); }
Array atan2(Operand x, Operand y) { return inexact_binary("atan2", lax::atan2, x, y); }
Array equal(Operand x, Operand y) { return binary("equal", lax::eq, x, y); }
Array not_equal(Operand x, Operand y) { return binary("not_equal", lax::ne, x, y); }
Array less(Operand x, Operand y) { return binary("less", lax::lt, x, y); }
Array less_equal(Operand x, Operand y) { return binary("less_equal", lax::le, x, y); }
Array greater(Operand x, Operand y) { return binary("greater", lax::gt, x, y); }
Array greater_equal(Operand x, Operand y) { return binary("greater_equal", lax::ge, x, y); }
Array logical_and(Operand x, Operand y) { return logical("logical_and", lax::bitwise_and, x, y); }
Array logical_or(Operand x, Operand y) { return logical("logical_or", lax::bitwise_or, x, y); }
Array logical_xor(Operand x, Operand y) { return logical("logical_xor", lax::bitwise_xor, x, y); }
Array bitwise_and(Operand x, Operand y) { return binary("bitwise_and", lax::bitwise_and, x, y); }
Array bitwise_or(Operand x, Operand y) { return binary("bitwise_or", lax::bitwise_or, x, y); }
Array bitwise_xor(Operand x, Operand y) { return binary("bitwise_xor", lax::bitwise_xor, x, y); }
Array left_shift(Operand x, Operand y) { return binary("left_shift", lax::shift_left, x, y); }
Array right_shift(Operand x, Operand y) {
  const Frame frame(x.where());
  const auto [a, b] = aligned("right_shift", x, y);
  return is_unsigned(a.dtype()) ? lax::shift_right_logical(a, b) : lax::shift_right_arithmetic(a, b);
}

Array remainder(Operand x, Operand y) {
  const Frame frame(x.where());
  const auto [a, b] = aligned("remainder", x, y);
  require_real("remainder", a);
  const Array rest = lax::rem(a, b);
  if (is_unsigned(a.dtype())) return rest;
  const Array rest_sign = has_sign(rest), divisor_sign = has_sign(b);
  const Array differ = lax::ne(rest_sign, divisor_sign), some = lax::ne(rest, zero(rest));
  const Array moved = lax::add(rest, b);
  return lax::select(lax::bitwise_and(differ, some), moved, rest);
}
Array mod(Operand x, Operand y) { return remainder(x, y); }
Array fmod(Operand x, Operand y) { return binary("fmod", lax::rem, x, y); }

Array floor_divide(Operand x, Operand y) {
  const Frame frame(x.where());
  const auto [a, b] = aligned("floor_divide", x, y);
  require_real("floor_divide", a);
  const Array rest = lax::rem(a, b);
  if (is_unsigned(a.dtype())) return lax::div(a, b);
  const Array rest_sign = has_sign(rest), divisor_sign = has_sign(b);
  const Array differ = lax::ne(rest_sign, divisor_sign), some = lax::ne(rest, zero(rest));
  const Array below = lax::bitwise_and(differ, some);
  // Of floating numbers, x - rest is a multiple of y up to rounding: the quotient is rounded to the integer
  // it is.
  const Array quotient = is_integer(a.dtype()) ? lax::div(a, b) : lax::div(lax::sub(a, rest), b);
  const Array result = lax::select(below, lax::sub(quotient, 1), quotient);
  if (is_integer(a.dtype())) return result;
  // By zero it is what division gives: there is no rest.
  const Array whole = lax::round(result, lax::Rounding::to_nearest_even);
  return lax::select(lax::eq(b, zero(b)), lax::div(a, b), whole);
}

Array power(Operand x, Operand y) {
  const Frame frame(x.where());
  if (const auto n = y.integer();
      n && x.is_array() && x.dtype() != boolean && *n >= INT32_MIN && *n <= INT32_MAX) {
    if (*n < 0 && is_integer(x.dtype()))
      type_error("power", "integers take no negative exponents, found " + show(x.array().type()) + " and " +
                              std::to_string(*n) + ".\n  Use a floating base: astype(x, f32).");
    return lax::integer_pow(x, static_cast<int>(*n));
  }
  if (x.is_array() && y.is_array() && is_inexact(x.dtype()) && is_integer(y.dtype())) {
    const Array base = x.array(), exponent = y.array();
    const Shape shapes[] = {base.shape(), exponent.shape()};
    const Shape shape = common_shape("power", shapes);
    const Array a = broadcast(base, shape);
    return lax::pow(a, broadcast(exponent, shape));
  }
  const Operand both[] = {x, y};
  if (const Dtype d = common_dtype(both); d == boolean) return power(as(x, s32), as(y, s32));
  const auto [a, b] = aligned("power", x, y);
  return lax::pow(a, b);
}

Array hypot(Operand x, Operand y) {
  const Frame frame(x.where());
  const auto [first, second] = aligned_inexact("hypot", x, y);
  require_real("hypot", first);
  const Array a = lax::abs(first), b = lax::abs(second);
  const Array most = lax::max(a, b), least = lax::min(a, b);
  const Array none = lax::eq(most, zero(most));
  const Array ratio = lax::div(least, lax::select(none, lax::full_like(most, 1), most));
  const Array length = lax::mul(most, lax::sqrt(lax::add(lax::square(ratio), 1)));
  const Array a_endless = isinf(a), b_endless = isinf(b);
  const Array endless = lax::bitwise_or(a_endless, b_endless);
  const Array finite = lax::select(none, most, length);
  return lax::select(endless, lax::full_like(length, std::numeric_limits<double>::infinity()), finite);
}

Array logaddexp(Operand x, Operand y) {
  const Frame frame(x.where());
  const auto [a, b] = aligned_inexact("logaddexp", x, y);
  require_real("logaddexp", a);
  // hi + log(1 + e^(lo - hi)), which has its derivatives where both are equal, too; two equal infinities
  // differ by 0.
  const Array first = lax::ge(a, b);
  const Array hi = lax::select(first, a, b), lo = lax::select(first, b, a);
  const Array same = lax::eq(a, b);
  const Array endless = lax::bitwise_and(same, isinf(a));
  const Array below = lax::select(endless, zero(a), lax::sub(lo, hi));
  return lax::add(hi, lax::log1p(lax::exp(below)));
}

Array copysign(Operand x, Operand y) {
  const Frame frame(x.where());
  const auto [a, b] = aligned_inexact("copysign", x, y);
  require_real("copysign", a);
  const Array magnitude = lax::abs(a);
  // 1 / -0 is -inf: the sign of zeros counts.
  const Array inverse = lax::div(lax::full_like(b, 1), b);
  const Array minus = lax::bitwise_or(has_sign(b), has_sign(inverse));
  return lax::select(minus, lax::neg(magnitude), magnitude);
}

Array heaviside(Operand x, Operand y) {
  const Frame frame(x.where());
  const auto [a, b] = aligned_inexact("heaviside", x, y);
  const Array at_zero = lax::eq(a, zero(a));
  const Array step = lax::select(lax::gt(a, zero(a)), lax::full_like(a, 1), zero(a));
  const Array known = lax::select(at_zero, b, step);
  return lax::select(lax::ne(a, a), a, known);
}

Array operator+(Operand x, Operand y) { return add(x, y); }
Array operator-(Operand x, Operand y) { return subtract(x, y); }
Array operator*(Operand x, Operand y) { return multiply(x, y); }
Array operator/(Operand x, Operand y) { return divide(x, y); }
Array operator<(Operand x, Operand y) { return less(x, y); }
Array operator<=(Operand x, Operand y) { return less_equal(x, y); }
Array operator>(Operand x, Operand y) { return greater(x, y); }
Array operator>=(Operand x, Operand y) { return greater_equal(x, y); }
Array operator-(Operand x) { return negative(x); }
Array& operator+=(Array& x, Operand y) { return x = add(Operand(x, y.where()), y); }
Array& operator-=(Array& x, Operand y) { return x = subtract(Operand(x, y.where()), y); }
Array& operator*=(Array& x, Operand y) { return x = multiply(Operand(x, y.where()), y); }
Array& operator/=(Array& x, Operand y) { return x = divide(Operand(x, y.where()), y); }

}  // namespace baton
