#pragma once
// constant: the parameters of the primitive, for engines that read its bytes where they lie.
#include "ops/rules.h"

namespace baton::ops {

extern const Primitive constant;

struct Constant {
  Type type;
  Bytes bytes;
  BATON_FIELDS(type, bytes)
};

}  // namespace baton::ops
