#pragma once
// program_writer: writes a random Program equation by equation, and knows the value of each result.
#include <algorithm>
#include <functional>

#include "engines/random_program.h"

namespace baton::testing {

class ProgramWriter {
 public:
  /// `depth`: how deep loops and branches may lie in each other.
  ProgramWriter(Random& random, int depth) : random_(random), depth_(depth) {}

  /// So many steps, each a row or a loop or branches; every result is an output.
  RandomProgram write(std::size_t steps);
  /// Rows of arrays that are worth several threads, and reductions that are made in parts.
  RandomProgram write_large();

 private:
  struct Value {
    Var var = -1;
    Array array;
    bool input = false;
    double low = 0, high = 0;  // where its elements lie; nowhere where one is no number
  };
  using Values = std::vector<Value>;
  /// A Program inside an equation, over values that the equation reads and then `fresh` ones.
  struct Inner {
    Program program;
    Arrays fresh;
  };

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.bits() % n); }
  /// Rather one of the last, so that fewer steps are made in vain.
  std::size_t late(std::size_t n) { return std::max({below(n), below(n), below(n)}); }
  RandomProgram finish();

  Value add_value(Var, const Array&, bool input);
  Value input(const Array&);
  Values add(const Primitive&, const Params&, const Values& operands, const Types&);
  Values add(const Primitive&, const Params&, const Values& operands);
  /// The equations of a Program.
  Values copy(const Program&, const Values&);
  Value apply(std::function<Array(const Arrays&)>, const Values&);

  void add_step();
  // random_rows.cc
  void add_row();
  void add_large_row(const Shape&);
  void add_large_reduction();
  Value existing(const Type&, double low, double high);
  Array changed(const Array& from, const Type&, double low, double high);
  // random_control.cc
  void add_control();
  void add_scan();
  void add_while();
  void add_branches();
  Array drawn(const Type&);
  Type odd_type();
  Value some_value();
  Values some_values(std::size_t least, std::size_t most);
  Value produce(const Type&);
  Inner inner(const Arrays& given, std::size_t steps,
              std::function<Values(ProgramWriter&, const Values& given)> outputs);
  /// The values, and an input for each array.
  Values with_inputs(Values, const Arrays&);

  Random& random_;
  const int depth_;
  Builder b_;
  Arrays inputs_;
  Values values_;
};

}  // namespace baton::testing
