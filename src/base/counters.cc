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
          .cache_hits = c.cache_hits,
          .cache_misses = c.cache_misses,
          .allocations = c.allocations,
          .copies = c.copies,
          .denied_donations = c.denied_donations,
          .live_bytes = c.live_bytes,
          .peak_bytes = c.peak_bytes};
}

void reset_peak() { count().peak_bytes = count().live_bytes.load(); }

}  // namespace baton
