// window_walk: place by place; with dilated lhs, every place of the same phase.
#include "engines/cpu/window_walk.h"

#include <algorithm>
#include <numeric>

namespace baton::cpu {
namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }

}  // namespace

std::vector<Stretch> stretches(const WindowAxis& x) {
  std::vector<Stretch> all;
  constexpr std::int64_t far = std::int64_t{1} << 31;
  for (std::int64_t n : {x.stride, x.low, x.lhs_dilation, x.window_dilation})
    if (n > far || n < -far) return {};
  const std::int64_t phases = x.lhs_dilation / std::gcd(x.stride, x.lhs_dilation);
  const std::int64_t apart =
      x.lhs_dilation / std::gcd(x.window_dilation, x.lhs_dilation);  // elements that meet lhs
  const std::int64_t end = (x.lhs - 1) * x.lhs_dilation + 1;         // of lhs with its holes
  std::int64_t touches = 0;
  for (std::int64_t phase = 0; phase < std::min(phases, x.out); ++phase) {
    std::int64_t last_first = -1, last_count = -1;
    for (std::int64_t o = phase; o < x.out; o += phases) {
      const std::int64_t position = o * x.stride - x.low;  // of the window's first element
      std::int64_t first = position < 0 ? floor_div(-position + x.window_dilation - 1, x.window_dilation) : 0;
      const std::int64_t stop = first + apart;
      while (first < std::min(stop, x.window) && (position + first * x.window_dilation) % x.lhs_dilation)
        ++first;
      std::int64_t count = 0;
      if (first < stop && first < x.window) {
        const std::int64_t most =
            floor_div(end - 1 - position, x.window_dilation);  // the last element inside
        const std::int64_t last = most < x.window - 1 ? most : x.window - 1;
        if (x.lhs > 0 && last >= first) count = (last - first) / apart + 1;
      }
      if (count == 0) first = 0;
      if (first == last_first && count == last_count) {
        ++all.back().count;
        continue;
      }
      last_first = first, last_count = count;
      if ((touches += count) > 1'000'000) return {};
      Stretch s{o, phases, 1, {}, phases * x.stride / x.lhs_dilation};
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t k = first + i * apart;
        s.touches.push_back(
            {x.reversed ? x.window - 1 - k : k, (position + k * x.window_dilation) / x.lhs_dilation});
      }
      all.push_back(std::move(s));
    }
  }
  return all;
}

}  // namespace baton::cpu
