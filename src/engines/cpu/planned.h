#pragma once
// planned: a Program ready to run on the cpu: its Plan and a kernel for each step. Runs of Programs and of
// the bodies of loops are runs of one of these; it never changes, and serves several threads.
#include <memory>
#include <span>
#include <vector>

#include "engines/cpu/cpu.h"
#include "engines/cpu/kernel.h"
#include "plan/plan.h"

namespace baton::cpu {

class Planned {
 public:
  /// `take`: for each input the output that is written into its memory, or -1. It can run when the compiler
  /// of its loops has finished.
  Planned(const Program&, std::vector<int> take, Passing, LoopCompiler&);

  const Plan& plan() const { return plan_; }
  const ProgramData& program() const { return *plan_.program; }
  bool may_fail() const { return may_fail_; }
  /// Steps by the reference's evaluation, those of Programs inside too.
  const Names& evaluated() const { return evaluated_; }
  /// What a run takes; `inputs` names the inputs.
  PlanReport report(std::span<const std::string> inputs) const;
  /// What its arena holds where most of it is in use.
  std::vector<PlannedValue> held() const;

  // A run needs an arena, and a table of so many pointers: first where things lie (the arena, each input,
  // each result), then the operands and results of each step. Who runs it fills the first part and calls
  // `place`.
  std::size_t pointer_count() const { return first_slot_ + slots_.size(); }
  void** arena(void** table) const { return table + 1; }
  void** inputs(void** table) const { return table + 2; }
  void** results(void** table) const { return inputs(table) + program().input_count; }
  void place(void** table) const;
  void run(void** table, Workers&) const;

  /// The slots that depend on these inputs and results, for `place` where nothing else has moved.
  std::vector<int> slots_of(const Mask& inputs, const Mask& results) const;
  void place(void** table, std::span<const int> slots) const;

 private:
  void make_kernels(const ProgramData&, LoopCompiler&);
  void make_steps();

  /// A pointer of a step: an offset from one of the places where things lie; the first of these is nothing.
  struct Slot {
    int base = 0;
    std::intptr_t offset = 0;
  };
  struct Step {
    const Kernel* kernel = nullptr;
    std::size_t in = 0, out = 0;  // where its operands and results stand in the table
    std::int64_t scratch = 0;
  };
  struct Copy {
    Slot from;
    int to = 0;  // a base
    std::size_t bytes = 0;
  };
  std::size_t bytes() const;
  Slot slot_of(Var) const;
  static void* at(void* const* table, const Slot& slot) {
    return reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(table[slot.base]) + slot.offset);
  }

  Plan plan_;
  std::vector<std::unique_ptr<Kernel>> kernels_;  // of each equation; none for views
  std::vector<Slot> slots_;
  std::vector<Step> steps_;
  std::vector<Copy> copies_;
  std::size_t first_slot_ = 0;
  bool may_fail_ = false;
  Names evaluated_;
  HeldBytes held_;  // its own: kernels, and Plans inside them, count themselves
};

}  // namespace baton::cpu
