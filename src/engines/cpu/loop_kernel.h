#pragma once
// loop_kernel: kernels that are compiled from loops.
#include <vector>

#include "engines/cpu/cpu.h"
#include "engines/cpu/kernel.h"

namespace baton::cpu {

/// Collects what shall be compiled, so that one call of the code generator serves a whole Program, with the
/// Programs inside it. What was compiled before and lives, for any Program, is shared.
class LoopCompiler {
 public:
  /// `threads`: that will run the Program.
  LoopCompiler(Compile, int threads);
  ~LoopCompiler();
  /// The kernel of a Program, which can run after `finish`; nullptr where it cannot be written as loops.
  std::unique_ptr<Kernel> add(const Program&);
  void finish();
  int threads() const { return threads_; }

 private:
  struct Pending;
  const Compile when_;
  const int threads_;
  std::vector<Pending> pending_;
};

/// From now on nothing that was compiled before is shared.
void forget_compiled();

}  // namespace baton::cpu
