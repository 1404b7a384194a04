// memory_check: pages are asked for and given back, untouched.
#include "engines/cpu/memory_check.h"

#include <sys/mman.h>

#include "base/memory.h"
#include "base/text.h"
#include "baton/error.h"

namespace baton::cpu {

void require_memory(std::int64_t bytes, const std::string& what, const std::string& cure) {
  const auto size = static_cast<std::size_t>(bytes);
  const auto ask = [&] {
    return mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  };
  void* memory = ask();
  if (memory == MAP_FAILED) {
    free_kept_memory();
    memory = ask();
  }
  if (memory == MAP_FAILED)
    throw DeviceError("cpu: " + what + " takes " + bytes_text(bytes) +
                      " of memory, which the system refuses.\n  " + cure);
  munmap(memory, size);
}

}  // namespace baton::cpu
