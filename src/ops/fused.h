#pragma once
// fused: what `fuse` makes of equations that shall run as one kernel.
#include "program/primitive.h"

namespace baton::ops {

struct Fused {
  Program body;
  BATON_FIELDS(body)
};
extern const Primitive fused;

}  // namespace baton::ops
