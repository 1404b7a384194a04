#pragma once
// counters: what Baton has done so far, as integers that tests assert.
#include <cstdint>

namespace baton {

struct Counters {
  std::int64_t traces = 0;          // user functions run to record a Program
  std::int64_t compiles = 0;        // Programs made ready by an engine, once per content
  std::int64_t eager_compiles = 0;  // the same for single operations outside a jit
  std::int64_t code_modules = 0;    // modules of machine code that the code generator has made
  std::int64_t cache_hits = 0;      // calls that found their executable
  std::int64_t cache_misses = 0;
  std::int64_t allocations = 0;       // buffers taken
  std::int64_t copies = 0;            // buffers copied because an output or a donated leaf needed its own
  std::int64_t denied_donations = 0;  // donated leaves that somebody else still held
  std::int64_t live_bytes = 0;        // bytes of live buffers
  std::int64_t peak_bytes = 0;        // the largest live_bytes since reset_peak()
};

/// A snapshot of the process's counters.
Counters counters();
/// Sets peak_bytes to the present live_bytes.
void reset_peak();

}  // namespace baton
