// check: element by element, complex numbers by parts.
#include "interop/stablehlo/check.h"

#include <cmath>

#include "base/element.h"
#include "base/text.h"

namespace baton::stablehlo {
namespace {

template <class T>
std::string shown(T x) {
  if constexpr (is_complex_v<T>)
    return "(" + show_real(x.real()) + "," + show_real(x.imag()) + ")";
  else if constexpr (is_half_v<T>)
    return show_real(static_cast<float>(x));
  else if constexpr (std::is_same_v<T, float>)
    return show_real(x);
  else if constexpr (std::is_floating_point_v<T>)
    return show_real(x);
  else
    return std::to_string(x);
}
template <class T>
double wide(T x) {
  if constexpr (is_half_v<T>)
    return static_cast<float>(x);
  else
    return static_cast<double>(x);
}

template <class T>
std::uint64_t bits_of(T x) {
  if constexpr (is_half_v<T>)
    return x.bits;
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(std::uint32_t, x);
  else
    return __builtin_bit_cast(std::uint64_t, x);
}
/// How many values of T lie between two numbers; the largest integer where one of them is not finite and they
/// differ.
template <class T>
std::uint64_t ulps(T f, T g) {
  const std::uint64_t a = bits_of(f), b = bits_of(g);
  const double x = wide(f), y = wide(g);
  if (a == b || (std::isnan(x) && std::isnan(y))) return 0;
  if (!std::isfinite(x) || !std::isfinite(y)) return ~std::uint64_t{0};
  const std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
  const std::uint64_t m = a & ~sign, n = b & ~sign;
  if ((a & sign) != (b & sign)) return m + n;
  return m > n ? m - n : n - m;
}
bool almost(double f, double g, double tolerance) {
  if (f == g) return true;
  if (std::isnan(f) || std::isnan(g)) return std::isnan(f) == std::isnan(g);
  if (!std::isfinite(f) || !std::isfinite(g)) return false;
  return std::fabs(f - g) <= tolerance;
}

template <class T>
bool holds(const Check& c, T x, T y) {
  if constexpr (is_complex_v<T>) {
    if (c.kind == Check::Kind::close) {
      const std::uint64_t d = std::max(ulps(x.real(), y.real()), ulps(x.imag(), y.imag()));
      return d >= c.min_ulp && d <= c.max_ulp;
    }
    if (c.kind == Check::Kind::almost_equal)
      return almost(x.real(), y.real(), c.tolerance) && almost(x.imag(), y.imag(), c.tolerance);
    return x == y;
  } else if constexpr (is_real_v<T>) {
    if (c.kind == Check::Kind::close) {
      const std::uint64_t d = ulps(x, y);
      return d >= c.min_ulp && d <= c.max_ulp;
    }
    if (c.kind == Check::Kind::almost_equal) return almost(wide(x), wide(y), c.tolerance);
    return wide(x) == wide(y);
  } else {
    return x == y;
  }
}

}  // namespace

std::optional<std::string> judge(const Check& check, const Array& actual, const Array& expected) {
  const std::string at = "check of line " + std::to_string(check.line) + ": ";
  if (actual.type() != expected.type())
    return at + show(expected.type()) + " is expected, found " + show(actual.type());
  std::optional<std::string> wrong;
  with_type(actual.dtype(), [&]<class T>(Tag<T>) {
    const T* x = static_cast<const T*>(actual.data());
    const T* y = static_cast<const T*>(expected.data());
    std::int64_t first = -1, count = 0;
    for (std::int64_t i = 0, n = actual.size(); i < n; ++i)
      if (!holds(check, x[i], y[i]) && count++ == 0) first = i;
    if (count > 0)
      wrong = at + std::to_string(count) + " of " + std::to_string(actual.size()) +
              " elements differ; element " + std::to_string(first) + " is " + shown(x[first]) +
              ", expected " + shown(y[first]);
  });
  return wrong;
}

}  // namespace baton::stablehlo
