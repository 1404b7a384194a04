#pragma once
// reshape: what engines know of it.
#include "ops/rules.h"

namespace baton::ops {

extern const Primitive reshape;

struct Reshape {
  Shape shape;
  BATON_FIELDS(shape)
};

}  // namespace baton::ops
