// cache: the process-wide list of executables, under one lock that is not held while one is made ready, nor
// while one dies. What several threads want at a time one of them makes.
#include "jit/cache.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/counters.h"
#include "base/held_bytes.h"
#include "base/log.h"
#include "base/recently_used.h"
#include "engines/cpu/cpu.h"
#include "engines/reference/reference.h"
#include "plan/report.h"
#include "trace/executor.h"
#include "trace/origin.h"
#include "trace/trace.h"

namespace baton {
namespace {

constexpr std::size_t default_bound = std::size_t{64} << 20;
constexpr std::size_t bytes_of_entry = 256;  // about, beside its executable

struct Entry {
  std::optional<Hash> content;  // of a Program; none: of a single operation
  ExecutablePtr executable;     // nullptr: an operation that needs none
  std::size_t bytes;            // about, that came with it
};
/// What one thread makes and others wait for.
struct InTheMaking {
  ExecutablePtr made;
  bool ended = false, threw = false;
};
struct Cache {
  std::mutex mutex;
  std::unordered_map<Hash, std::shared_ptr<InTheMaking>, HashOf> in_the_making;
  std::condition_variable ended;  // of one of them
  std::size_t bound = default_bound;
  RecentlyUsed<Entry> entries;
  std::unordered_map<Hash, int, HashOf> contents;  // how many entries have it
};
Cache& cache() {
  static Cache& instance =
      *new Cache;  // never destroyed: arrays of other statics may still run Programs at exit
  return instance;
}

/// Nobody else: to let go of what others hold would free nothing.
constexpr auto held_by_cache_alone = [](const Entry& e) { return e.executable.use_count() <= 1; };

/// Lets go of executables until all fits the bound, or little is the cache's alone: what others hold may take
/// more than the bound, and those that are in use for a moment shall still be found.
void keep_to_bound() {
  Cache& c = cache();
  std::size_t bound, own = 0;
  const auto fits = [&] { return HeldBytes::all() + c.entries.size() * bytes_of_entry <= bound; };
  {
    std::lock_guard lock(c.mutex);
    bound = c.bound;
    if (fits()) return;
    c.entries.for_each([&](const Entry& e) { own += held_by_cache_alone(e) ? e.bytes : 0; });
  }
  while (own > bound / 4) {
    std::optional<Entry> gone;  // dies when the lock is free
    std::lock_guard lock(c.mutex);
    if (fits()) return;
    gone = c.entries.take_oldest(held_by_cache_alone);
    if (!gone) return;
    if (gone->content && --c.contents[*gone->content] == 0) c.contents.erase(*gone->content);
    own -= std::min(own, gone->bytes);
  }
}

/// Makes an executable; with it comes about so much.
template <class Make>
Entry made_by(const Make& make, std::optional<Hash> content) {
  const std::size_t before = HeldBytes::all();
  ExecutablePtr made = make();
  const std::size_t after = HeldBytes::all();  // other threads make some too, and let go of some
  return {content, std::move(made), bytes_of_entry + (after > before ? after - before : 0)};
}

/// What the key has, or what `make` gives it, once, however many threads ask at a time: one makes it and the
/// others wait. `made` runs under the lock, where it is kept.
template <class Make, class Made>
ExecutablePtr found_or_made(const Hash& key, const Make& make, const Made& made) {
  Cache& c = cache();
  std::unique_lock lock(c.mutex);
  const auto found = [&]() -> std::optional<ExecutablePtr> {
    while (true) {
      if (const Entry* known = c.entries.find(key)) return known->executable;
      const auto others = c.in_the_making.find(key);
      if (others == c.in_the_making.end()) return std::nullopt;
      const std::shared_ptr<InTheMaking> its = others->second;
      c.ended.wait(lock, [&] { return its->ended; });
      if (!its->threw) return its->made;
    }
  };
  if (const std::optional<ExecutablePtr> known = found()) return *known;
  const auto mine = std::make_shared<InTheMaking>();
  c.in_the_making.emplace(key, mine);
  lock.unlock();
  const auto end = [&] {
    mine->ended = true;
    c.in_the_making.erase(key);
    c.ended.notify_all();
  };
  try {
    Entry entry = make();
    lock.lock();
    mine->made = entry.executable;
    made();
    c.entries.keep(key, std::move(entry));
  } catch (...) {
    if (!lock) lock.lock();
    mine->threw = true;
    end();
    throw;
  }
  end();
  lock.unlock();
  keep_to_bound();
  return mine->made;
}

ExecutablePtr compile(const Program& program, const std::vector<int>& take, Engine engine, cpu::Compile when,
                      int threads) {
  return engine == Engine::cpu ? cpu::compile(program, take, when, threads)
                               : reference::compile(program, take);
}

ExecutablePtr executable_of(const Program& program, const std::vector<int>& take, Engine engine,
                            cpu::Compile when, int threads) {
  Hasher hasher;
  hasher.hash(program.hash()).integer(static_cast<int>(engine));
  const Hash content = hasher.finish();
  hasher.integer(static_cast<int>(when)).integer(threads);
  for (int t : take) hasher.integer(t);
  const Hash key = hasher.finish();
  double ms = 0;
  bool known = true;
  const auto make = [&] {
    const auto start = std::chrono::steady_clock::now();
    Entry entry = made_by([&] { return compile(program, take, engine, when, threads); }, content);
    ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return entry;
  };
  ExecutablePtr executable = found_or_made(key, make, [&] {
    known = false;
    const bool first = ++cache().contents[content] == 1;
    if (first) count().compiles.fetch_add(1, std::memory_order_relaxed);
    count().cache_misses.fetch_add(1, std::memory_order_relaxed);
    if (log_compiles())
      log((first ? "compiled" : "planned anew") + std::string(" a Program of ") +
          std::to_string(program.equation_count()) + " equations in " + std::to_string(ms) + " ms");
  });
  if (known) count().cache_hits.fetch_add(1, std::memory_order_relaxed);
  return executable;
}

/// The executable of one operation on the cpu; nullptr where the reference does the same: where an operation
/// only hands on bytes.
ExecutablePtr eager_executable(const Primitive& primitive, const Arrays& inputs, const Params& params,
                               const Types& outputs) {
  const Engine engine = default_engine();
  Hasher hasher;
  hasher.text("operation").hash(hash(primitive, params, types_of(inputs))).integer(static_cast<int>(engine));
  const Hash key = hasher.finish();
  const auto make = [&]() -> ExecutablePtr {
    if (engine != Engine::cpu || primitive.views) return nullptr;
    Builder b;
    std::vector<Var> operands;
    for (const Type& t : types_of(inputs)) operands.push_back(b.input(t));
    const Program program = b.finish(b.equation(primitive, params, operands, outputs, no_origin));
    return cpu::compile(program, {}, cpu::Compile::when_worth);
  };
  return found_or_made(
      key, [&] { return made_by(make, std::nullopt); },
      [] { count().eager_compiles.fetch_add(1, std::memory_order_relaxed); });
}

/// One run. Where its memory is refused, the error says by whose name, and from which line.
Arrays run(const Executable& executable, Arrays inputs, const std::string& who, Where where) {
  Arrays results;
  run_named(
      executable, [&] { results = executable.run(std::move(inputs)); },
      [&] { return refusal(who, executable.report({}), where); });
  return results;
}

}  // namespace

ExecutablePtr executable_of(const Program& program, const std::vector<int>& take, Engine engine,
                            int threads) {
  return executable_of(program, take, engine, cpu::Compile::at_once, threads);
}

void clear_executables() {
  Cache& c = cache();
  RecentlyUsed<Entry> gone;  // dies when the lock is free
  std::lock_guard lock(c.mutex);
  std::swap(gone, c.entries);
  c.contents.clear();
}

std::size_t executable_count() {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  return c.entries.size();
}

std::size_t bound_executables(std::size_t bytes) {
  Cache& c = cache();
  {
    std::lock_guard lock(c.mutex);
    std::swap(c.bound, bytes);
  }
  keep_to_bound();
  return bytes;
}

Arrays execute(const Program& program, Arrays inputs, const std::vector<int>& take, Where where) {
  require_values(inputs, "call", where);
  return run(*executable_of(program, take, default_engine(), cpu::Compile::when_worth, 0), std::move(inputs),
             "call", where);
}
Arrays execute(const Program& program, Arrays inputs, Where where) {
  return execute(program, std::move(inputs), {}, where);
}

Arrays execute(const Primitive& primitive, const Arrays& inputs, const Params& params, const Types& outputs,
               Where where) {
  const ExecutablePtr executable = eager_executable(primitive, inputs, params, outputs);
  return executable ? run(*executable, inputs, std::string(primitive.name), where)
                    : reference::run(primitive, inputs, params, outputs);
}

}  // namespace baton
