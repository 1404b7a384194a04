#pragma once
// workers: the threads that share the work of one run.
#include <cstdint>

#include "baton/function_ref.h"

namespace baton::cpu {

class Workers {
 public:
  /// How many parts run side by side at most, the caller's thread among them.
  virtual int count() const = 0;
  /// Runs part(0) ... part(parts - 1) in any order, and returns when all have ended. Parts write different
  /// memory, and what a part computes does not depend on who runs it.
  virtual void run(std::int64_t parts, FunctionRef<void(std::int64_t)> part) = 0;

 protected:
  ~Workers() = default;
};

/// The caller's thread alone: no lock, no allocation, no system call.
class Alone final : public Workers {
 public:
  int count() const override { return 1; }
  void run(std::int64_t parts, FunctionRef<void(std::int64_t)> part) override {
    for (std::int64_t i = 0; i < parts; ++i) part(i);
  }
};

}  // namespace baton::cpu
