#pragma once
// cache: the process's executables, keyed by Program content, engine and donation. Bounded in bytes; the
// least recently used goes first.
#include <vector>

#include "baton/engine.h"
#include "baton/program.h"
#include "trace/executable.h"

namespace baton {

/// The executable of this content: found, or made now. Only the first of a content and engine is counted as a
/// compile; another `take` (see engines) is another plan for it.
ExecutablePtr executable_of(const Program&, const std::vector<int>& take, Engine);
/// One run, interpreted until compiling is worth it.
Arrays execute(const Program&, Arrays inputs, const std::vector<int>& take, Where where);
/// Frees every executable that nobody holds.
void clear_executables();
/// Bytes of the executables that the cache holds.
std::size_t executable_bytes();

}  // namespace baton
