#pragma once
// in_place: which results of loops may lie over which inputs, from what the code reads and writes and where.
#include <set>

#include "engines/cpu/element_coder.h"

namespace baton::cpu {

/// The reads and writes of a kernel, in the order in which its code was written. A stage writes some results,
/// in a loop along lanes or once: within one round all its reads come before its writes.
class InPlace {
 public:
  static constexpr int no_loop = -1;

  void begin_stage(int loop) { ++stage_, loop_ = loop; }
  /// What has been read since the last call.
  void read(std::span<const ElementCoder::Read>);
  void write(std::size_t result, const Position& at) { writes_.push_back({stage_, result, at}); }

  /// The range of the code counts rows, each by itself; without them, elements.
  struct Rows {
    Position row;            // which one
    std::int64_t width = 0;  // of the result: elements of a row; 0: there are no rows
  };
  /// Whether nothing of the input is read after its place is written; both have elements of one size.
  bool may_overwrite(int input, std::size_t result, const Rows&) const;

 private:
  struct Read {
    int stage;
    int input;
    Position at;
    bool in_loop;  // in that along the lanes of its stage
  };
  struct Write {
    int stage;
    std::size_t result;
    Position at;
  };
  bool comes_first(const Read&, const Write&, const Rows&) const;

  int stage_ = 0, loop_ = no_loop;
  std::vector<Read> reads_;
  std::vector<Write> writes_;
  std::set<int> known_;   // values that were read already: they are not read again
  std::size_t seen_ = 0;  // reads
};

}  // namespace baton::cpu
