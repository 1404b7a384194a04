#pragma once
// loop_writer: a Program as loops over the elements of its results, by the `element` rules of its equations.
#include <optional>

#include "engines/cpu/code/code.h"
#include "program/program.h"

namespace baton::cpu {

struct Loops {
  Code code;  // pointers: the inputs, then the outputs
  /// What [from, until) of the code counts: elements or rows; a call begins at a multiple of `grain`.
  std::int64_t range = 0, grain = 1;
  double work = 0;  // about, for one of them: instructions
  /// in_place[input][output]: whether the output may lie where the input lies.
  std::vector<std::vector<bool>> in_place;
};

constexpr double worth_a_thread = 20000;  // instructions

/// Nothing where the Program cannot be written so: an equation has no rule for its dtypes, or the results
/// share no loops.
std::optional<Loops> write_loops(const ProgramData&);
/// What can be written, and about how long it is: without what changes the time alone.
std::optional<Loops> draft_loops(const ProgramData&);

}  // namespace baton::cpu
