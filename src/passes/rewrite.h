#pragma once
// rewrite: what passes share: a copy of a Program in the making, variable by variable.
#include "program/primitive.h"

namespace baton {

class Rewrite {
 public:
  /// Begins with the inputs of the Program.
  explicit Rewrite(const Program&);

  /// The variable in the copy; literals are made when they are first asked for.
  Var operator()(Var old);
  std::vector<Var> operator()(const std::vector<Var>& old);
  void set(Var old, Var now) { now_[static_cast<std::size_t>(old)] = now; }
  void set(const std::vector<Var>& old, const std::vector<Var>& now);
  /// The same equation on the operands as they are now, with these Params.
  std::vector<Var> copy(const Equation&, const Params&);
  Builder& builder() { return builder_; }
  Program finish();

 private:
  const ProgramData& p_;
  Builder builder_;
  std::vector<Var> now_;
};

/// The same parameters with another Program for each that they hold.
Params with_programs(const Params&, Program (*other)(const Program&));

}  // namespace baton
