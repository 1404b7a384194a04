#pragma once
// threefry: the block function Threefry-2x32 of Salmon et al., 2011, with 20 rounds.
#include <cstdint>
#include <utility>

namespace baton::ops {

inline std::pair<std::uint32_t, std::uint32_t> threefry_block(std::uint32_t key0, std::uint32_t key1,
                                                              std::uint32_t x0, std::uint32_t x1) {
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const std::uint32_t keys[3] = {key0, key1, key0 ^ key1 ^ 0x1BD11BDAu};
  x0 += key0;
  x1 += key1;
  for (std::uint32_t group = 0; group < 5; ++group) {
    for (int r : rotations[group % 2]) {
      x0 += x1;
      x1 = (x1 << r | x1 >> (32 - r)) ^ x0;
    }
    x0 += keys[(group + 1) % 3];
    x1 += keys[(group + 2) % 3] + group + 1;
  }
  return {x0, x1};
}

}  // namespace baton::ops
