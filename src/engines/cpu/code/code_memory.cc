// code_memory: pages from the system, and back to it.
#include "engines/cpu/code/code_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "baton/error.h"

namespace baton::cpu {
namespace {

std::size_t whole_pages(std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
}

[[noreturn]] void refused(std::size_t bytes) {
  throw DeviceError(
      "baton: no memory for " + bytes_text(static_cast<std::int64_t>(bytes)) +
      " of machine code: the system refused it, or forbids a process to make code. Engine::reference "
      "needs none.");
}

}  // namespace

CodeMemory::CodeMemory(std::size_t bytes) : bytes_(whole_pages(bytes)) {
  void* const pages = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) refused(bytes_);
  data_ = static_cast<char*>(pages);
  held_.set(bytes_);
}

CodeMemory::~CodeMemory() { munmap(data_, bytes_); }

void CodeMemory::seal() {
  if (mprotect(data_, bytes_, PROT_READ | PROT_EXEC)) refused(bytes_);
  __builtin___clear_cache(data_, data_ + bytes_);
}

}  // namespace baton::cpu
