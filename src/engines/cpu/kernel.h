#pragma once
// kernel: what runs one equation.
#include <memory>

#include "program/primitive.h"

namespace baton::cpu {

class Kernel {
 public:
  virtual ~Kernel() = default;
  /// Bytes of memory of its own that `run` gets.
  virtual std::int64_t scratch() const { return 0; }
  /// Whether the result may lie where the operand lies.
  virtual bool in_place(std::size_t operand, std::size_t result) const = 0;
  /// The bytes of operands and results in the order of the equation. The memory of a run is the caller's: one
  /// kernel serves several threads.
  virtual void run(void* const* in, void* const* out, void* scratch) const = 0;
  /// Whether it may throw.
  virtual bool may_fail() const { return false; }
  /// Whether this is the reference's evaluation, for want of a better kernel.
  virtual bool evaluated() const { return false; }
};

/// The kernel of an equation of the Program.
std::unique_ptr<Kernel> kernel_for(const ProgramData&, const Equation&);
/// The reference's own evaluation.
std::unique_ptr<Kernel> evaluated_kernel(const ProgramData&, const Equation&);

}  // namespace baton::cpu
