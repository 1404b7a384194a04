#pragma once
// cache: the process's executables, keyed by Program content. Bounded in bytes; the least recently used goes
// first.
#include <memory>

#include "engines/reference/reference.h"

namespace baton {

using Executable = std::shared_ptr<const reference::Prepared>;

/// The executable of this content: found, or prepared now and counted as a compile.
Executable executable_of(const Program&);
/// Frees every executable that nobody holds.
void clear_executables();
/// Bytes of the executables that the cache holds.
std::size_t executable_bytes();

}  // namespace baton
