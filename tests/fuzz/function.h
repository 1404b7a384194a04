#pragma once
// function: a smooth function of f64 arrays that a seed decides. It may be called with arrays or traced, any
// number of times, and is the same function each time.
#include "baton/baton.h"
#include "fuzz/random.h"

namespace baton::testing {

/// (x f64[3], y f64[2,3]) -> f64[3]
Array random_function(std::uint64_t seed, const Array& x, const Array& y);

}  // namespace baton::testing
