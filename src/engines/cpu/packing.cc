// packing: the rows of an array in the order of its copy.
#include "engines/cpu/packing.h"

#include <algorithm>

namespace baton::cpu {

void for_each_row(const Packing& packing, Workers& workers,
                  FunctionRef<void(std::int64_t, std::int64_t, std::int64_t, std::int64_t)> row) {
  const auto& axes = packing.axes;
  if (packing.size() == 0) return;
  if (axes.empty()) return row(0, 0, 1, 1);
  const std::int64_t count = axes.back().extent, rows = packing.size() / count;
  constexpr std::int64_t enough = 1 << 15;  // elements that are worth a part
  const std::int64_t parts = std::clamp<std::int64_t>(packing.size() / enough, 1, 2 * workers.count());
  workers.run(parts, [&](std::int64_t part) {
    const std::int64_t end = rows * (part + 1) / parts;
    for (std::int64_t r = rows * part / parts; r < end; ++r) {
      std::int64_t strided = 0, left = r;
      for (std::size_t i = axes.size() - 1; i-- > 0; left /= axes[i].extent)
        strided += left % axes[i].extent * axes[i].stride;
      row(strided, r * count, count, axes.back().stride);
    }
  });
}

}  // namespace baton::cpu
