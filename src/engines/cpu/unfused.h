#pragma once
// unfused: each equation in a kernel of its own, for tests: the bits must be those of what is fused.
#include "passes/passes.h"

namespace baton::cpu {

/// While one lives, what this thread compiles is not fused, Programs inside it neither.
class Unfused {
 public:
  Unfused();
  ~Unfused();
  Unfused(const Unfused&) = delete;
  Unfused& operator=(const Unfused&) = delete;

 private:
  const Fusion before_;
};

/// What this thread compiles.
Fusion fusion_wanted();

}  // namespace baton::cpu
