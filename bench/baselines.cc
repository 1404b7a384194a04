// baselines: plain loops, which the compiler makes vectors of.
#include "baselines.h"

#include <cmath>

namespace bench::by_hand {

void adam(float* __restrict weights, float* __restrict mean, float* __restrict square,
          const float* __restrict gradient, std::size_t count, const AdamRates& rates) {
  const AdamRates r = rates;
  for (std::size_t i = 0; i < count; ++i) {
    const float g = gradient[i], m = r.b1 * mean[i] + (1 - r.b1) * g,
                v = r.b2 * square[i] + (1 - r.b2) * g * g;
    mean[i] = m;
    square[i] = v;
    weights[i] -= r.rate * (m / r.c1) / (std::sqrt(v / r.c2) + r.epsilon);
  }
}

}  // namespace bench::by_hand
