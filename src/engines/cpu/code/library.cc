// library: those of the C library; what it has not is the reference's.
#include "engines/cpu/code/library.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ops/special.h"

namespace baton::cpu {
namespace {

using One = double (*)(double);
using Two = double (*)(double, double);
LibraryFunction plain(Do what, One f) { return {what, f, nullptr}; }
LibraryFunction plain_of_two(Do what, Two f) { return {what, nullptr, f}; }
/// One of the reference, in long double.
template <auto f, class... A>
double narrowed(A... x) {
  return static_cast<double>(f(x...));
}
template <long double (*f)(long double)>
LibraryFunction special_function(Do what) {
  return plain(what, narrowed<f, double>);
}
template <long double (*f)(long double, long double)>
LibraryFunction special_function(Do what) {
  return plain_of_two(what, narrowed<f, double, double>);
}
double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double bessel_i0e(double x) { return static_cast<double>(ops::special::bessel_ie(0, x)); }
double bessel_i1e(double x) { return static_cast<double>(ops::special::bessel_ie(1, x)); }

}  // namespace

std::span<const LibraryFunction> library() {
  namespace special = ops::special;
  static const LibraryFunction all[] = {plain(Do::exp, std::exp),
                                        plain(Do::exp2, std::exp2),
                                        plain(Do::expm1, std::expm1),
                                        plain(Do::log, std::log),
                                        plain(Do::log1p, std::log1p),
                                        plain(Do::sin, std::sin),
                                        plain(Do::cos, std::cos),
                                        plain(Do::tan, std::tan),
                                        plain(Do::asin, std::asin),
                                        plain(Do::acos, std::acos),
                                        plain(Do::atan, std::atan),
                                        plain(Do::sinh, std::sinh),
                                        plain(Do::cosh, std::cosh),
                                        plain(Do::tanh, std::tanh),
                                        plain(Do::asinh, std::asinh),
                                        plain(Do::acosh, std::acosh),
                                        plain(Do::atanh, std::atanh),
                                        plain(Do::erf, std::erf),
                                        plain(Do::erfc, std::erfc),
                                        plain(Do::cbrt, std::cbrt),
                                        plain_of_two(Do::pow, std::pow),
                                        plain_of_two(Do::atan2, std::atan2),
                                        plain(Do::logistic, logistic),
                                        plain(Do::bessel_i0e, bessel_i0e),
                                        plain(Do::bessel_i1e, bessel_i1e),
                                        special_function<special::erf_inv>(Do::erf_inv),
                                        special_function<special::lgamma>(Do::lgamma),
                                        special_function<special::digamma>(Do::digamma),
                                        special_function<special::zeta>(Do::zeta),
                                        special_function<special::polygamma>(Do::polygamma),
                                        special_function<special::igamma>(Do::igamma),
                                        special_function<special::igammac>(Do::igammac),
                                        special_function<special::igamma_grad_a>(Do::igamma_grad_a)};
  return all;
}

const LibraryFunction& library_function(Do what) {
  for (const LibraryFunction& f : library())
    if (f.what == what) return f;
  internal_error("code: no function of f64");
}

}  // namespace baton::cpu
