#pragma once
// kernel: what runs one equation.
#include <memory>
#include <string_view>
#include <vector>

#include "base/held_bytes.h"
#include "baton/plan_report.h"
#include "engines/cpu/workers.h"
#include "program/primitive.h"

namespace baton::cpu {

using Names = std::vector<std::string_view>;  // of primitives

class Kernel {
 public:
  virtual ~Kernel() = default;
  /// Bytes of memory of its own that `run` gets.
  virtual std::int64_t scratch() const { return 0; }
  /// Whether the result may lie where the operand lies.
  virtual bool in_place(std::size_t operand, std::size_t result) const = 0;
  /// The bytes of operands and results in the order of the equation, aligned to their elements; the pointers
  /// to results stand right behind those to operands: `out` is `in` and the number of operands. The memory of
  /// a run is the caller's: one kernel serves several threads.
  virtual void run(void* const* in, void* const* out, void* scratch, Workers&) const = 0;
  /// Whether it may throw.
  virtual bool may_fail() const { return false; }
  /// The bytes of the one result where they are known before any run: then `run` is not called.
  virtual const void* bytes() const { return nullptr; }
  /// The operations that run by the reference's evaluation, for want of a kernel: this one, or steps inside
  /// it.
  virtual Names evaluated() const { return {}; }
  /// What its scratch holds where most of it is in use, for Plans inside it.
  virtual std::vector<PlannedValue> held() const { return {}; }

  /// Every kernel counts as held, whatever its type. What it owns beside that is small, or counts itself.
  static void* operator new(std::size_t bytes) {
    void* const memory = ::operator new(bytes);
    HeldBytes::add(bytes);
    return memory;
  }
  static void operator delete(void* memory, std::size_t bytes) {
    HeldBytes::add(-bytes);
    ::operator delete(memory);
  }
};

class LoopCompiler;
/// What a kernel is made of. Programs inside the equation leave their loops with the compiler too, so that
/// all are compiled together.
struct Making {
  const ProgramData& program;
  const Equation& equation;
  LoopCompiler& loops;
};
/// The kernel of an equation of the Program: the first that its makers give (kernels.cc).
std::unique_ptr<Kernel> kernel_for(const Making&);

}  // namespace baton::cpu
