#pragma once
// runner: Programs on arrays for the command line, with donated inputs, and what can be said of the build.
#include <string>
#include <vector>

#include "baton/array.h"
#include "baton/program.h"

namespace baton {

/// Runs a Program. Memory of the inputs that `donated` marks is reused for outputs of the same type;
/// `report`, if given, gets a line for each of them and the peak of the memory of arrays.
Arrays run_program(const Program&, Arrays inputs, std::vector<bool> donated = {},
                   std::string* report = nullptr);
/// What a run takes on the cpu: its peak, the largest values there, and the arena step by step.
std::string plan_text(const Program&, const std::vector<bool>& donated);
/// Names of primitives that the reference engine cannot run, and the number of all.
std::vector<std::string> primitives_without_kernel(std::size_t& count);

}  // namespace baton
