#pragma once
// recently_used: values by the hash of their content, bounded in bytes: what was used longest ago goes first.
// It has no lock.
#include <list>
#include <unordered_map>

#include "base/hash.h"
#include "baton/function_ref.h"

namespace baton {

template <class T>
class RecentlyUsed {
 public:
  explicit RecentlyUsed(std::size_t bound) : bound_(bound) {}

  /// The value, which is the last used now; nullptr where there is none.
  T* find(const Hash& key) {
    const auto it = by_key_.find(key);
    if (it == by_key_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, it->second);
    return &entries_.front().value;
  }
  /// Keeps a value of a key that has none, whatever its size. `gone` sees those that give way to it.
  void keep(
      const Hash& key, T value, std::size_t bytes, FunctionRef<void(const T&)> gone = [](const T&) {}) {
    entries_.push_front({key, std::move(value), bytes});
    by_key_.emplace(key, entries_.begin());
    bytes_ += bytes;
    while (bytes_ > bound_ && entries_.size() > 1) {
      const Entry& last = entries_.back();
      gone(last.value);
      bytes_ -= last.bytes;
      by_key_.erase(last.key);
      entries_.pop_back();
    }
  }
  void clear() {
    by_key_.clear();
    entries_.clear();
    bytes_ = 0;
  }
  std::size_t bytes() const { return bytes_; }
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Hash key;
    T value;
    std::size_t bytes;
  };
  const std::size_t bound_;
  std::size_t bytes_ = 0;     // of all
  std::list<Entry> entries_;  // the last used first
  std::unordered_map<Hash, typename std::list<Entry>::iterator, HashOf> by_key_;
};

}  // namespace baton
