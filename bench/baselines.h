#pragma once
// baselines: what one would write by hand, compiled for this machine alone.
#include <cstddef>

namespace bench::by_hand {

struct AdamRates {
  float rate, b1, b2, epsilon;
  float c1, c2;  // 1 - b1^t, 1 - b2^t
};
/// A part of the bytes by each of so many threads.
void copy(void* to, const void* from, std::size_t bytes, int threads);

void adam(float* weights, float* mean, float* square, const float* gradient, std::size_t count,
          const AdamRates&);

}  // namespace bench::by_hand
