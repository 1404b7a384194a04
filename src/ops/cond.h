#pragma once
// cond: the parameters of the primitive, for engines that run its branches.
#include "ops/loops.h"

namespace baton::ops {

extern const Primitive cond;

struct Cond {
  std::vector<Program> branches;
  BATON_FIELDS(branches)
};

}  // namespace baton::ops
