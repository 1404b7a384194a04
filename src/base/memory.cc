// memory: small memory is the C library's. Large memory would be too, were it not that the C library hands it
// out between small pieces that live longer: hundreds of megabytes then stay with a process that has freed
// them.
#include "base/memory.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <mutex>

#include "base/cache_line.h"

namespace baton {
namespace {

constexpr std::size_t large = std::size_t{64} << 10, kept_at_most = std::size_t{32} << 20;  // bytes
constexpr std::size_t most_kept = 64;                                                       // blocks
constexpr std::size_t huge_page = std::size_t{2} << 20;

struct Block {
  void* data = nullptr;
  std::size_t bytes = 0;
};

void unmap(Block b) noexcept {
  if (munmap(b.data, b.bytes) != 0)
    madvise(b.data, b.bytes, MADV_DONTNEED);  // it would split one map too many
}

/// Pages that nobody has touched; large ones where the system has them.
void* map(std::size_t bytes) noexcept {
  void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  if (bytes >= huge_page) madvise(data, bytes, MADV_HUGEPAGE);
  return data;
}

/// Blocks that leave the process when nobody holds a lock any more.
class Leaving {
 public:
  Leaving() = default;
  ~Leaving() {
    for (std::size_t i = 0; i < size_; ++i) unmap(blocks_[i]);
  }
  Leaving(const Leaving&) = delete;
  void add(Block b) noexcept { blocks_[size_++] = b; }

 private:
  std::array<Block, most_kept> blocks_;
  std::size_t size_ = 0;
};

/// What was freed last, the oldest first.
class Kept {
 public:
  /// The newest of so many bytes; none: nullptr, and as many bytes leave for it, so that the process never
  /// holds more than was in use at one time.
  void* take(std::size_t bytes) noexcept {
    Leaving leaving;
    const std::lock_guard lock(mutex_);
    for (std::size_t i = size_; i-- > 0;)
      if (blocks_[i].bytes == bytes) return remove(i).data;
    for (std::size_t gone = 0; size_ > 0 && gone < bytes;) gone += drop_oldest(leaving);
    return nullptr;
  }
  void keep(Block b) noexcept {
    if (b.bytes > kept_at_most) return unmap(b);
    Leaving leaving;
    const std::lock_guard lock(mutex_);
    while (size_ == blocks_.size() || bytes_ + b.bytes > kept_at_most) drop_oldest(leaving);
    blocks_[size_++] = b;
    bytes_ += b.bytes;
  }
  void clear() noexcept {
    Leaving leaving;
    const std::lock_guard lock(mutex_);
    while (size_ > 0) drop_oldest(leaving);
  }
  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }

 private:
  Block remove(std::size_t i) noexcept {
    const Block b = blocks_[i];
    std::copy(blocks_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
              blocks_.begin() + static_cast<std::ptrdiff_t>(size_),
              blocks_.begin() + static_cast<std::ptrdiff_t>(i));
    --size_;
    bytes_ -= b.bytes;
    return b;
  }
  std::size_t drop_oldest(Leaving& leaving) noexcept {
    const Block b = remove(0);
    leaving.add(b);
    return b.bytes;
  }

  std::mutex mutex_;
  std::array<Block, most_kept> blocks_;
  std::size_t size_ = 0, bytes_ = 0;
};
constinit Kept kept;
constinit std::atomic<void (*)()> others = nullptr;  // give back what they keep

/// A child of fork has none of the threads that may have held the lock. When the library is loaded, since a
/// fork may come at any time.
[[maybe_unused]] const int registered =
    pthread_atfork([] { kept.lock(); }, [] { kept.unlock(); }, [] { kept.unlock(); });

bool mapped([[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  return false;  // it looks for memory that is used after it was freed
#else
  return bytes >= large;
#endif
}

}  // namespace

void* take_memory(std::size_t bytes) noexcept {
  const auto fresh = [&] { return mapped(bytes) ? map(bytes) : std::aligned_alloc(cache_line, bytes); };
  if (mapped(bytes))
    if (void* const again = kept.take(bytes)) return again;
  if (void* const memory = fresh()) return memory;
  free_kept_memory();
  return fresh();
}
void free_memory(void* data, std::size_t bytes) noexcept {
  if (data && mapped(bytes)) return kept.keep({data, bytes});
  std::free(data);
}
void free_kept_memory() noexcept {
  if (void (*const give_back)() = others.load()) give_back();
  kept.clear();
}
void free_with_kept_memory(void (*give_back)()) noexcept { others = give_back; }

}  // namespace baton
