#pragma once
// checks: what is asked of every step, as functions that say what is wrong: so that what they would not see
// is tested too. Empty where all is well.
#include <string>

#include "baton/plan_report.h"
#include "memory/counted.h"

namespace baton::testing {

/// What `runs` calls take of the allocator when some have gone before.
template <class F>
Allocated steady(F call, int runs = 1000) {
  for (int i = 0; i < 3; ++i) call();
  const Count count;
  for (int i = 0; i < runs; ++i) call();
  return count.so_far();
}

/// Steps that have run before take nothing. A thread that first comes into a library may: its thread-local
/// variables; and on a busy machine one comes late. So there are as many tries as tests have threads, and one
/// more.
template <class F>
std::string taken_when_steady(F call, int runs = 1000) {
  Allocated a;
  for (int late = 0; late <= 4; ++late) {
    a = steady(call, runs);
    if (a.calls == 0) return "";
  }
  return std::to_string(a.calls) + " calls of the allocator in " + std::to_string(runs) + " steps, for " +
         std::to_string(a.buffer_bytes) + " bytes of buffers and " + std::to_string(a.other_bytes) +
         " of other memory";
}

/// A first run holds, at most, the buffers that its Plan says, to the byte: both count whole cache lines.
inline std::string beyond_plan(const PlanReport& plan, FunctionRef<void()> call) {
  const auto planned = static_cast<std::int64_t>(plan.result_bytes + plan.arena_bytes);
  const std::int64_t taken = taken_by_first(call).most_buffers;
  if (taken == planned) return "";
  return "planned " + std::to_string(planned) + " bytes, taken " + std::to_string(taken);
}

}  // namespace baton::testing
