#pragma once
// code_memory: pages of machine code. They are written, then sealed: no memory is writable and executable at
// one time.
#include "base/held_bytes.h"

namespace baton::cpu {

class CodeMemory {
 public:
  /// Whole pages that hold so many bytes, writable.
  explicit CodeMemory(std::size_t bytes);
  ~CodeMemory();
  CodeMemory(const CodeMemory&) = delete;

  char* data() { return data_; }
  /// Executable, and never writable again.
  void seal();
  /// Of its pages.
  std::size_t bytes() const { return bytes_; }

 private:
  const std::size_t bytes_;
  char* data_ = nullptr;
  HeldBytes held_;
};

}  // namespace baton::cpu
