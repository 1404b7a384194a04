// functions: which code computes which function.
#include "engines/cpu/code/functions.h"

#include "engines/cpu/code/formula.h"
#include "engines/cpu/code/formulas.h"

namespace baton::cpu {
namespace {

Value function_of(Do what, Value x, Value y) {
  switch (what) {
    case Do::exp:
      return exp(x);
    case Do::exp2:
      return exp2(x);
    case Do::expm1:
      return expm1(x);
    case Do::logistic:
      return logistic(x);
    case Do::sinh:
      return sinh(x);
    case Do::cosh:
      return cosh(x);
    case Do::tanh:
      return tanh(x);
    case Do::log:
      return log(x);
    case Do::log1p:
      return log1p(x);
    case Do::asinh:
      return asinh(x);
    case Do::acosh:
      return acosh(x);
    case Do::atanh:
      return atanh(x);
    case Do::pow:
      return pow(x, y);
    case Do::cbrt:
      return cbrt(x);
    case Do::sin:
      return sin(x);
    case Do::cos:
      return cos(x);
    case Do::tan:
      return tan(x);
    case Do::asin:
      return asin(x);
    case Do::acos:
      return acos(x);
    case Do::atan:
      return atan(x);
    case Do::atan2:
      return atan2(x, y);
    case Do::erf:
      return erf(x);
    case Do::erfc:
      return erfc(x);
    case Do::erf_inv:
      return erf_inv(x);
    default:
      return {x.coder, -1};
  }
}

}  // namespace

int function_of_f32(Coder& c, Do what, int x, int y) { return function_of(what, {&c, x}, {&c, y}).id; }

}  // namespace baton::cpu
