#pragma once
// pack: places intervals of time, each with a size, so that no two that meet in time meet in memory.
#include <cstdint>
#include <span>
#include <vector>

namespace baton {

struct Lifetime {
  int lower = 0, upper = 0;  // half-open, in steps
  std::int64_t size = 0;     // bytes
};

struct Packing {
  std::vector<std::int64_t> offsets;  // of each lifetime
  std::int64_t capacity = 0;          // bytes that hold them all
};

/// The best of several greedy orders, each improved a little. The same lifetimes give the same packing.
Packing pack(std::span<const Lifetime>);
/// The most bytes alive at once: no packing is smaller.
std::int64_t peak_of(std::span<const Lifetime>);

}  // namespace baton
