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
#include "trace/origin.h"
#include "trace/trace.h"

namespace baton {
namespace {

constexpr std::size_t bound = std::size_t{64} << 20;  // bytes
constexpr std::size_t eager_bound = std::size_t{16} << 20;

struct Entry {
  Hash content;
  ExecutablePtr executable;
};
struct Cache {
  std::mutex mutex;
  RecentlyUsed<Entry> entries{bound};
  std::unordered_map<Hash, int, HashOf> contents;  // how many entries have it
  RecentlyUsed<ExecutablePtr> eager{eager_bound};  // of single operations; nullptr where they need none
};
Cache& cache() {
  static Cache& instance =
      *new Cache;  // never destroyed: arrays of other statics may still run Programs at exit
  return instance;
}

ExecutablePtr compile(const Program& program, const std::vector<int>& take, Engine engine,
                      cpu::Compile when) {
  return engine == Engine::cpu ? cpu::compile(program, take, when) : reference::compile(program, take);
}

ExecutablePtr executable_of(const Program& program, const std::vector<int>& take, Engine engine,
                            cpu::Compile when) {
  Hasher hasher;
  hasher.hash(program.hash()).integer(static_cast<int>(engine));
  const Hash content = hasher.finish();
  hasher.integer(static_cast<int>(when));
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
  const ExecutablePtr made = compile(program, take, engine, when);
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

/// The executable of one operation on the cpu; nullptr where the reference does the same: where an operation
/// only hands on bytes.
ExecutablePtr eager_executable(const Primitive& primitive, const Arrays& inputs, const Params& params,
                               const Types& outputs) {
  const Engine engine = default_engine();
  Hasher hasher;
  hasher.hash(hash(primitive, params, types_of(inputs))).integer(static_cast<int>(engine));
  const Hash key = hasher.finish();
  Cache& c = cache();
  {
    std::lock_guard lock(c.mutex);
    if (const ExecutablePtr* known = c.eager.find(key)) return *known;
  }
  ExecutablePtr made;
  if (engine == Engine::cpu && !primitive.views) {
    Builder b;
    std::vector<Var> operands;
    for (const Type& t : types_of(inputs)) operands.push_back(b.input(t));
    const Program program = b.finish(b.equation(primitive, params, operands, outputs, no_origin));
    made = cpu::compile(program, {}, cpu::Compile::when_worth);
  }
  std::lock_guard lock(c.mutex);
  if (const ExecutablePtr* known = c.eager.find(key)) return *known;  // another thread was first
  count().eager_compiles.fetch_add(1, std::memory_order_relaxed);
  c.eager.keep(key, made, made ? made->bytes() : sizeof key);
  return made;
}

}  // namespace

ExecutablePtr executable_of(const Program& program, const std::vector<int>& take, Engine engine) {
  return executable_of(program, take, engine, cpu::Compile::at_once);
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

Arrays execute(const Program& program, Arrays inputs, const std::vector<int>& take, Where where) {
  require_values(inputs, "call", where);
  return executable_of(program, take, default_engine(), cpu::Compile::when_worth)->run(std::move(inputs));
}
Arrays execute(const Program& program, Arrays inputs, Where where) {
  return execute(program, std::move(inputs), {}, where);
}

Arrays execute(const Primitive& primitive, const Arrays& inputs, const Params& params, const Types& outputs,
               Where) {
  const ExecutablePtr executable = eager_executable(primitive, inputs, params, outputs);
  return executable ? executable->run(inputs) : reference::run(primitive, inputs, params, outputs);
}

}  // namespace baton
