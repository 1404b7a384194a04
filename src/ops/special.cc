// special: series, asymptotic series and continued fractions, chosen for being easy to check, not for speed.
#include "ops/special.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace baton::ops::special {
namespace {

using Real = long double;
constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr Real pi = std::numbers::pi_v<Real>;
constexpr Real tiny = 1e-22L;  // terms below this part of a sum do not change it

// B(2j) for j = 1..10
constexpr Real bernoulli[] = {1.0L / 6,       -1.0L / 30, 1.0L / 42,      -1.0L / 30,     5.0L / 66,
                              -691.0L / 2730, 7.0L / 6,   -3617.0L / 510, 43867.0L / 798, -174611.0L / 330};

bool whole(Real x) { return x == std::floor(x); }

/// lgamma(a) less (a - 1/2) log a - a + log(2 pi)/2, for a >= 20.
Real stirling_rest(Real a) {
  Real sum = 0, power = a;
  for (int j = 1; j <= 10; ++j, power *= a * a) sum += bernoulli[j - 1] / (2 * j * (2 * j - 1) * power);
  return sum;
}

/// x^a e^-x / Gamma(a + 1)
Real gamma_density(Real a, Real x) {
  if (a < 20) return std::exp(a * std::log(x) - x - lgamma(a + 1));
  const Real u = (x - a) / a;  // a log x - x is huge beside what is left after lgamma
  return std::exp(a * (std::log1p(u) - u) - stirling_rest(a)) / std::sqrt(2 * pi * a);
}

/// The lower function for x up to about a.
Real lower_series(Real a, Real x) {
  Real term = 1, sum = 1;
  for (Real k = 1; term > sum * tiny; ++k) sum += term *= x / (a + k);
  return sum * gamma_density(a, x);
}

/// The upper function for x above a, by Legendre's continued fraction from Lentz's algorithm.
Real upper_fraction(Real a, Real x) {
  Real b = x + 1 - a, c = infinity, d = 1 / b, h = d;
  for (Real k = 1; k < 1e6L; ++k) {
    const Real an = -k * (k - a);
    b += 2;
    d = 1 / (b + an * d);
    c = b + an / c;
    h *= c * d;
    if (std::fabs(c * d - 1) < 1e-19L) break;
  }
  return h * a * gamma_density(a, x);
}

/// The lower or upper function beyond any series: the normal law with its first correction (Temme), 1e-15
/// from a = 1e10 on.
Real normal(Real a, Real x, bool upper) {
  const Real u = (x - a) / a;
  const Real eta = (u < 0 ? -1 : 1) * std::sqrt(2 * std::fmax(u - std::log1p(u), Real(0)));
  const Real correction = std::fabs(u) < 1e-6L ? -1.0L / 3 : 1 / u - 1 / eta;
  const Real more = std::exp(-a * eta * eta / 2) / std::sqrt(2 * pi * a) * correction;
  const Real scaled = eta * std::sqrt(a / 2);
  return upper ? std::erfc(scaled) / 2 + more : std::erfc(-scaled) / 2 - more;
}

bool outside(Real a, Real x) { return !(a >= 0) || !(x >= 0) || (a == 0 && x == 0); }

/// ... where both functions have trivial values; they add to 1.
bool lower_is_trivial(Real a, Real x, Real& lower) {
  if (x == 0) return lower = 0, true;
  if (x == infinity || a == 0) return lower = 1, true;
  if (a == infinity) return lower = 0, true;
  return false;
}
constexpr Real beyond_series = 1e10L;

}  // namespace

long double lgamma(long double x) {
  int sign;
  return lgammal_r(x, &sign);  // std::lgamma writes a global
}

long double digamma(long double x) {
  if (x == -infinity || (x <= 0 && whole(x))) return nan;
  if (x < 0.5L) {  // reflection; only the part behind the point matters to the tangent
    const Real part = x - std::round(x);
    return digamma(1 - x) - pi / std::tan(pi * part);
  }
  Real below = 0;
  for (; x < 20; ++x) below -= 1 / x;
  Real sum = std::log(x) - 1 / (2 * x), power = x * x;
  for (int j = 1; j <= 10; ++j, power *= x * x) sum -= bernoulli[j - 1] / (2 * j * power);
  return below + sum;
}

long double zeta(long double s, long double q) {
  if (s == 1) return infinity;
  if (std::isnan(s) || std::isnan(q) || s < 1) return nan;
  if (q <= 0) {
    if (whole(q)) return std::fmod(s, Real(2)) == 0 ? infinity : nan;  // of an odd power the two sides differ
    if (!whole(s)) return nan;
    // The terms below 0 are those of two sums above 0.
    const Real part = q - std::floor(q), sign = std::fmod(s, Real(2)) == 0 ? 1 : -1;
    return zeta(s, part) + sign * (zeta(s, 1 - part) - zeta(s, 1 - q));
  }
  if (q == infinity || s == infinity) return q < 1 ? infinity : q == 1 ? 1 : 0;
  // Euler and Maclaurin: some terms, then the integral and its corrections.
  Real sum = 0;
  for (; q < std::fmax(Real(20), s); ++q) {
    const Real term = std::pow(q, -s);
    sum += term;
    if (term <= sum * tiny) return sum;
  }
  const Real term = std::pow(q, -s);
  sum += term * q / (s - 1) + term / 2;
  Real factor = s / q;  // s (s+1) ... (s+2j-2) / ((2j)! q^(2j-1))
  for (int j = 1; j <= 10; ++j) {
    factor /= j == 1 ? 2 : Real((2 * j - 1) * (2 * j));
    sum += bernoulli[j - 1] * factor * term;
    factor *= (s + 2 * j - 1) * (s + 2 * j) / (q * q);
  }
  return sum;
}

long double polygamma(long double n, long double x) {
  if (n == 0) return digamma(x);
  if (!(n > 0) || !whole(n)) return nan;
  return (std::fmod(n, Real(2)) == 0 ? -1 : 1) * std::exp(lgamma(n + 1)) * zeta(n + 1, x);
}

long double igamma(long double a, long double x) {
  Real lower;
  if (outside(a, x)) return nan;
  if (lower_is_trivial(a, x, lower)) return lower;
  if (a > beyond_series) return normal(a, x, false);
  return x < a + 1 ? lower_series(a, x) : 1 - upper_fraction(a, x);
}

long double igammac(long double a, long double x) {
  Real lower;
  if (outside(a, x)) return nan;
  if (lower_is_trivial(a, x, lower)) return 1 - lower;
  if (a > beyond_series) return normal(a, x, true);
  return x < a + 1 ? 1 - lower_series(a, x) : upper_fraction(a, x);
}

long double igamma_grad_a(long double a, long double x) {
  if (!(a > 0) || !(x >= 0)) return nan;
  if (x == 0 || x == infinity || a == infinity) return 0;
  if (a > beyond_series) return -gamma_density(a, x);  // the mean of the normal law moves with a
  if (x < a + 1) {
    // d/da of x^(a+k) e^-x / Gamma(a+k+1), term by term
    Real term = 1, sum = 0, psi = digamma(a + 1), rest = 1;
    const Real log_x = std::log(x);
    for (Real k = 0; k < 1e7L && rest > tiny; ++k) {
      sum += term * (log_x - psi);
      rest = std::fabs(term * (log_x - psi) / sum);
      psi += 1 / (a + k + 1);
      term *= x / (a + k + 1);
    }
    return sum * gamma_density(a, x);
  }
  // minus the integral over t > x of t^(a-1) e^-t (log t - digamma(a)) / Gamma(a): with t = x + u and
  // u = exp(s - e^-s) the trapezoidal rule converges like a series.
  const Real psi = digamma(a), log_x = std::log(x), step = 1.0L / 32;
  Real sum = 0;
  for (Real s = -6; s < 90; s += step) {
    const Real u = std::exp(s - std::exp(-s)), up = std::log1p(u / x), weight = u * (1 + std::exp(-s));
    const Real term = std::exp((a - 1) * up - u) * (log_x + up - psi) * weight;
    sum += term;
    if (s > 0 && term < sum * tiny) break;
  }
  return -sum * step * a / x * gamma_density(a, x);
}

long double bessel_ie(int order, long double x) {
  const Real z = std::fabs(x);
  const Real sign = order == 1 && x < 0 ? -1 : 1;
  if (std::isnan(x)) return x;
  if (z == infinity) return sign * 0;
  if (z <= 30) {  // every term is positive
    Real term = order == 0 ? 1 : z / 2, sum = term;
    for (Real k = 1; term > sum * tiny; ++k) sum += term *= z * z / 4 / (k * (k + order));
    return order == 1 && z == 0 ? x : sign * sum * std::exp(-z);
  }
  const Real mu = 4 * order * order;
  Real term = 1, sum = 1;
  for (Real k = 1; k < 40 && std::fabs(term) > tiny; ++k) {
    const Real odd = 2 * k - 1;
    sum += term *= -(mu - odd * odd) / (k * 8 * z);
  }
  return sign * sum / std::sqrt(2 * pi * z);
}

long double erf_inv(long double y) {
  const Real size = std::fabs(y);
  if (!(size <= 1)) return nan;
  if (y == 0) return y;
  if (size == 1) return std::copysign(infinity, y);
  // A rough start (Winitzki), then Halley's method on erf, or on erfc where erf is nearly 1.
  const Real l = std::log1p(-size * size), b = 2 / (pi * 0.147L) + l / 2;
  Real x = std::sqrt(std::sqrt(b * b - l / 0.147L) - b);
  if (size < 0.01L) x = size * std::sqrt(pi) / 2;
  for (int i = 0; i < 5; ++i) {
    const Real error = size < 0.5L ? std::erf(x) - size : (1 - size) - std::erfc(x);
    const Real newton = error * std::exp(x * x) * std::sqrt(pi) / 2;
    x -= newton / (1 + x * newton);
  }
  return std::copysign(x, y);
}

}  // namespace baton::ops::special
