#pragma once
// formulas: the functions of f32, one file for each family: powers, logarithms, angles, error functions. Each
// reduces its argument to a small range, where a polynomial is enough: the one with the least largest error,
// relative to the function, found by the exchange algorithm of Remez.
#include "engines/cpu/code/formula.h"

namespace baton::cpu {

// powers.cc
Value exp(Value x);
Value exp2(Value x);
Value expm1(Value x);
Value logistic(Value x);
Value sinh(Value x);
Value cosh(Value x);
Value tanh(Value x);
// logarithms.cc
Value log(Value x);
Value log1p(Value x);
Value asinh(Value x);
Value acosh(Value x);
Value atanh(Value x);
Value pow(Value x, Value y);
Value cbrt(Value x);
// angles.cc
Value sin(Value x);
Value cos(Value x);
Value tan(Value x);
Value asin(Value x);
Value acos(Value x);
Value atan(Value x);
Value atan2(Value y, Value x);
// error_functions.cc
Value erf(Value x);
Value erfc(Value x);
Value erf_inv(Value x);

// In f64, to about 2^-31 of the value, which is enough for a result of f32.
Value exp64(Value x);    // |x| < 700, or NaN
Value exp2_64(Value x);  // |x| < 1000, or NaN
Value log64(Value x);    // of a normal number above 0; at 0 and infinity a number about as large as 2^10
Value log2_64(Value x);
Value log64(Value x, Value less_one);  // where x - 1 is known better than x is
Value sin64(Value x);                  // of a number that an f32 can be
Value cos64(Value x);

}  // namespace baton::cpu
