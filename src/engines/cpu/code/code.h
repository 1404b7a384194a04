#pragma once
// code: a kernel as a value: instructions on scalars and on vectors of 16 lanes, in nested loops. Coder
// writes one, machine.h makes a function of it. It knows no Program, and no processor.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "program/element.h"

namespace baton::cpu {

inline constexpr int lanes = 16;  // on every processor, so that sums have one order

struct Instruction {
  Do what = Do::constant;
  Dtype dtype = Dtype::f32;  // of the result
  bool wide = false;         // 16 lanes, or one
  std::array<int, 3> in = {-1, -1, -1};
  /// A number; of a load the bytes from there to what a later round reads, which the cache may fetch.
  std::int64_t imm = 0;
  bool operator==(const Instruction&) const = default;
};

/// What runs in order: instructions (>= 0) and loops (-1 - which).
using Block = std::vector<int>;

/// for (variable = from; variable < to; variable += step)
struct Loop {
  int from = -1, to = -1, variable = -1;
  std::int64_t step = 1;
  struct Carry {
    int first = -1, inside = -1, next = -1, result = -1;
    bool operator==(const Carry&) const = default;
  };
  std::vector<Carry> carries;
  Block body;
  bool operator==(const Loop&) const = default;
};

/// A value is the number of the instruction that makes it. Variables, carries and results of loops have
/// numbers too.
struct Code {
  std::vector<Instruction> values;
  std::vector<Loop> loops;
  Block top;
  int pointers = 0;
  int lanes = baton::cpu::lanes;         // of a vector: more where nothing goes across lanes
  std::vector<std::int64_t> own_memory;  // bytes of each; `pointer` of -1 - which
  std::string text() const;
  bool operator==(const Code&) const = default;
};

/// Writes code. Every instruction lands in the outermost loop that has all its operands, once.
class Coder {
  struct Level {
    int loop = -1;
    Block block;
  };

 public:
  int constant(Dtype, double value);
  int integer(std::int64_t value, Dtype dtype = Dtype::s64);
  int pointer(int argument, Dtype of);
  int emit(Do, Dtype, bool wide, std::array<int, 3> in = {-1, -1, -1}, std::int64_t imm = 0);
  /// The same for operands of which some may be wide: others are repeated.
  int emit(Do, Dtype, std::array<int, 3> in, std::int64_t imm = 0);
  int wide(int value);

  void store(int value, int pointer, int index, int mask = -1);

  /// Memory of the call, which the code writes itself: what is loaded from it is loaded anew each time, in
  /// the outermost loop that has the index and is no further out than `level`.
  int own_memory(Dtype of, std::int64_t bytes);
  std::int64_t own_bytes() const;
  int load_own(int pointer, int index, int level);

  /// Opens a loop with carried values; `inside` gives their numbers in the body.
  struct Opened {
    int loop, variable;
    std::vector<int> inside;
  };
  Opened open(int from, int to, std::int64_t step, const std::vector<int>& first = {});
  /// Ends the innermost loop; gives the values that the carries have after it.
  std::vector<int> close(const std::vector<int>& next = {});

  /// How many loops a value needs, and how many are open.
  int level(int value) const { return value < 0 ? 0 : levels_of_[static_cast<std::size_t>(value)]; }
  /// The loops that a value stands in, now that it has been written.
  std::vector<int> loops_around(int value) const;
  std::size_t size() const { return code_.values.size(); }
  int depth() const { return static_cast<int>(levels_.size()) - 1; }
  /// Leaves the loops above this depth for a while: what is written now stands before them.
  class Outside {
   public:
    Outside(Coder& c, int depth) : c_(c) {
      const auto at = c.levels_.begin() + depth + 1;
      left_.assign(std::make_move_iterator(at), std::make_move_iterator(c.levels_.end()));
      c.levels_.erase(at, c.levels_.end());
    }
    ~Outside() { std::move(left_.begin(), left_.end(), std::back_inserter(c_.levels_)); }
    Outside(const Outside&) = delete;

   private:
    Coder& c_;
    std::vector<Level> left_;
  };

  const Instruction& at(int value) const { return code_.values[static_cast<std::size_t>(value)]; }
  Code finish();

 private:
  int fresh(const Instruction&, int level);
  void make_room();

  Code code_;
  std::vector<Level> levels_ = std::vector<Level>(1);
  std::vector<int> levels_of_;
  // What is written already: an open hash table, of a size that is a power of two. An instruction needs no
  // mark of its loop: of a loop that has ended no operand is left.
  std::vector<int> known_;
  std::size_t known_count_ = 0;
};

}  // namespace baton::cpu
