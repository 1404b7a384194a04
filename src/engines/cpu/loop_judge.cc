// loop_judge: what it costs, and whether it can be, is seen by writing it.
#include "engines/cpu/loop_judge.h"

#include "engines/cpu/loop_writer.h"

namespace baton::cpu {

std::optional<double> LoopJudge::work(const Program& body) {
  const std::optional<Loops> loops = draft_loops(*body);
  if (!loops) return std::nullopt;
  return loops->work * static_cast<double>(loops->range);
}

}  // namespace baton::cpu
