#pragma once
// machine: from code to machine code. The only room of LLVM: machine.cc alone includes its headers.
#include <memory>
#include <span>

#include "engines/cpu/code/code.h"
#include "engines/cpu/workers.h"

namespace baton::cpu {

/// Works on [from, until) of what the code calls its range.
using Function = void (*)(void* const* pointers, std::int64_t from, std::int64_t until);

/// Machine code of several kernels, freed with it.
class Machine {
 public:
  virtual ~Machine() = default;
  virtual Function function(std::size_t which) const = 0;
  /// How many modules it was linked from.
  virtual std::size_t modules() const = 0;
  virtual std::size_t bytes() const = 0;
};

/// Whether the processor reads and writes some lanes of any dtype as fast as all.
bool masks_cost_little();

/// Compiles all at once, each worker a share, which becomes a module.
std::unique_ptr<Machine> compile(std::span<const Code>, Workers&);

}  // namespace baton::cpu
