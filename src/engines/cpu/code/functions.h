#pragma once
// functions: exp and its like in the instructions that processors have, for f32: within 1.5 units in the last
// place of the true value everywhere, exact at what has an exact value, with infinities, NaN and numbers
// below the normal ones as they should be.
#include "engines/cpu/code/code.h"

namespace baton::cpu {

// x is f32, a scalar or wide; so is the result.
int exp(Coder&, int x);
int log(Coder&, int x);
int tanh(Coder&, int x);
/// 1 / (1 + exp(-x))
int logistic(Coder&, int x);

}  // namespace baton::cpu
