#pragma once
// living: values by the hash of their content, as long as somebody else holds them. It keeps nothing alive.
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/hash.h"

namespace baton {

template <class T>
class Living {
 public:
  /// The value that somebody holds; nullptr where nobody does.
  std::shared_ptr<T> find(const Hash& key) {
    std::lock_guard lock(mutex_);
    const auto it = values_.find(key);
    return it == values_.end() ? nullptr : it->second.lock();
  }
  /// From now on others find the value, unless they find an equal one already.
  void show(const Hash& key, const std::shared_ptr<T>& value) {
    std::lock_guard lock(mutex_);
    if (values_.size() >= worth_looking_) {
      std::erase_if(values_, [](const auto& v) { return v.second.expired(); });
      worth_looking_ = 2 * values_.size() + 64;
    }
    std::weak_ptr<T>& shown = values_[key];
    if (shown.expired()) shown = value;
  }
  /// From now on nobody finds any of them.
  void clear() {
    std::lock_guard lock(mutex_);
    values_.clear();
  }

  /// How many are known, some of which may be dead.
  std::size_t size() {
    std::lock_guard lock(mutex_);
    return values_.size();
  }

 private:
  std::mutex mutex_;
  std::unordered_map<Hash, std::weak_ptr<T>, HashOf> values_;
  std::size_t worth_looking_ = 64;  // how many values are worth a look for dead ones
};

}  // namespace baton
