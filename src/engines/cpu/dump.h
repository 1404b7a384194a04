#pragma once
// dump: writes what becomes of a Program into the folder that BATON_DUMP names, where it is set.
#include <span>
#include <string>
#include <string_view>

#include "baton/program.h"

namespace baton::cpu {

/// The stages of one Program with what may be donated, in a folder of its own: 00_traced.txt,
/// 01_inline_calls.txt, ... Those of single operations outside jit stand in operations/, and not in the
/// index.
class Dump {
 public:
  Dump(const Program&, std::span<const int> take);
  bool wanted() const { return !folder_.empty(); }
  void write(std::string_view stage, const std::string& text);

 private:
  std::string folder_;
  int next_ = 0;
};

}  // namespace baton::cpu
