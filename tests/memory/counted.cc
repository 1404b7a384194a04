// counted: the allocator of the whole process and its locking of mutexes, replaced by functions that count
// and call the C library's.
#include "memory/counted.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <thread>

#include "base/memory.h"
#include "trace/node.h"

namespace baton::testing {
namespace {

std::atomic<bool> counting{false};
std::atomic<std::int64_t> calls{0}, buffer_bytes{0}, other_bytes{0}, locks{0};
std::atomic<std::int64_t> live{0}, most_live{0};  // bytes of buffers

void note(std::atomic<std::int64_t>& bytes, std::size_t size) {
  if (!counting.load(std::memory_order_relaxed)) return;
  calls.fetch_add(1, std::memory_order_relaxed);
  bytes.fetch_add(static_cast<std::int64_t>(size), std::memory_order_relaxed);
}

/// How large each buffer is that has not been freed: a table of its own, since it serves the allocator. The
/// slots that a search would pass are never left empty: those behind a freed one move up.
class Sizes {
 public:
  void add(void* p, std::size_t bytes) {
    const Held held(lock_);
    std::size_t i = home(p);
    for (std::size_t steps = 0; slots_[i].p; i = next(i))
      if (++steps == count) std::abort();  // more buffers at one time than any test has
    slots_[i] = {p, bytes};
  }
  /// The bytes of the buffer, or 0 where it is none.
  std::size_t remove(void* p) {
    const Held held(lock_);
    std::size_t hole = home(p);
    while (slots_[hole].p != p) {
      if (!slots_[hole].p) return 0;
      hole = next(hole);
    }
    const std::size_t bytes = slots_[hole].bytes;
    for (std::size_t i = next(hole); slots_[i].p; i = next(i))
      if ((i - home(slots_[i].p)) % count >= (i - hole) % count) slots_[hole] = slots_[i], hole = i;
    slots_[hole] = {};
    return bytes;
  }

 private:
  static constexpr std::size_t count = std::size_t{1} << 16;
  struct Slot {
    void* p = nullptr;
    std::size_t bytes = 0;
  };
  struct Held {
    explicit Held(std::atomic_flag& f) : flag(f) {
      while (flag.test_and_set(std::memory_order_acquire)) {
      }
    }
    ~Held() { flag.clear(std::memory_order_release); }
    std::atomic_flag& flag;
  };
  static std::size_t home(void* p) {
    return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(p) >> 6) * 0x9E3779B97F4A7C15 >> 48);
  }
  static std::size_t next(std::size_t i) { return (i + 1) % count; }

  Slot slots_[count];
  std::atomic_flag lock_;
};
constinit Sizes sizes;  // the allocator is called before any constructor

constexpr std::size_t alignment_of_buffers = 64;

void note_buffer(void* p, std::size_t alignment, std::size_t bytes) {
  if (!p || alignment < alignment_of_buffers) return;
  sizes.add(p, bytes);
  const auto size = static_cast<std::int64_t>(bytes);
  const std::int64_t now = live.fetch_add(size, std::memory_order_relaxed) + size;
  std::int64_t most = most_live.load(std::memory_order_relaxed);
  while (now > most && !most_live.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
}
void forget_buffer(void* p) {
  if (!p || reinterpret_cast<std::uintptr_t>(p) % alignment_of_buffers) return;
  live.fetch_sub(static_cast<std::int64_t>(sizes.remove(p)), std::memory_order_relaxed);
}

}  // namespace

Count::Count() : live_before_(live) {
  calls = buffer_bytes = other_bytes = locks = 0;
  most_live = live.load();
  counting = true;
}
Count::~Count() { counting = false; }
Allocated Count::so_far() const {
  return {calls, buffer_bytes, other_bytes, locks, live - live_before_, most_live - live_before_};
}

Allocated taken_by_first(FunctionRef<void()> call) {
  free_kept_memory();
  Allocated taken;
  std::thread([&] {
    release(allocate(1 << 12));  // what the thread takes for its list of small memory, which stays empty
    const Count count;
    call();
    taken = count.so_far();
  }).join();
  return taken;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
bool counts_allocations() { return false; }
}  // namespace baton::testing
#else
bool counts_allocations() { return true; }
}  // namespace baton::testing

using baton::testing::alignment_of_buffers;
using baton::testing::buffer_bytes;
using baton::testing::counting;
using baton::testing::forget_buffer;
using baton::testing::locks;
using baton::testing::note;
using baton::testing::note_buffer;
using baton::testing::other_bytes;

using Lock = int(pthread_mutex_t*);

extern "C" {
void* __libc_malloc(std::size_t);                 // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(std::size_t, std::size_t);    // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void*, std::size_t);         // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(std::size_t, std::size_t);  // NOLINT(bugprone-reserved-identifier)
void __libc_free(void*);                          // NOLINT(bugprone-reserved-identifier)

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (counting.load(std::memory_order_relaxed)) locks.fetch_add(1, std::memory_order_relaxed);
  static Lock* real = nullptr;  // no guard: whoever comes at the same time finds the same
  if (!real) real = reinterpret_cast<Lock*>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  return real(mutex);
}
void* malloc(std::size_t size) {
  note(other_bytes, size);
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  note(other_bytes, n * size);
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t size) {
  note(other_bytes, size);
  return __libc_realloc(p, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  note(other_bytes, size);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  note(other_bytes, size);
  *p = __libc_memalign(alignment, size);
  return *p ? 0 : ENOMEM;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  note(buffer_bytes, size);
  void* const p = __libc_memalign(alignment, size);
  note_buffer(p, alignment, size);
  return p;
}
void free(void* p) {
  forget_buffer(p);
  __libc_free(p);
}
void* mmap(void* p, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
  const bool buffer = protection == (PROT_READ | PROT_WRITE) && flags == (MAP_PRIVATE | MAP_ANONYMOUS);
  note(buffer ? buffer_bytes : other_bytes, size);
  void* const data = reinterpret_cast<void*>(syscall(SYS_mmap, p, size, protection, flags, file, offset));
  if (buffer && data != MAP_FAILED) note_buffer(data, alignment_of_buffers, size);
  return data;
}
int munmap(void* p, std::size_t size) noexcept {
  forget_buffer(p);
  return static_cast<int>(syscall(SYS_munmap, p, size));
}
}
#endif
