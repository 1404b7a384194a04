#pragma once
// floating: how floating-point units compute while kernels run, whatever the caller has set.
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace baton::cpu {

/// What numbers below the normal ones are.
enum class Subnormal {
  zero,  // read and written: processors take up to a hundred times as long for them, and a state that decays
         // is full of them
  kept,
};

/// While one lives, this thread rounds to nearest. The settings before come back at the end.
class Floating {
 public:
#if defined(__SSE__)
  explicit Floating(Subnormal s) : before_(_mm_getcsr()) {
    _mm_setcsr(s == Subnormal::zero ? all_masked | flush_results | flush_operands : all_masked);
  }
  ~Floating() { _mm_setcsr(before_); }

 private:
  static constexpr unsigned all_masked = 0x1f80, flush_results = 0x8000, flush_operands = 0x0040;
  const unsigned before_;

 public:
#else
  explicit Floating(Subnormal) {}
  ~Floating() {}
#endif
  Floating(const Floating&) = delete;
  Floating& operator=(const Floating&) = delete;
};

}  // namespace baton::cpu
