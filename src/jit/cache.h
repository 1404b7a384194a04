#pragma once
// cache: the process's executables, of Programs and of single operations, by content. One bound for all that
// plans, kernels and machine code take, whoever holds them: beyond it goes what nobody else holds, the least
// recently used first.
#include <cstddef>
#include <vector>

#include "baton/engine.h"
#include "baton/program.h"
#include "trace/executable.h"

namespace baton {

/// The executable of this content: found, or made now. Only the first of a content and engine is counted as a
/// compile; another `take` (see engines) or number of threads (of a Jit; 0: those of the process) is another
/// plan for it.
ExecutablePtr executable_of(const Program&, const std::vector<int>& take, Engine, int threads = 0);
/// One run, interpreted until compiling is worth it.
Arrays execute(const Program&, Arrays inputs, const std::vector<int>& take, Where where);
/// Lets go of every executable: who holds one keeps it.
void clear_executables();
/// How many executables the cache holds.
std::size_t executable_count();
/// Sets the bound of HeldBytes::all() and keeps to it at once; gives the bound before. For tests.
std::size_t bound_executables(std::size_t bytes);

}  // namespace baton
