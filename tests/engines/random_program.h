#pragma once
// random_program: a Program of the rows of random primitives, whose operands are results of earlier ones
// where these lie in the range that the row wants.
#include "ops/row.h"

namespace baton::testing {

struct RandomProgram {
  Program program;  // every result of every equation is an output
  Arrays inputs;
};
RandomProgram random_program(std::uint64_t seed);

/// The same equations with these of the outputs alone.
Program with_outputs(const Program&, const std::vector<std::size_t>& outputs);

/// The smallest Program for which `fails` holds that comes of leaving out equations and outputs; what they
/// gave becomes an input, of the value that the reference gives.
RandomProgram minimised(const RandomProgram&, FunctionRef<bool(const RandomProgram&)> fails);

}  // namespace baton::testing
