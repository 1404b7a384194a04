#pragma once
// compile: many codes to machine code at once, by several threads.
#include "engines/cpu/code/machine.h"
#include "engines/cpu/workers.h"

namespace baton::cpu {

/// Machine code of one kernel, and the memory of its module, which lives as long as one of its kernels.
struct Compiled {
  Function function = nullptr;
  std::shared_ptr<const CodeMemory> memory;
};

/// Each worker compiles a share of them, which becomes a module.
std::vector<Compiled> compile(std::span<const Code>, Workers&);

}  // namespace baton::cpu
