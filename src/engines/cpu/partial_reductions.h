#pragma once
// partial_reductions: long reductions as reductions of parts, which several threads can make side by side,
// and one of what the parts give. The results stay the same but for the order in which elements are combined.
#include "baton/program.h"

namespace baton::cpu {

/// How a reduction is cut depends on its operand's shape and its axes alone, so its bits depend on nothing
/// else.
Program reduce_in_parts(const Program&);

}  // namespace baton::cpu
