// elementwise: functions of one operand, and choices between operands.
#include "numpy/common.h"

namespace baton {
namespace {

using namespace numpy;

template <class F>
Array unary(Operand x, F op) {
  const Frame frame(x.where());
  return op(floating(x));
}
/// Roundings leave integers and bool as they are.
template <class F>
Array rounding(Operand x, F op) {
  const Frame frame(x.where());
  const Array a = x.array();
  return is_inexact(a.dtype()) ? op(a) : a;
}
/// log(x) in another base: the constant is rounded once. Of complex numbers both parts are scaled: a product
/// with a complex constant would make NaN of infinite ones.
Array scaled_log(Operand x, double factor) {
  return unary(x, [&](const Array& a) -> Array {
    const Array y = lax::log(a);
    if (!is_complex(y.dtype())) return lax::mul(y, factor);
    const Array re = lax::mul(lax::real(y), factor);
    return lax::complex(re, lax::mul(lax::imag(y), factor));
  });
}

}  // namespace

#define BATON_UNARY(name) \
  Array name(Operand x) { return unary(x, lax::name); }
BATON_UNARY(exp)
BATON_UNARY(exp2)
BATON_UNARY(expm1)
BATON_UNARY(log)
BATON_UNARY(log1p)
BATON_UNARY(sqrt)
BATON_UNARY(rsqrt)
BATON_UNARY(cbrt)
BATON_UNARY(sin)
BATON_UNARY(cos)
BATON_UNARY(tan)
BATON_UNARY(asin)
BATON_UNARY(acos)
BATON_UNARY(atan)
BATON_UNARY(sinh)
BATON_UNARY(cosh)
BATON_UNARY(tanh)
BATON_UNARY(asinh)
BATON_UNARY(acosh)
BATON_UNARY(atanh)
BATON_UNARY(erf)
BATON_UNARY(erfc)
BATON_UNARY(erf_inv)
BATON_UNARY(lgamma)
BATON_UNARY(digamma)
#undef BATON_UNARY
Array log2(Operand x) { return scaled_log(x, 1.4426950408889634074); }
Array log10(Operand x) { return scaled_log(x, 0.43429448190325182765); }
Array reciprocal(Operand x) {
  return unary(x, [](const Array& a) -> Array { return lax::integer_pow(a, -1); });
}

Array negative(Operand x) {
  const Frame frame(x.where());
  const Array a = x.array();
  if (a.dtype() == boolean)
    type_error("negative", "numbers are required, found " + show(a.type()) + ".\n  Use logical_not.");
  return lax::neg(a);
}
Array abs(Operand x) {
  const Frame frame(x.where());
  const Array a = x.array();
  return a.dtype() == boolean || is_unsigned(a.dtype()) ? a : lax::abs(a);
}
Array sign(Operand x) {
  const Frame frame(x.where());
  return lax::sign(x);
}
Array square(Operand x) {
  const Frame frame(x.where());
  return lax::square(x);
}
Array logical_not(Operand x) {
  const Frame frame(x.where());
  return lax::bitwise_not(as(x, boolean));
}
Array bitwise_not(Operand x) {
  const Frame frame(x.where());
  return lax::bitwise_not(x);
}

Array floor(Operand x) { return rounding(x, lax::floor); }
Array ceil(Operand x) { return rounding(x, lax::ceil); }
Array trunc(Operand x) {
  return rounding(x, [](const Array& a) -> Array {
    const Array down = lax::floor(a), up = lax::ceil(a);
    return lax::select(lax::lt(a, lax::full_like(a, 0)), up, down);
  });
}
namespace {
/// An integer rounded to a multiple of 10^places, halves to the even multiple.
Array rounded_integer(const Array& a, int places) {
  const double most =
      std::ldexp(1.0, static_cast<int>(8 * size_of(a.dtype())) - (is_signed(a.dtype()) ? 1 : 0));
  if (a.dtype() == boolean || std::pow(10.0, places) >= most) return lax::full_like(a, 0);
  std::int64_t unit = 1;
  for (int k = 0; k < places; ++k) unit *= 10;
  const Array units = lax::full_like(a, unit), quotient = floor_divide(a, units);
  const Array rest = lax::sub(a, lax::mul(quotient, units)), other = lax::sub(units, rest);
  const Array odd = lax::ne(lax::bitwise_and(quotient, lax::full_like(a, 1)), lax::full_like(a, 0));
  const Array tie = lax::bitwise_and(lax::eq(rest, other), odd);
  const Array up = lax::bitwise_or(lax::gt(rest, other), tie);
  return lax::mul(lax::add(quotient, to(up, a.dtype())), units);
}
}  // namespace
Array round(Operand x, int decimals) {
  const Frame frame(x.where());
  const Array a = x.array();
  const auto even = lax::Rounding::to_nearest_even;
  if (is_complex(a.dtype())) {
    const Array re = round(lax::real(a), decimals);
    return lax::complex(re, round(lax::imag(a), decimals));
  }
  if (!is_inexact(a.dtype())) return decimals >= 0 ? a : rounded_integer(a, -decimals);
  if (decimals == 0) return lax::round(a, even);
  const double factor = std::pow(10.0, decimals);
  // Half precision has no room for the factor.
  const bool half = size_of(a.dtype()) == 2;
  const Array scaled = lax::round(lax::mul(half ? to(a, f32) : a, factor), even);
  if (decimals < 0 && factor < (size_of(a.dtype()) == 8 ? 0x1p-1022 : 0x1p-126)) return lax::mul(a, 0.0);
  // Where the product overflows there are no such decimals to round.
  const Array result = to(lax::div(scaled, factor), a.dtype());
  return lax::select(lax::is_finite(scaled), result, lax::stop_gradient(a));
}

namespace {
Array parts_say(const Array& a, Array (*test)(const Array&)) {
  const Array re = test(lax::real(a)), im = test(lax::imag(a));
  return lax::bitwise_or(re, im);
}
Array nan_test(const Array& a) {
  if (is_complex(a.dtype())) return parts_say(a, nan_test);
  return is_inexact(a.dtype()) ? lax::ne(a, a) : full(a.shape(), false);
}
Array inf_test(const Array& a) {
  if (is_complex(a.dtype())) return parts_say(a, inf_test);
  if (!is_inexact(a.dtype())) return full(a.shape(), false);
  return lax::eq(lax::abs(a), std::numeric_limits<double>::infinity());
}
}  // namespace

Array isnan(Operand x) {
  const Frame frame(x.where());
  return nan_test(x.array());
}
Array isinf(Operand x) {
  const Frame frame(x.where());
  return inf_test(x.array());
}
Array isfinite(Operand x) {
  const Frame frame(x.where());
  const Array a = x.array();
  if (is_complex(a.dtype())) {
    const Array re = lax::is_finite(lax::real(a)), im = lax::is_finite(lax::imag(a));
    return lax::bitwise_and(re, im);
  }
  return is_inexact(a.dtype()) ? lax::is_finite(a) : full(a.shape(), true);
}

Array real(Operand x) {
  const Frame frame(x.where());
  const Array a = x.array();
  return is_complex(a.dtype()) ? lax::real(a) : a;
}
Array imag(Operand x) {
  const Frame frame(x.where());
  const Array a = x.array();
  return is_complex(a.dtype()) ? lax::imag(a) : lax::full_like(a, 0);
}
Array conj(Operand x) {
  const Frame frame(x.where());
  const Array a = x.array();
  return is_complex(a.dtype()) ? lax::conj(a) : a;
}
Array astype(Operand x, Dtype dtype) {
  const Frame frame(x.where());
  return to(x.array(), dtype);
}

Array where(Operand condition, Operand x, Operand y) {
  const Frame frame(condition.where());
  const Array mask = as(condition, boolean);
  const Operand both[] = {x, y};
  const Dtype d = common_dtype(both);
  const Array a = as(x, d), b = as(y, d);
  const Shape shapes[] = {mask.shape(), a.shape(), b.shape()};
  const Shape shape = common_shape("where", shapes);
  const Array which = broadcast(mask, shape), on_true = broadcast(a, shape), on_false = broadcast(b, shape);
  return lax::select(which, on_true, on_false);
}

Array clip(Operand x, std::optional<Operand> low, std::optional<Operand> high) {
  const Frame frame(x.where());
  Array a = x.array();
  if (is_complex(a.dtype())) type_error("clip", "real operands are required, found " + show(a.type()) + ".");
  if (low) a = maximum(a, *low);
  if (high) a = minimum(a, *high);
  return a;
}

Array nan_to_num(Operand x, const NanToNum& options) {
  const Frame frame(x.where());
  const Array a = x.array();
  if (!is_inexact(a.dtype())) return a;
  if (is_complex(a.dtype())) {
    const Array re = nan_to_num(lax::real(a), options), im = nan_to_num(lax::imag(a), options);
    return lax::complex(re, im);
  }
  const double most = largest_finite(a.dtype()), inf = std::numeric_limits<double>::infinity();
  const Array numbers = where(nan_test(a), options.nan, a);
  const Array below = where(lax::eq(numbers, lax::full_like(a, inf)), options.posinf.value_or(most), numbers);
  return where(lax::eq(below, lax::full_like(a, -inf)), options.neginf.value_or(-most), below);
}

Array isclose(Operand x, Operand y, double rtol, double atol) {
  const Frame frame(x.where());
  const auto [a, b] = aligned_inexact("isclose", x, y);
  const Array distance = lax::abs(lax::sub(a, b)), size = lax::abs(b);
  const Array near = lax::le(distance, lax::add(lax::mul(size, rtol), atol));
  const Array finite_a = isfinite(a), finite_b = isfinite(b);
  const Array comparable = lax::bitwise_and(near, lax::bitwise_and(finite_a, finite_b));
  return lax::bitwise_or(comparable, lax::eq(a, b));
}
Array allclose(Operand x, Operand y, double rtol, double atol) {
  const Frame frame(x.where());
  return all(isclose(x, y, rtol, atol));
}

}  // namespace baton
