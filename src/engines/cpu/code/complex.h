#pragma once
// complex: arithmetic and functions of complex numbers, whose parts are values of f32 or f64. What C++ says
// of infinite and of missing parts holds: a number with an infinite part is infinite, whatever the other.
#include "engines/cpu/code/code.h"

namespace baton::cpu {

/// The two parts. A real number, or a bool, has no second.
struct Pair {
  int real = -1, imaginary = -1;
};

/// `what` of complex numbers, where the dtype is that of the result, and complex if that is. Both parts -1:
/// there is no code for this one.
Pair complex_value(Coder&, Do what, Dtype, Pair x, Pair y = {});

}  // namespace baton::cpu
