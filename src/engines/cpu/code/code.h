#pragma once
// code: a kernel as a value: instructions on scalars and on vectors of 16 lanes, in nested loops. Coder
// writes one, machine.h makes a function of it. It knows no Program, and no processor.
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "baton/dtype.h"

namespace baton::cpu {

inline constexpr int lanes = 16;  // on every processor, so that sums have one order

enum class Do : unsigned char {
  constant,  // imm: the bits
  pointer,   // imm: which argument; its dtype is that of the elements
  from,      // the first and the end of the range that this call works on, s64
  until,
  lane,      // s64: 0, 1, ..., 15
  repeat,    // a scalar in every lane
  load,      // pointer, index s64 (of the first lane where wide); third operand, if any: the mask
  gather,    // pointer, wide index s64; third operand, if any: the mask. Lanes that are off are zero
  store,     // value, pointer, index; the mask of a store is imm: a value, or -1
  fold_add,  // of 16 lanes to one, in pairs: lane i and i + 8, then i + 4, i + 2, i + 1
  fold_mul,
  fold_max,
  fold_min,
  add,
  sub,
  mul,
  div,
  rem,
  min,
  max,  // as lax: min and max of NaN are NaN
  fma,  // x * y + z, rounded once
  neg,
  abs,
  sqrt,
  floor,
  ceil,
  trunc,
  nearest,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  shift_left,
  shift_right_logical,
  shift_right_arithmetic,  // by less than the width
  eq,
  ne,
  lt,
  le,
  gt,
  ge,       // bool; false for NaN but ne
  select,   // bool, where true, where false
  convert,  // to the dtype, in range
  bits,     // the same bits as another dtype of the same size
};

struct Instruction {
  Do what = Do::constant;
  Dtype dtype = Dtype::f32;  // of the result
  bool wide = false;         // 16 lanes, or one
  std::array<int, 3> in = {-1, -1, -1};
  std::int64_t imm = 0;
  auto operator<=>(const Instruction&) const = default;
};

/// What runs in order: instructions (>= 0) and loops (-1 - which).
using Block = std::vector<int>;

/// for (variable = from; variable < to; variable += step)
struct Loop {
  int from = -1, to = -1, variable = -1;
  std::int64_t step = 1;
  struct Carry {
    int first = -1, inside = -1, next = -1, result = -1;
  };
  std::vector<Carry> carries;
  Block body;
};

/// A value is the number of the instruction that makes it. Variables, carries and results of loops have
/// numbers too.
struct Code {
  std::vector<Instruction> values;
  std::vector<Loop> loops;
  Block top;
  int pointers = 0;
  std::string text() const;
};

/// Writes code. Every instruction lands in the outermost loop that has all its operands, once.
class Coder {
 public:
  int constant(Dtype, double value);
  int integer(std::int64_t value, Dtype dtype = Dtype::s64);
  int pointer(int argument, Dtype of);
  int emit(Do, Dtype, bool wide, std::array<int, 3> in = {-1, -1, -1}, std::int64_t imm = 0);
  /// The same for operands of which some may be wide: others are repeated.
  int emit(Do, Dtype, std::array<int, 3> in, std::int64_t imm = 0);
  int wide(int value);

  void store(int value, int pointer, int index, int mask = -1);

  /// Opens a loop with carried values; `inside` gives their numbers in the body.
  struct Opened {
    int variable;
    std::vector<int> inside;
  };
  Opened open(int from, int to, std::int64_t step, const std::vector<int>& first = {});
  /// Ends the innermost loop; gives the values that the carries have after it.
  std::vector<int> close(const std::vector<int>& next = {});

  const Instruction& at(int value) const { return code_.values[static_cast<std::size_t>(value)]; }
  Code finish();

 private:
  struct Level {
    int loop = -1;
    Block block;
    std::map<Instruction, int> known;
  };
  int fresh(const Instruction&, int level);
  int level(int value) const { return value < 0 ? 0 : levels_of_[static_cast<std::size_t>(value)]; }

  Code code_;
  std::vector<Level> levels_ = std::vector<Level>(1);
  std::vector<int> levels_of_;
};

}  // namespace baton::cpu
