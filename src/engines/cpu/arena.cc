// arena: large memory is handed from one run to the next through a list of what lies idle. Whoever finds none
// that is large enough frees the list before it takes more: so the process never holds more than its runs did
// at one time, however many functions it has compiled.
#include "engines/cpu/arena.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "base/cache_line.h"
#include "base/counters.h"
#include "base/memory.h"
#include "trace/node.h"

namespace baton::cpu {
namespace {

constexpr std::size_t large = std::size_t{1} << 16;  // bytes

struct Memory {
  void* data = nullptr;
  std::size_t bytes = 0;
};

struct Idle {
  std::mutex mutex;
  std::vector<Memory> memory;       // the largest last
  std::vector<std::size_t> wanted;  // of each arena that is alive, the largest last
};
void free_idle();
Idle& idle() {
  static Idle& instance = *[] {  // never destroyed: arenas of other statics may outlive it
    free_with_kept_memory(free_idle);
    return new Idle;
  }();
  return instance;
}

Memory allocate_memory(std::size_t bytes) {
  void* data = take_memory(bytes);
  if (!data) throw std::bad_alloc();
  count().allocations.fetch_add(1, std::memory_order_relaxed);
  return {data, bytes};
}

void free_all(std::vector<Memory>& memory) {
  for (const Memory& m : memory) free_memory(m.data, m.bytes);
  memory.clear();
}
void free_idle() {
  Idle& i = idle();
  std::lock_guard lock(i.mutex);
  free_all(i.memory);
}

Memory take_idle(std::size_t bytes) {
  Idle& i = idle();
  {
    std::lock_guard lock(i.mutex);
    const auto fits =
        std::find_if(i.memory.begin(), i.memory.end(), [&](Memory m) { return m.bytes >= bytes; });
    if (fits != i.memory.end()) {
      const Memory found = *fits;
      i.memory.erase(fits);
      return found;
    }
    free_all(i.memory);
  }
  return allocate_memory(bytes);
}

void give_back(Memory given) {
  Idle& i = idle();
  std::lock_guard lock(i.mutex);
  const auto behind =
      std::find_if(i.memory.begin(), i.memory.end(), [&](Memory m) { return m.bytes >= given.bytes; });
  i.memory.insert(behind, given);
}

}  // namespace

Arena::Arena(std::size_t bytes, Keep keep)
    : bytes_(whole_lines(bytes)), shared_(keep == Keep::shared_if_large && bytes >= large) {
  if (!shared_) return;
  Idle& i = idle();
  std::lock_guard lock(i.mutex);
  i.wanted.insert(std::upper_bound(i.wanted.begin(), i.wanted.end(), bytes_), bytes_);
  i.memory.reserve(i.wanted.size());  // no run allocates in order to give back
}

Arena::~Arena() {
  free_memory(data_, capacity_);
  if (!shared_) return;
  Idle& i = idle();
  std::lock_guard lock(i.mutex);
  i.wanted.erase(std::lower_bound(i.wanted.begin(), i.wanted.end(), bytes_));
  while (!i.memory.empty() && (i.wanted.empty() || i.memory.back().bytes > i.wanted.back())) {
    free_memory(i.memory.back().data, i.memory.back().bytes);  // nobody is left who is so large
    i.memory.pop_back();
  }
}

Arena::Use::Use(Arena& arena) : arena_(arena) {
  if (arena.bytes_ == 0) return;
  if (!arena.data_) {
    const Memory memory = arena.shared_ ? take_idle(arena.bytes_) : allocate_memory(arena.bytes_);
    arena.data_ = memory.data, arena.capacity_ = memory.bytes;
  }
  count_live(static_cast<std::int64_t>(arena.capacity_));  // more, where a larger one lay idle
}

Arena::Use::~Use() {
  if (arena_.bytes_ == 0) return;
  count_live(-static_cast<std::int64_t>(arena_.capacity_));
  if (arena_.shared_) give_back({std::exchange(arena_.data_, nullptr), arena_.capacity_});
}

}  // namespace baton::cpu
