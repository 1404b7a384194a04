#pragma once
// lanes: the rows of an array along one of its axes, and how threads share them.
#include <algorithm>
#include <functional>
#include <numeric>

#include "baton/type.h"
#include "engines/cpu/workers.h"

namespace baton::cpu {

struct Lanes {
  Lanes(const Shape& shape, std::int64_t axis) {
    const auto product = [](auto first, auto last) {
      return std::accumulate(first, last, std::int64_t{1}, std::multiplies<>());
    };
    extent = shape[static_cast<std::size_t>(axis)];
    step = product(shape.begin() + axis + 1, shape.end());
    count = extent == 0 ? 0 : product(shape.begin(), shape.begin() + axis) * step;
  }
  /// Where the first element of a lane lies.
  std::int64_t start(std::int64_t lane) const { return lane / step * step * extent + lane % step; }

  std::int64_t count = 0, extent = 0;
  std::int64_t step = 1;  // between elements of a lane
};

/// Things that threads do side by side, as many as there are slots, each with scratch of its own. How many
/// slots there are does not depend on threads.
class Slots {
 public:
  /// `bytes`: that one thing needs, a multiple of a cache line.
  Slots(std::int64_t things, std::int64_t bytes) : things_(things), bytes_(bytes) {
    constexpr std::int64_t most = 16, few = 4, enough_bytes = std::int64_t{64} << 20;
    const std::int64_t least = bytes <= enough_bytes ? few : 1;
    count_ = std::min({things, most, std::max(least, enough_bytes / std::max<std::int64_t>(bytes, 1))});
  }
  std::int64_t scratch() const { return count_ * bytes_; }
  /// Calls f(thing, its scratch) for each thing; those of one slot one after the other. `work`: about the
  /// nanoseconds of all.
  template <class F>
  void run(double work, void* scratch, Workers& workers, const F& f) const {
    constexpr double worth_a_part = 10000;
    const auto worth = static_cast<std::int64_t>(std::min(work / worth_a_part, 1e6));
    const std::int64_t parts =
        std::max<std::int64_t>(std::min<std::int64_t>({count_, workers.count(), worth}), 1);
    workers.run(parts, [&](std::int64_t part) {
      char* const mine = static_cast<char*>(scratch) + part * bytes_;
      for (std::int64_t i = things_ * part / parts; i < things_ * (part + 1) / parts; ++i) f(i, mine);
    });
  }

 private:
  std::int64_t things_, bytes_, count_ = 0;
};

}  // namespace baton::cpu
