#pragma once
// in_memory: which values something reads as they lie in memory: the outputs of a Program, and more as it
// becomes known.
#include "program/program.h"

namespace baton {

class InMemory {
 public:
  explicit InMemory(const ProgramData&);
  /// The bytes of a view are those of its operand.
  void need(Var);
  bool has(Var v) const { return needed_[static_cast<std::size_t>(v)]; }

 private:
  std::vector<const Equation*> view_;  // of each variable: the view that makes it, or nullptr
  std::vector<bool> needed_;           // of each variable
};

}  // namespace baton
