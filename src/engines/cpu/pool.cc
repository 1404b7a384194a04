// pool: as many tasks as threads are wanted, each of which takes one part after the other. So a thread that
// comes late, or never, delays nobody, and a region costs its caller about half a microsecond.
#include "engines/cpu/pool.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>

namespace baton::cpu {

void Pool::run(std::int64_t parts, FunctionRef<void(std::int64_t)> part) {
  const std::int64_t runners = std::min<std::int64_t>(count_, parts);
  if (runners <= 1) {
    for (std::int64_t i = 0; i < parts; ++i) part(i);
    return;
  }
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;  // the first of a part
  const auto runner = [&](std::int64_t) {
    for (std::int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < parts;) {
      try {
        part(i);
      } catch (...) {
        if (!failed.exchange(true)) failure = std::current_exception();
      }
    }
  };
  // fp_settings: every thread computes as the caller's does (floating.h).
  using Context = tbb::task_group_context;
  Context context(Context::isolated, Context::default_traits | Context::fp_settings);
  try {
    tbb::this_task_arena::isolate(
        [&] { tbb::parallel_for(std::int64_t{0}, runners, runner, tbb::simple_partitioner(), context); });
  } catch (...) {  // the system refuses a thread, or memory for one
  }
  runner(0);  // what is left then
  if (failure) std::rethrow_exception(failure);
}

}  // namespace baton::cpu
