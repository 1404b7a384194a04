// in_place: workers take rows, or elements where there are none, in any order. So a read may come before a
// write of its own row or element alone.
#include "engines/cpu/in_place.h"

#include <algorithm>

namespace baton::cpu {

void InPlace::read(std::span<const ElementCoder::Read> all) {
  for (; seen_ < all.size(); ++seen_) {
    const ElementCoder::Read& r = all[seen_];
    if (!known_.insert(r.value).second) continue;
    const bool in_loop = std::find(r.loops.begin(), r.loops.end(), loop_) != r.loops.end();
    reads_.push_back({stage_, r.input, r.at, in_loop});
  }
}

bool InPlace::may_overwrite(int input, std::size_t result, const Rows& rows) const {
  return std::all_of(reads_.begin(), reads_.end(), [&](const Read& r) {
    return r.input != input || std::all_of(writes_.begin(), writes_.end(), [&](const Write& w) {
             return w.result != result || comes_first(r, w, rows);
           });
  });
}

bool InPlace::comes_first(const Read& r, const Write& w, const Rows& rows) const {
  // Each element of a result is written once. So what is written where the read is, in its own stage, is the
  // element of this write in the same round, or none of those that this write writes.
  const bool own_element = std::any_of(writes_.begin(), writes_.end(), [&](const Write& other) {
    return other.result == w.result && other.stage == r.stage && other.at == r.at;
  });
  if (own_element) return true;
  if (rows.width == 0) return false;
  const bool own_row = (r.at - rows.row * rows.width).range().within(0, rows.width);
  return own_row && (r.stage < w.stage || (r.stage == w.stage && !r.in_loop));
}

}  // namespace baton::cpu
