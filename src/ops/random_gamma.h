#pragma once
// random_gamma: the primitive of random::gamma. It has no name in lax, as in JAX.
#include "ops/rules.h"

namespace baton::ops {

/// A sample of Gamma(alpha, 1), or its logarithm, for each element; the words are its key.
Array draw_gamma(const Array& word0, const Array& word1, const Array& alpha, bool log_space, Where where);

}  // namespace baton::ops
