#pragma once
// threefry: the block function Threefry-2x32 of Salmon et al., 2011, with 20 rounds.
#include <cstdint>
#include <utility>

namespace baton::ops {

/// W is std::uint32_t, or what counts like it.
template <class W>
std::pair<W, W> threefry_block(W key0, W key1, W x0, W x1) {
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const W keys[3] = {key0, key1, key0 ^ key1 ^ 0x1BD11BDAu};
  x0 = x0 + key0;
  x1 = x1 + key1;
  for (std::uint32_t group = 0; group < 5; ++group) {
    for (int r : rotations[group % 2]) {
      x0 = x0 + x1;
      x1 = (x1 << r | x1 >> (32 - r)) ^ x0;
    }
    x0 = x0 + keys[(group + 1) % 3];
    x1 = x1 + keys[(group + 2) % 3] + (group + 1);
  }
  return {x0, x1};
}

}  // namespace baton::ops
