#pragma once
// convert_element_type: what engines know of it.
#include "ops/rules.h"

namespace baton::ops {

extern const Primitive convert_element_type;

struct ConvertElementType {
  Dtype dtype = f32;
  BATON_FIELDS(dtype)
};

}  // namespace baton::ops
