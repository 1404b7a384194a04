// loop_judge: what it costs, and whether it can be, is seen by writing it.
#include "engines/cpu/loop_judge.h"

#include <algorithm>

#include "engines/cpu/loop_writer.h"

namespace baton::cpu {

/// What one thread must do alone counts twice, as it would take two half the time.
std::optional<double> LoopJudge::work(const Program& body) {
  const std::optional<Loops> loops = draft_loops(*body);
  if (!loops) return std::nullopt;
  const double work = loops->work * static_cast<double>(loops->range);
  const bool alone = loops->range <= loops->grain;
  return alone ? work + std::max(0.0, work - worth_a_thread) : work;
}

}  // namespace baton::cpu
