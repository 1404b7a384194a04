#pragma once
// counted: every call of the system's allocator in this process, and every lock, counted while somebody
// looks.
#include <cstddef>
#include <cstdint>

#include "baton/function_ref.h"

namespace baton::testing {

struct Allocated {
  std::int64_t calls = 0;         // of malloc and its like, and of mmap
  std::int64_t buffer_bytes = 0;  // asked of aligned_alloc and mmap: memory of arrays and arenas
  std::int64_t other_bytes = 0;   // asked otherwise
  std::int64_t locks = 0;         // of mutexes
  std::int64_t buffers_held = 0;  // bytes: memory of arrays and arenas beyond the first
  std::int64_t most_buffers = 0;  // bytes: the most of that at one time
};

/// Counts from its construction on, on all threads.
class Count {
 public:
  Count();
  ~Count();
  Count(const Count&) = delete;
  Count& operator=(const Count&) = delete;
  Allocated so_far() const;

 private:
  const std::int64_t live_before_;
};

/// What a call takes that finds no memory of earlier ones: no arena that lies idle, and none of the small
/// buffers that each thread keeps, since it runs on a thread of its own.
Allocated taken_by_first(FunctionRef<void()> call);

/// False where a sanitizer has its own allocator.
bool counts_allocations();

}  // namespace baton::testing
