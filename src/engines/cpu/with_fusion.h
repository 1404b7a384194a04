#pragma once
// with_fusion: other ways to fuse, for tests: the bits must be those of the usual one.
#include "passes/passes.h"

namespace baton::cpu {

/// While one lives, what this thread compiles is fused so, Programs inside it too.
class WithFusion {
 public:
  explicit WithFusion(Fusion);
  ~WithFusion();
  WithFusion(const WithFusion&) = delete;
  WithFusion& operator=(const WithFusion&) = delete;

 private:
  const Fusion before_;
};

/// What this thread compiles.
Fusion fusion_wanted();

}  // namespace baton::cpu
