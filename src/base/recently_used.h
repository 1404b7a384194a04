#pragma once
// recently_used: values by the hash of their content, in the order of their last use. Who keeps them says
// when there are too many, and takes out the oldest. It has no lock.
#include <list>
#include <optional>
#include <unordered_map>

#include "base/hash.h"
#include "baton/function_ref.h"

namespace baton {

template <class T>
class RecentlyUsed {
 public:
  /// The value, which is the last used now; nullptr where there is none.
  T* find(const Hash& key) {
    const auto it = by_key_.find(key);
    if (it == by_key_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, it->second);
    return &entries_.front().value;
  }
  /// Keeps a value of a key that has none; it is the last used.
  void keep(const Hash& key, T value, std::size_t bytes = 0) {
    entries_.push_front({key, std::move(value), bytes});
    bytes_ += bytes;
    by_key_.emplace(key, entries_.begin());  // last, since it may throw: the value then only grows old
  }
  /// Takes out the value whose last use is longest ago, of those that may go; nothing where all must stay.
  std::optional<T> take_oldest(FunctionRef<bool(const T&)> may_go = [](const T&) { return true; }) {
    for (auto it = entries_.end(); it != entries_.begin();) {
      if (!may_go((--it)->value)) continue;
      std::optional<T> oldest = std::move(it->value);
      bytes_ -= it->bytes;
      by_key_.erase(it->key);
      entries_.erase(it);
      return oldest;
    }
    return std::nullopt;
  }
  /// The last used first.
  void for_each(FunctionRef<void(const T&)> see) const {
    for (const Entry& e : entries_) see(e.value);
  }
  void clear() {
    by_key_.clear();
    entries_.clear();
    bytes_ = 0;
  }
  /// The sum of what `keep` was told.
  std::size_t bytes() const { return bytes_; }
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Hash key;
    T value;
    std::size_t bytes;
  };
  std::size_t bytes_ = 0;
  std::list<Entry> entries_;  // the last used first
  std::unordered_map<Hash, typename std::list<Entry>::iterator, HashOf> by_key_;
};

}  // namespace baton
