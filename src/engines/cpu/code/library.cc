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
LibraryFunction plain(Do what, const char* name, One f) { return {what, name, f, nullptr}; }
LibraryFunction plain_of_two(Do what, const char* name, Two f) { return {what, name, nullptr, f}; }
/// One of the reference, in long double.
template <auto f, class... A>
double narrowed(A... x) {
  return static_cast<double>(f(x...));
}
template <long double (*f)(long double)>
LibraryFunction special_function(Do what, const char* name) {
  return plain(what, name, narrowed<f, double>);
}
template <long double (*f)(long double, long double)>
LibraryFunction special_function(Do what, const char* name) {
  return plain_of_two(what, name, narrowed<f, double, double>);
}
double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double bessel_i0e(double x) { return static_cast<double>(ops::special::bessel_ie(0, x)); }
double bessel_i1e(double x) { return static_cast<double>(ops::special::bessel_ie(1, x)); }

}  // namespace

std::span<const LibraryFunction> library() {
  namespace special = ops::special;
  static const LibraryFunction all[] = {
      plain(Do::exp, "exp", std::exp),
      plain(Do::exp2, "exp2", std::exp2),
      plain(Do::expm1, "expm1", std::expm1),
      plain(Do::log, "log", std::log),
      plain(Do::log1p, "log1p", std::log1p),
      plain(Do::sin, "sin", std::sin),
      plain(Do::cos, "cos", std::cos),
      plain(Do::tan, "tan", std::tan),
      plain(Do::asin, "asin", std::asin),
      plain(Do::acos, "acos", std::acos),
      plain(Do::atan, "atan", std::atan),
      plain(Do::sinh, "sinh", std::sinh),
      plain(Do::cosh, "cosh", std::cosh),
      plain(Do::tanh, "tanh", std::tanh),
      plain(Do::asinh, "asinh", std::asinh),
      plain(Do::acosh, "acosh", std::acosh),
      plain(Do::atanh, "atanh", std::atanh),
      plain(Do::erf, "erf", std::erf),
      plain(Do::erfc, "erfc", std::erfc),
      plain(Do::cbrt, "cbrt", std::cbrt),
      plain_of_two(Do::pow, "pow", std::pow),
      plain_of_two(Do::atan2, "atan2", std::atan2),
      plain(Do::logistic, "baton_logistic", logistic),
      plain(Do::bessel_i0e, "baton_bessel_i0e", bessel_i0e),
      plain(Do::bessel_i1e, "baton_bessel_i1e", bessel_i1e),
      special_function<special::erf_inv>(Do::erf_inv, "baton_erf_inv"),
      special_function<special::lgamma>(Do::lgamma, "baton_lgamma"),
      special_function<special::digamma>(Do::digamma, "baton_digamma"),
      special_function<special::zeta>(Do::zeta, "baton_zeta"),
      special_function<special::polygamma>(Do::polygamma, "baton_polygamma"),
      special_function<special::igamma>(Do::igamma, "baton_igamma"),
      special_function<special::igammac>(Do::igammac, "baton_igammac"),
      special_function<special::igamma_grad_a>(Do::igamma_grad_a, "baton_igamma_grad_a")};
  return all;
}

const LibraryFunction& library_function(Do what) {
  for (const LibraryFunction& f : library())
    if (f.what == what) return f;
  internal_error("code: no function of f64");
}

}  // namespace baton::cpu
