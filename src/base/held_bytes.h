#pragma once
// held_bytes: what plans, kernels and machine code take while they live. Each counts itself, so what several
// share is counted once, for as long as any of them holds it.
#include <cstddef>
#include <vector>

namespace baton {

/// What the elements of a list take, and those that it has room for.
template <class T>
std::size_t bytes_of_list(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

/// Bytes that are held as long as this lives.
class HeldBytes {
 public:
  explicit HeldBytes(std::size_t bytes = 0) { set(bytes); }
  ~HeldBytes() { set(0); }
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;

  void set(std::size_t bytes) {
    add(bytes - bytes_);
    bytes_ = bytes;
  }
  /// Of all that live in the process.
  static std::size_t all();
  /// For what knows when it dies: more, or fewer modulo 2^64.
  static void add(std::size_t bytes);

 private:
  std::size_t bytes_ = 0;
};

}  // namespace baton
