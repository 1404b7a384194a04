#pragma once
// check: what the operations of the check dialect require, and the judgement, with the tolerances of
// openxla's interpreter.
#include <optional>
#include <string>

#include "baton/array.h"

namespace baton::stablehlo {

struct Check {
  enum class Kind { equal, almost_equal, close } kind = Kind::equal;
  double tolerance = 1e-4;                 // almost_equal: absolute
  std::uint64_t min_ulp = 0, max_ulp = 3;  // close
  int line = 0;
};

/// What is wrong with `actual`; nothing if the check holds.
std::optional<std::string> judge(const Check&, const Array& actual, const Array& expected);

}  // namespace baton::stablehlo
