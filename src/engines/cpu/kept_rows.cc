// kept_rows: the first writing of a kernel tells which elements are made again, the second keeps their rows
// on the stack of the call.
#include "engines/cpu/kept_rows.h"

#include <algorithm>

namespace baton::cpu {
namespace {

constexpr std::size_t worth_keeping = 10;      // instructions
constexpr std::int64_t most_bytes = 32 << 10;  // of all rows of a kernel, on the stack

}  // namespace

KeptRows::Row* KeptRows::find(const Element& e) {
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) {
    return r.v == e.v && std::equal(r.front.begin(), r.front.end(), e.front.begin(), e.front.end());
  });
  return row == rows_.end() ? nullptr : &*row;
}

/// Whether the element is that of the loop over the row itself, not of one inside it.
bool KeptRows::in_sum(const Element& e) const {
  return e.lane == sum_.lane && c_.depth() == sum_.depth && e.level == sum_.level &&
         p_.type(e.v).shape.back() == sum_.width;
}

void KeptRows::end(const Sum::Now& before) {
  for (Row& r : rows_) r.whole = r.whole || r.kept_by == sum_.id;
  sum_ = before;
}

bool KeptRows::has(const Element& e) const {
  const Row* row = find(e);
  return row && row->whole && row->pointer >= 0;
}
/// The sum stands in the loop that gives the other positions, so whoever asks is inside that loop.
int KeptRows::load(const Element& e, int index) { return c_.load_own(find(e)->pointer, index, e.level); }

KeptRows::Making KeptRows::begin(const Element& e) {
  const int here = in_sum(e) ? sum_.id : 0;
  const Row* row = find(e);
  const bool again = row && row->made_in != here;
  if (!row) rows_.push_back({e.v, {e.front.begin(), e.front.end()}, here});
  again_ += again;
  return {c_.size(), again};
}

/// Of elements that need each other, the last one is enough.
void KeptRows::end(const Making& m, const Element& e) {
  again_ -= m.again;
  if (m.again && again_ == 0 && c_.size() - m.values >= worth_keeping) made_again_.push_back(e.v);
}

bool KeptRows::wants(const Element& e) const {
  return in_sum(e) && std::find(wanted_.begin(), wanted_.end(), e.v) != wanted_.end();
}

void KeptRows::store(const Element& e, int value, int index) {
  Row& row = *find(e);
  if (row.pointer < 0) {
    const Dtype d = c_.at(value).dtype;
    const std::int64_t bytes =
        (sum_.width + lanes - 1) / lanes * lanes * static_cast<std::int64_t>(size_of(d));
    if (d == boolean || c_.own_bytes() + bytes > most_bytes) return;
    row.pointer = c_.own_memory(d, bytes);
  }
  row.kept_by = sum_.id;
  c_.store(c_.wide(value), row.pointer, index);
}

}  // namespace baton::cpu
