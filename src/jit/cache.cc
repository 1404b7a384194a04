// cache: the process-wide list of executables, under one lock that is not held while one is made ready.
#include "jit/cache.h"

#include <chrono>
#include <mutex>
#include <unordered_map>

#include "base/counters.h"
#include "base/log.h"
#include "base/recently_used.h"
#include "engines/cpu/cpu.h"
#include "engines/reference/reference.h"
#include "trace/executor.h"
#include "trace/trace.h"

namespace baton {
namespace {

constexpr std::size_t bound = std::size_t{64} << 20;  // bytes
constexpr std::size_t max_eager = 1 << 16;            // entries

struct Entry {
  Hash content;
  ExecutablePtr executable;
};
struct Cache {
  std::mutex mutex;
  RecentlyUsed<Entry> entries{bound};
  std::unordered_map<Hash, int, HashOf> contents;  // how many entries have it
  std::unordered_map<Hash, char, HashOf> eager;    // single operations met before
};
Cache& cache() {
  static Cache& instance =
      *new Cache;  // never destroyed: arrays of other statics may still run Programs at exit
  return instance;
}

ExecutablePtr compile(const Program& program, const std::vector<int>& take, Engine engine) {
  return engine == Engine::cpu ? cpu::compile(program, take) : reference::compile(program, take);
}

}  // namespace

ExecutablePtr executable_of(const Program& program, const std::vector<int>& take, Engine engine) {
  Hasher hasher;
  hasher.hash(program.hash()).integer(static_cast<int>(engine));
  const Hash content = hasher.finish();
  for (int t : take) hasher.integer(t);
  const Hash key = hasher.finish();
  Cache& c = cache();
  {
    std::lock_guard lock(c.mutex);
    if (const Entry* known = c.entries.find(key)) {
      count().cache_hits.fetch_add(1, std::memory_order_relaxed);
      return known->executable;
    }
  }
  const auto start = std::chrono::steady_clock::now();
  const ExecutablePtr made = compile(program, take, engine);
  const double ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  std::lock_guard lock(c.mutex);
  if (const Entry* known = c.entries.find(key)) return known->executable;  // another thread was first
  const bool first = ++c.contents[content] == 1;
  if (first) count().compiles.fetch_add(1, std::memory_order_relaxed);
  count().cache_misses.fetch_add(1, std::memory_order_relaxed);
  if (log_compiles())
    log((first ? "compiled" : "planned anew") + std::string(" a Program of ") +
        std::to_string(program.equation_count()) + " equations in " + std::to_string(ms) + " ms");
  c.entries.keep(key, {content, made}, made->bytes(), [&](const Entry& gone) {
    if (--c.contents[gone.content] == 0) c.contents.erase(gone.content);
  });
  return made;
}

void clear_executables() {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  c.entries.clear();
  c.contents.clear();
  c.eager.clear();
}

std::size_t executable_bytes() {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  return c.entries.bytes();
}

Arrays execute(const Program& program, Arrays inputs, Where where) {
  require_values(inputs, "call", where);
  return executable_of(program, {}, default_engine())->run(std::move(inputs));
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
