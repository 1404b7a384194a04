// packing: the rows of an array in the order of its copy.
#include "engines/cpu/packing.h"

#include <algorithm>
#include <cstring>

#include "base/cache_line.h"

namespace baton::cpu {

void merge_axes(Packing& packing) {
  auto& axes = packing.axes;
  std::erase_if(axes, [](const Packing::Axis& a) { return a.extent == 1; });
  for (std::size_t i = axes.size(); i-- > 1;) {
    if (axes[i - 1].stride != axes[i].stride * axes[i].extent) continue;
    axes[i - 1] = {axes[i - 1].extent * axes[i].extent, axes[i].stride};
    axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

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

void copy_shared(void* to, const void* from, std::size_t bytes, Workers& workers) {
  if (to == from || bytes == 0) return;
  constexpr std::size_t enough = std::size_t{1} << 18;  // bytes that are worth a part
  const std::size_t parts =
      std::clamp<std::size_t>(bytes / enough, 1, static_cast<std::size_t>(workers.count()));
  const std::size_t each = whole_lines((bytes + parts - 1) / parts);
  workers.run(static_cast<std::int64_t>(parts), [&](std::int64_t part) {
    const std::size_t first = std::min(bytes, static_cast<std::size_t>(part) * each);
    std::memcpy(static_cast<char*>(to) + first, static_cast<const char*>(from) + first,
                std::min(each, bytes - first));
  });
}

}  // namespace baton::cpu
