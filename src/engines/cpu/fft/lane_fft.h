#pragma once
// lane_fft: Fourier transforms of several lanes at once, one in each place of a vector, so that every step of
// any length is vectors throughout. Mixed radix; a length with a large prime factor by a convolution of a
// power of two (Bluestein).
#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/held_bytes.h"

namespace baton::cpu {

template <class T>
class LaneFft {
 public:
  static constexpr int lanes = 32 / sizeof(T);
  typedef T Vector __attribute__((vector_size(32)));
  /// A number of each lane.
  struct Number {
    Vector re, im;
  };

  explicit LaneFft(std::int64_t length);

  std::int64_t length() const { return length_; }
  /// How many numbers each of the two memories of `forward` holds.
  std::int64_t room() const { return inner_ ? inner_->length_ : length_; }
  /// sum over i of x[i] exp(-2 pi i k / length): in x or in y, as it returns.
  Number* forward(Number* x, Number* y) const;

 private:
  struct Root {
    T re = 1, im = 0;
  };
  static Root rounded(std::complex<double> root) {
    return {static_cast<T>(root.real()), static_cast<T>(root.imag())};
  }
  static Number times(const Number& a, const Root& w) {
    return {a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
  }
  template <int radix>
  static void butterfly(Number* a);
  template <int radix>
  void step(const Number* x, Number* y, std::int64_t parts, std::int64_t stride) const;
  void step_of_prime(int radix, const Number* x, Number* y, std::int64_t parts, std::int64_t stride) const;
  Number* convolved(Number* x, Number* y) const;

  const std::int64_t length_;
  std::vector<int> radices_;
  std::vector<Root> roots_;  // exp(-2 pi i k / length)
  // Of a convolution.
  std::unique_ptr<LaneFft> inner_;
  std::vector<Root> chirp_, spectrum_;  // exp(-pi i k^2 / length); the transform of what is convolved with
  HeldBytes held_;
};

/// exp(-2 pi i k / n), for 0 <= k < n.
std::complex<double> root_of_unity(std::int64_t k, std::int64_t n);

}  // namespace baton::cpu
