#pragma once
// loop_judge: tells `fuse` what can be one kernel: what can be written as loops.
#include <unordered_map>

#include "base/hash.h"
#include "passes/passes.h"

namespace baton::cpu {

class LoopJudge final : public FusionJudge {
 public:
  std::optional<double> work(const Program&) override;

 private:
  std::unordered_map<Hash, std::optional<double>, HashOf> known_;
};

}  // namespace baton::cpu
