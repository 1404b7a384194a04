// counters: the process's counters.
#include "base/counters.h"

namespace baton {

AtomicCounters& count() {
  static AtomicCounters instance;
  return instance;
}

Counters counters() {
  const AtomicCounters& c = count();
  return {.traces = c.traces,
          .compiles = c.compiles,
          .eager_compiles = c.eager_compiles,
          .code_modules = c.code_modules,
          .cache_hits = c.cache_hits,
          .cache_misses = c.cache_misses,
          .allocations = c.allocations,
          .copies = c.copies,
          .denied_donations = c.denied_donations,
          .live_bytes = c.live_bytes,
          .peak_bytes = c.peak_bytes};
}

void reset_peak() { count().peak_bytes = count().live_bytes.load(); }

void count_live(std::int64_t bytes) {
  AtomicCounters& c = count();
  const std::int64_t now = c.live_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::int64_t peak = c.peak_bytes.load(std::memory_order_relaxed);
  while (now > peak && !c.peak_bytes.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

}  // namespace baton
