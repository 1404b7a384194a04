#pragma once
// element_coder: writes the code for one element by pulling it: an element of a result asks for elements of
// the operands, back to memory. What is asked for twice at the same place is written once.
#include <optional>

#include "engines/cpu/kept_rows.h"
#include "engines/cpu/position_coder.h"
#include "program/primitive.h"

namespace baton::cpu {

/// Why a Program cannot be written as loops.
struct NotLoops {
  const char* reason;
};

class ElementCoder final : public ElementWriter {
 public:
  explicit ElementCoder(const ProgramData&, std::vector<Var> kept = {});

  /// A read of memory: which input, at which position in it, and where in the code.
  struct Read {
    int input = -1;
    Position at;
    int value = -1;          // what is read; the same again if it stands in the code already
    std::vector<int> loops;  // that it stands in
  };

  /// The element of a variable of the Program, in the dtype that is computed with.
  Scalar element(Var, std::span<const Position> at);
  /// The same as it lies in memory.
  int stored(Scalar element, Dtype dtype);
  /// While the lanes below `count` alone are on; 0: all are.
  class Tail {
   public:
    Tail(ElementCoder&, int count);
    /// Those of the vector that begins here which lie below `end`.
    Tail(ElementCoder&, const Position& begin, std::int64_t end);
    ~Tail() { e_.tail_ = before_; }
    Tail(const Tail&) = delete;
    int mask() const { return e_.tail_; }

   private:
    ElementCoder& e_;
    int before_;
  };
  Coder& coder() { return c_; }
  PositionCoder& positions() { return positions_; }
  const PositionCoder& positions() const { return positions_; }
  const std::vector<Read>& reads() const { return reads_; }
  /// Where results of sums (or their like) along lanes stand.
  const std::vector<Position>& kept_by_lanes() const { return kept_by_lanes_; }
  /// Sums along lanes, or their like, in the order in which they stand.
  struct Asked {
    Var v;
    std::vector<Position> at;
  };
  const std::vector<Asked>& sums() const { return sums_; }
  /// What is worth keeping: variables whose elements a sum along lanes and another loop made.
  const std::vector<Var>& made_again() const { return kept_.made_again(); }
  /// Whether lanes are combined with each other.
  bool crosses_lanes() const { return crosses_lanes_; }
  /// The most elements that one loop combines one after the other, lanes beside each other; 0: there is none.
  std::int64_t longest_column() const { return longest_column_; }
  /// Positions that became numbers.
  const std::vector<Position>& counts() const { return counts_; }

  // What rules ask for.
  std::size_t operands() const override { return frames_.back().equation->inputs.size(); }
  const Type& operand_type(std::size_t which) const override;
  const Type& result_type(std::size_t which) const override;
  Scalar operand(std::size_t which, std::span<const Position> at) override;
  Scalar number(Dtype, double) override;
  Scalar integer(Dtype, std::int64_t) override;
  Scalar literal(Dtype, const void* bytes) override;
  Scalar count(const Position&, Dtype) override;
  Position position(Scalar, Range) override;
  Scalar emit(Do, Dtype, Scalar x, Scalar y, Scalar z) override;
  Dtype dtype(Scalar x) const override {
    const Dtype d = c_.at(x.value).dtype;
    return x.is_complex() ? complex_of(d) : d;
  }
  Scalar guarded(Scalar condition, FunctionRef<Scalar()> inside, Scalar otherwise) override;
  std::vector<Scalar> fold(const Fold&) override;

 private:
  struct Maker {
    const Equation* equation = nullptr;
    std::size_t result = 0;
  };
  struct Known {
    std::vector<Position> at;
    int guard, tail;
    Scalar value;
  };
  /// Which equation is being written, at which positions.
  struct Frame {
    const Equation* equation;
    std::span<const Position> at;
    Var v;
  };

  Scalar handle(int value) { return {this, value}; }
  Scalar load(int input, const Position& flat);
  std::int64_t next_row(int input, const Position& flat, int index) const;
  Scalar loaded(int value, Dtype);  // in the dtype that is computed with
  int widened(int loaded, Dtype);   // a 16-bit float as f32
  int rounded(int value, Dtype);    // an f32 as a 16-bit float has it
  Scalar make(const Maker&, std::span<const Position> at);
  Scalar made(Var, std::span<const Position> at);
  std::optional<KeptRows::Element> along_lanes(Var, std::span<const Position> at) const;
  int function(Do, Dtype, int x, int y);
  std::vector<Scalar> fold_along_lanes(const Fold&);
  int open_loops(std::span<const std::int64_t> extents, std::vector<Position>& at, std::vector<int>& chain);
  std::vector<int> close_loops(int opened, std::vector<int> chain);
  std::vector<Scalar> handles(const std::vector<int>& values, std::span<const Scalar> alike);
  std::vector<int> in_lanes(std::vector<int> values);
  std::vector<Scalar> fold_in_turn(const Fold&, bool wide);

  const ProgramData& p_;
  Coder c_;
  PositionCoder positions_ = PositionCoder(c_);
  std::vector<Maker> makers_;              // of each variable of the Program
  std::vector<std::vector<Known>> known_;  // of each variable: elements that are written already
  std::vector<Frame> frames_;
  int guard_ = -1;  // where memory may be read: a condition of a rule
  int tail_ = -1;   // which lanes are on
  std::vector<Read> reads_;
  std::vector<Position> kept_by_lanes_;
  std::vector<Position> counts_;
  bool crosses_lanes_ = false;
  std::int64_t longest_column_ = 0;
  std::vector<Asked> sums_;
  KeptRows kept_;
};

/// The dtype that an element is computed with: f32 for 16-bit floats.
inline Dtype computed_as(Dtype d) { return d == f16 || d == bf16 ? f32 : d; }

}  // namespace baton::cpu
