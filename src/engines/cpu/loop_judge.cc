// loop_judge: the same Program is asked for again and again, so answers are kept.
#include "engines/cpu/loop_judge.h"

#include "engines/cpu/loop_writer.h"

namespace baton::cpu {

std::optional<double> LoopJudge::work(const Program& body) {
  const auto [known, first] = known_.try_emplace(body.hash());
  if (first)
    if (const std::optional<Loops> loops = write_loops(*body))
      known->second = loops->work * static_cast<double>(loops->range);
  return known->second;
}

}  // namespace baton::cpu
