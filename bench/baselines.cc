// baselines: plain loops, which the compiler makes vectors of.
#include "baselines.h"

#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

namespace bench::by_hand {

void copy(void* to, const void* from, std::size_t bytes, int threads) {
  const auto share = [&](std::size_t part) { return bytes * part / static_cast<std::size_t>(threads); };
  const auto copy_part = [&](std::size_t part) {
    std::memcpy(static_cast<char*>(to) + share(part), static_cast<const char*>(from) + share(part),
                share(part + 1) - share(part));
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(copy_part, static_cast<std::size_t>(i));
  copy_part(0);
}

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
