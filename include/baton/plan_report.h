#pragma once
// plan_report: the memory that a call of a compiled function takes, known before it runs.
#include <string>
#include <vector>

#include "baton/type.h"

namespace baton {

/// A value that is alive where a call needs most.
struct PlannedValue {
  std::string what = {};  // the operation that makes it, with the line and scope of yours, or "input 3"
  Type type = {};
  std::size_t bytes = 0;
};

/// One step of a call.
struct PlannedStep {
  std::string what = {};  // the operation, with the line and scope of yours
  std::size_t bytes = 0;  // of the arena that are in use while it runs
};

/// What one call takes. Buffers are whole cache lines, as they are allocated.
struct PlanReport {
  std::size_t input_bytes = 0;   // the arguments and captured arrays
  std::size_t result_bytes = 0;  // the results that take no donated memory and are no arguments
  std::size_t arena_bytes = 0;   // all else, in one piece
  int steps = 0;                 // loops and branches apart
  /// The operations that have no kernel and run by the reference's evaluation, one name for each such step;
  /// those of loops and branches too.
  std::vector<std::string> evaluated = {};
  std::vector<PlannedValue> largest = {};  // ten at most, the largest first
  std::vector<PlannedStep> timeline = {};  // of each step

  /// The most that a call holds at once.
  std::size_t peak_bytes() const { return input_bytes + result_bytes + arena_bytes; }
  std::string text() const;
};

}  // namespace baton
