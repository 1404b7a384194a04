#pragma once
// interpreter: walks code. It gives the bits that its machine code gives, at once, and some thirty times as
// slowly.
#include "engines/cpu/code/code.h"

namespace baton::cpu {

/// Works on [from, until) of what the code calls its range.
void interpret(const Code&, void* const* pointers, std::int64_t from, std::int64_t until);

}  // namespace baton::cpu
