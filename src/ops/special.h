#pragma once
// special: special functions of the reference, in long double, so that they serve every floating dtype.
// At poles and outside of a domain they give what JAX gives there.

namespace baton::ops::special {

long double lgamma(long double x);
long double digamma(long double x);
long double zeta(long double s, long double q);       // Hurwitz: sum of (q + k)^-s
long double polygamma(long double n, long double x);  // the n-th derivative of digamma
long double igamma(long double a, long double x);     // regularised, lower
long double igammac(long double a, long double x);    // regularised, upper
long double igamma_grad_a(long double a, long double x);
long double bessel_ie(int order, long double x);  // e^-|x| I(x), order 0 or 1
long double erf_inv(long double y);

}  // namespace baton::ops::special
