#pragma once
// functions: exp and its like in the instructions that processors have, for f32: within 1.35 units in the
// last place of the true value everywhere, exact at what has an exact value, with infinities, NaN and zeros
// of both signs as they should be.
#include "engines/cpu/code/code.h"

namespace baton::cpu {

/// The code for a function of an f32, or of two: scalars or wide. -1: there is none for this one.
int function_of_f32(Coder&, Do, int x, int y = -1);

}  // namespace baton::cpu
