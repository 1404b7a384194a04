#pragma once
// machine: from code to machine code. The only room of LLVM: machine.cc alone includes its headers.
#include <memory>
#include <span>
#include <vector>

#include "engines/cpu/code/code.h"
#include "engines/cpu/code/code_memory.h"

namespace baton::cpu {

/// Works on [from, until) of what the code calls its range.
using Function = void (*)(void* const* pointers, std::int64_t from, std::int64_t until);

/// Machine code of several kernels, which lies in one memory.
struct Module {
  std::shared_ptr<const CodeMemory> memory;
  std::vector<Function> functions;  // of each code
};
Module compile_module(std::span<const Code* const>);

}  // namespace baton::cpu
