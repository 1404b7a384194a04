#pragma once
// position_coder: writes the code that computes positions. A position is wide if it differs from lane to
// lane.
#include <vector>

#include "engines/cpu/code/code.h"
#include "program/position.h"

namespace baton::cpu {

class PositionCoder {
 public:
  explicit PositionCoder(Coder& c) : c_(c) {}

  /// A loop variable with this range; wide: of 16 lanes that begin at `value`. Its id is `last_variable`.
  Position variable(Range, int value, bool wide);
  int last_variable() const { return static_cast<int>(variables_.size()) - 1; }

  bool is_wide(const Position&) const;
  /// How many loops it needs.
  int level(const Position&) const;
  /// Its value: of the first lane, or of all.
  int scalar(const Position& x) { return sum(x, false); }
  int vector(const Position&, Dtype);

 private:
  struct Variable {
    int value;
    bool wide;
  };
  int quotient(const Atom&, bool wide);
  int atom(const Atom&, bool wide);
  int sum(const Position&, bool wide);

  Coder& c_;
  std::vector<Variable> variables_;
};

}  // namespace baton::cpu
