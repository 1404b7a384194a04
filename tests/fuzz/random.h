#pragma once
// random: numbers from a seed, and arrays of them.
#include <cstdint>
#include <span>

#include "base/element.h"
#include "baton/array.h"

namespace baton::testing {

/// splitmix64.
class SeededNumbers {
 public:
  explicit SeededNumbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits() % n); }
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

/// Integers from 0 to 3, other numbers from low to high.
inline Array random_array(const Type& type, SeededNumbers& random, double low = -1, double high = 1) {
  std::vector<unsigned char> bytes(type.bytes() + 1);
  with_type(type.dtype, [&]<class T>(Tag<T>) {
    for (std::int64_t i = 0; i < type.size(); ++i) {
      const T x = is_inexact(type.dtype) ? convert_element<T>(random.uniform(low, high))
                                         : convert_element<T>(static_cast<std::int64_t>(random.below(4)));
      std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &x, sizeof x);
    }
  });
  return Array(type, bytes.data());
}
inline std::vector<bool> inexact(const std::vector<Type>& types) {
  std::vector<bool> mask;
  for (const Type& t : types) mask.push_back(is_inexact(t.dtype));
  return mask;
}

}  // namespace baton::testing
