#pragma once
// memory: what buffers and arenas lie in.
#include <cstddef>

namespace baton {

/// Memory that begins at a cache line; its content is whatever it is. nullptr where there is none. `bytes`:
/// whole lines. Large memory is the system's own pages: what is given back leaves the process, but for a
/// little that is kept for whoever next wants as much.
void* take_memory(std::size_t bytes) noexcept;
/// `bytes`: as it was taken with.
void free_memory(void* data, std::size_t bytes) noexcept;
/// Gives back to the system what is kept: at the end of all caches, and where memory is refused.
void free_kept_memory() noexcept;
/// What else is given back then: it keeps memory of its own that nobody uses.
void free_with_kept_memory(void (*give_back)()) noexcept;

}  // namespace baton
