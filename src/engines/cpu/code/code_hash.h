#pragma once
// code_hash: the content of code, for who shares what was compiled from it.
#include "base/hash.h"
#include "engines/cpu/code/code.h"

namespace baton::cpu {

/// Equal for equal codes alone.
Hash hash_of(const Code&);
/// What the code takes.
std::size_t bytes_of(const Code&);

}  // namespace baton::cpu
