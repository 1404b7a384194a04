// cache: the process-wide list of executables, under one lock that is not held while one is made ready.
#include "jit/cache.h"

#include <chrono>
#include <list>
#include <mutex>
#include <unordered_map>

#include "base/counters.h"
#include "base/hash.h"
#include "base/log.h"
#include "trace/executor.h"
#include "trace/trace.h"

namespace baton {
namespace {

constexpr std::size_t bound = std::size_t{64} << 20;  // bytes
constexpr std::size_t max_eager = 1 << 16;            // entries

struct Cache {
  std::mutex mutex;
  std::list<Executable> entries;  // most recently used first
  std::unordered_map<Hash, std::list<Executable>::iterator, HashOf> by_hash;
  std::unordered_map<Hash, char, HashOf> eager;  // single operations met before
  std::size_t bytes = 0;
};
Cache& cache() {
  static Cache& instance =
      *new Cache;  // never destroyed: arrays of other statics may still run Programs at exit
  return instance;
}

}  // namespace

Executable executable_of(const Program& program) {
  Cache& c = cache();
  {
    std::lock_guard lock(c.mutex);
    if (auto it = c.by_hash.find(program.hash()); it != c.by_hash.end()) {
      c.entries.splice(c.entries.begin(), c.entries, it->second);
      count().cache_hits.fetch_add(1, std::memory_order_relaxed);
      return c.entries.front();
    }
  }
  const auto start = std::chrono::steady_clock::now();
  auto made = std::make_shared<const reference::Prepared>(reference::prepare(program));
  if (log_compiles()) {
    const double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    log("compiled a Program of " + std::to_string(program.equation_count()) + " equations in " +
        std::to_string(ms) + " ms");
  }
  std::lock_guard lock(c.mutex);
  if (auto it = c.by_hash.find(program.hash()); it != c.by_hash.end())
    return *it->second;  // another thread was first
  count().cache_misses.fetch_add(1, std::memory_order_relaxed);
  count().compiles.fetch_add(1, std::memory_order_relaxed);
  c.entries.push_front(made);
  c.by_hash.emplace(program.hash(), c.entries.begin());
  c.bytes += made->bytes();
  while (c.bytes > bound && c.entries.size() > 1) {
    c.bytes -= c.entries.back()->bytes();
    c.by_hash.erase(c.entries.back()->program.hash());
    c.entries.pop_back();
  }
  return made;
}

void clear_executables() {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  c.by_hash.clear();
  c.entries.clear();
  c.eager.clear();
  c.bytes = 0;
}

std::size_t executable_bytes() {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  return c.bytes;
}

Arrays execute(const Program& program, Arrays inputs, Where where) {
  require_values(inputs, "call", where);
  const Executable executable = executable_of(program);
  return reference::run(*executable, std::move(inputs), {});
}

Arrays execute(const Primitive& primitive, const Arrays& inputs, const Params& params, const Types& outputs,
               Where) {
  {
    Cache& c = cache();
    const Hash key = hash(primitive, params, types_of(inputs));
    std::lock_guard lock(c.mutex);
    if (c.eager.size() >= max_eager) c.eager.clear();
    if (c.eager.emplace(key, 0).second) count().eager_compiles.fetch_add(1, std::memory_order_relaxed);
  }
  return reference::run(primitive, inputs, params, outputs);
}

}  // namespace baton
