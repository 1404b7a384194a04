#pragma once
// counters: where rooms count. Relaxed atomics: each counter is right by itself.
#include <atomic>

#include "baton/counters.h"

namespace baton {

struct AtomicCounters {
  std::atomic<std::int64_t> traces{0}, compiles{0}, eager_compiles{0}, code_modules{0}, cache_hits{0},
      cache_misses{0}, allocations{0}, copies{0}, denied_donations{0}, live_bytes{0}, peak_bytes{0};
};
AtomicCounters& count();
/// Counts bytes that begin or, negative, end to be in use.
void count_live(std::int64_t bytes);

}  // namespace baton
