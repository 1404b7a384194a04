#pragma once
// cpu: passes, a Plan, and a kernel for each step. All memory of a run is taken before its first step.
#include "trace/executable.h"

namespace baton::cpu {

constexpr int most_threads = 1024;  // of a run

/// When loops become machine code.
enum class Compile {
  at_once,
  when_worth,  // they are interpreted, with the same bits, until that has taken as long as compiling would
};

/// Makes a Program ready. For each donated input, `take[i]` names the output that is written into its memory,
/// or -1; inputs behind its end have none. `threads`: that its workspaces will ask for.
ExecutablePtr compile(const Program&, std::vector<int> take, Compile = Compile::at_once, int threads = 0);
/// What is made from now on shares no kernels with what was made before.
void clear_caches();

}  // namespace baton::cpu
