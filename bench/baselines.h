#pragma once
// baselines: what one would write by hand, one thread, compiled for this machine alone.
#include <cstddef>

namespace bench::by_hand {

struct AdamRates {
  float rate, b1, b2, epsilon;
  float c1, c2;  // 1 - b1^t, 1 - b2^t
};
void adam(float* weights, float* mean, float* square, const float* gradient, std::size_t count,
          const AdamRates&);

}  // namespace bench::by_hand
