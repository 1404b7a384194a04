#pragma once
// loop_judge: tells `fuse` what can be one kernel: what can be written as loops.
#include "passes/passes.h"

namespace baton::cpu {

class LoopJudge final : public FusionJudge {
 public:
  std::optional<double> work(const Program&) override;
};

}  // namespace baton::cpu
