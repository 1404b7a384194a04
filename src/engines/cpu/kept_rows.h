#pragma once
// kept_rows: what a sum along a row computes of each element, and a later loop along the same row asks for
// again, such as the exponentials of softmax, is written down on the way, if that takes less time.
#include "engines/cpu/code/code.h"
#include "program/program.h"

namespace baton::cpu {

class KeptRows {
 public:
  /// `wanted`: variables of the Program of which rows are kept.
  KeptRows(const ProgramData& p, Coder& c, std::vector<Var> wanted)
      : p_(p), c_(c), wanted_(std::move(wanted)) {}

  /// An element along lanes: the last of its positions is the variable of the lanes.
  struct Element {
    Var v = -1;
    std::span<const Position> front;  // its other positions
    int lane = -1;                    // the id of the variable
    int level = 0;                    // how many loops the other positions need
  };

  /// While a sum along lanes is written. Only that over one whole row keeps it.
  class Sum {
   public:
    explicit Sum(KeptRows& k) : k_(k), before_(k.sum_) { k.sum_ = {++k.sums_, k.c_.depth(), -1, -1, 0}; }
    ~Sum() { k_.end(before_); }
    Sum(const Sum&) = delete;
    /// The loop along lanes has begun, of a row of this width.
    void along(int lane, std::int64_t width) {
      k_.sum_ = {k_.sum_.id, k_.sum_.level, lane, k_.c_.depth(), width};
    }

   private:
    friend class KeptRows;
    KeptRows& k_;
    const struct Now {
      int id, level;    // which, and in how many loops it stands
      int lane, depth;  // of its own loop
      std::int64_t width;
    } before_;
  };

  /// Whether the whole row lies in memory: then the element is there.
  bool has(const Element&) const;
  /// `index`: of the first lane.
  int load(const Element&, int index);
  /// Around the making of an element.
  struct Making {
    std::size_t values;
    bool again;
  };
  Making begin(const Element&);
  void end(const Making&, const Element&);
  bool wants(const Element&) const;
  void store(const Element&, int value, int index);

  /// The variables whose elements were made again and cost more than reading them.
  const std::vector<Var>& made_again() const { return made_again_; }

 private:
  struct Row {
    Var v;
    std::vector<Position> front;
    int made_in;         // the sum that made its elements first; 0: no sum
    int kept_by = 0;     // the last sum that writes them down
    int pointer = -1;    // -1: they are not kept
    bool whole = false;  // whether all of them are written
  };
  Row* find(const Element&);
  const Row* find(const Element& e) const { return const_cast<KeptRows*>(this)->find(e); }
  bool in_sum(const Element& e) const;
  void end(const Sum::Now& before);

  const ProgramData& p_;
  Coder& c_;
  const std::vector<Var> wanted_;
  std::vector<Row> rows_;
  Sum::Now sum_ = {0, -1, -1, -1, 0};
  int sums_ = 0;
  int again_ = 0;  // how many elements that are made now were made before
  std::vector<Var> made_again_;
};

}  // namespace baton::cpu
