// instructions: asked once of the processor.
#include "engines/cpu/instructions.h"

#include <algorithm>
#include <atomic>

namespace baton::cpu {
namespace {

std::atomic<Instructions> widest{Instructions::avx512};

Instructions of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return Instructions::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Instructions::avx2;
#endif
  return Instructions::plain;
}

}  // namespace

Instructions instructions_of_processor() {
  static const Instructions own = of_processor();
  return own;
}
Instructions instructions() {
  return std::min(instructions_of_processor(), widest.load(std::memory_order_relaxed));
}

bool masks_cost_little() {
#if defined(__x86_64__)
  static const bool known = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return known && instructions() == Instructions::avx512;
#else
  return false;
#endif
}

NoWiderThan::NoWiderThan(Instructions most) : before_(widest.exchange(most)) {}
NoWiderThan::~NoWiderThan() { widest = before_; }

}  // namespace baton::cpu
