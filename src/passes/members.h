#pragma once
// members: sets of equations by number, as `fuse` wants them: small, sorted, or emptied at once.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace baton::fusion {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

using Members = std::vector<int>;  // equations or groups, by number, ascending

inline bool holds(const Members& all, int i) { return std::binary_search(all.begin(), all.end(), i); }
inline void insert(Members& all, int i) {
  const auto at = std::lower_bound(all.begin(), all.end(), i);
  if (at == all.end() || *at != i) all.insert(at, i);
}
inline Members united(const Members& a, const Members& b) {
  Members all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

/// A set of numbers below a bound that is emptied at once.
class Marks {
 public:
  explicit Marks(std::size_t bound = 0) : of_(bound) {}
  void clear() { ++now_; }
  bool add(int i) { return std::exchange(of_[at(i)], now_) != now_; }
  bool has(int i) const { return of_[at(i)] == now_; }

 private:
  std::vector<std::uint32_t> of_;
  std::uint32_t now_ = 1;
};

}  // namespace baton::fusion
