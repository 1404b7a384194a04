#pragma once
// window_walk: where the elements of a window lie on an axis, for each place of the window. Places that see
// the same elements of the window, one step apart each, make a stretch; holes and padding are in none of
// them.
#include <cstdint>
#include <vector>

namespace baton::cpu {

struct WindowAxis {
  std::int64_t lhs = 1, window = 1, out = 1;  // extents
  std::int64_t stride = 1, low = 0, lhs_dilation = 1, window_dilation = 1;
  bool reversed = false;
};

struct Stretch {
  std::int64_t out = 0, out_step = 1, count = 0;  // places of the result
  /// Elements of the window, and of lhs below them at the first place. From one place to the next lhs moves
  /// by `step`.
  struct Touch {
    std::int64_t window, lhs;
  };
  std::vector<Touch> touches;
  std::int64_t step = 0;
};

/// All places of the axis, each in one stretch; none where the touches would be more than
/// a million, or lie further apart than 2^31.
std::vector<Stretch> stretches(const WindowAxis&);

}  // namespace baton::cpu
