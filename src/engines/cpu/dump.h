#pragma once
// dump: writes what becomes of a Program into the folder that BATON_DUMP names, where it is set.
#include <string>
#include <string_view>

#include "baton/program.h"

namespace baton::cpu {

/// The stages of one Program, in a folder of its own: 00_traced.txt, 01_inline_calls.txt, ...
class Dump {
 public:
  explicit Dump(const Program&);
  bool wanted() const { return !folder_.empty(); }
  void write(std::string_view stage, const std::string& text);

 private:
  std::string folder_;
  int next_ = 0;
};

}  // namespace baton::cpu
