#pragma once
// pool: the threads that runs share, one pool for the process.
#include <string_view>

#include "engines/cpu/workers.h"

namespace baton::cpu {

/// Threads of the pool, the caller's among them. Several callers may use it at once, and a part may use it
/// again: what waits for its parts runs none of another's. An exception of a part reaches the caller when all
/// parts have ended.
class Pool final : public Workers {
 public:
  explicit Pool(int count) : count_(count) {}
  int count() const override { return count_; }
  void run(std::int64_t parts, FunctionRef<void(std::int64_t)> part) override;

 private:
  int count_;
};

/// How many threads a run has that names no number: BATON_THREADS, or the processors that this process may
/// use.
int default_threads();
/// The number that BATON_THREADS gives; throws a UsageError where it is no number of threads.
int threads_named(std::string_view);

}  // namespace baton::cpu
