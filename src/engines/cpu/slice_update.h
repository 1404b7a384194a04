#pragma once
// slice_update: a dynamic_update_slice that runs by itself and writes its slice alone, into the memory of an
// operand that dies. Only this engine makes such equations.
#include "program/primitive.h"

namespace baton::cpu {

extern const Primitive slice_update;

/// Every dynamic_update_slice whose result something reads as it lies in memory becomes a slice_update, if
/// its slice is small: as a part of a fused loop it would be a pass over the array. The others stay, because
/// where loops alone read the result, it need never lie in memory.
Program set_updates_apart(const Program&);

}  // namespace baton::cpu
