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

namespace baton::testing {
namespace {

std::atomic<bool> counting{false};
std::atomic<std::int64_t> calls{0}, buffer_bytes{0}, other_bytes{0}, locks{0};

void note(std::atomic<std::int64_t>& bytes, std::size_t size) {
  if (!counting.load(std::memory_order_relaxed)) return;
  calls.fetch_add(1, std::memory_order_relaxed);
  bytes.fetch_add(static_cast<std::int64_t>(size), std::memory_order_relaxed);
}

}  // namespace

Count::Count() {
  calls = buffer_bytes = other_bytes = locks = 0;
  counting = true;
}
Count::~Count() { counting = false; }
Allocated Count::so_far() const { return {calls, buffer_bytes, other_bytes, locks}; }

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
bool counts_allocations() { return false; }
}  // namespace baton::testing
#else
bool counts_allocations() { return true; }
}  // namespace baton::testing

using baton::testing::buffer_bytes;
using baton::testing::counting;
using baton::testing::locks;
using baton::testing::note;
using baton::testing::other_bytes;

using Lock = int(pthread_mutex_t*);

extern "C" {
void* __libc_malloc(std::size_t);                 // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(std::size_t, std::size_t);    // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void*, std::size_t);         // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(std::size_t, std::size_t);  // NOLINT(bugprone-reserved-identifier)

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
  return __libc_memalign(alignment, size);
}
void* mmap(void* p, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
  note(other_bytes, size);
  return reinterpret_cast<void*>(syscall(SYS_mmap, p, size, protection, flags, file, offset));
}
}
#endif
