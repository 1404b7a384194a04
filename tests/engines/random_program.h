#pragma once
// random_program: a Program of the rows of random primitives, whose operands are results of earlier ones
// where these lie in the range that the row wants, and of loops and branches whose bodies are such Programs.
#include "ops/row.h"

namespace baton::testing {

struct RandomProgram {
  Program program;  // every result of every equation is an output
  Arrays inputs;
};
RandomProgram random_program(std::uint64_t seed);
/// One of large arrays: rows of operations on elements, and reductions.
RandomProgram large_program(std::uint64_t seed);

/// The same equations with these of the outputs alone.
Program with_outputs(const Program&, const std::vector<std::size_t>& outputs);
/// With the results of all equations behind its outputs.
Program with_all_results(const Program&);

/// The smallest Program for which `fails` holds that comes of leaving out equations and outputs; what they
/// gave becomes an input, of the value that the reference gives.
RandomProgram minimised(const RandomProgram&, FunctionRef<bool(const RandomProgram&)> fails);

}  // namespace baton::testing
