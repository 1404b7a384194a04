// lane_fft: each step of Stockham's algorithm splits sequences of `radix * parts` numbers, of which `stride`
// are interleaved, into radix times as many of `parts`; the order comes out right by itself.
#include "engines/cpu/fft/lane_fft.h"

#include <cmath>
#include <utility>

namespace baton::cpu {
namespace {

constexpr int most_radix = 31;

/// The radices of a length; none if a prime factor is too large.
std::vector<int> radices_of(std::int64_t n) {
  std::vector<int> radices;
  for (int r : {4, 2, 3, 5})
    for (; n % r == 0; n /= r) radices.push_back(r);
  for (int r = 7; r <= most_radix; r += 2)
    for (; n % r == 0; n /= r) radices.push_back(r);
  return n == 1 ? radices : std::vector<int>();
}

std::int64_t power_of_two(std::int64_t at_least) {
  std::int64_t n = 1;
  while (n < at_least) n *= 2;
  return n;
}

}  // namespace

std::complex<double> root_of_unity(std::int64_t k, std::int64_t n) {
  const double angle = 2 * M_PI * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), -std::sin(angle)};
}

template <class T>
LaneFft<T>::LaneFft(std::int64_t length) : length_(length), radices_(radices_of(length)) {
  if (!radices_.empty() || length <= 1) {
    for (std::int64_t k = 0; k < length; ++k) roots_.push_back(rounded(root_of_unity(k, length)));
    held_.set(sizeof *this + bytes_of_list(roots_));
    return;
  }
  // ki = (k^2 + i^2 - (k - i)^2) / 2: a product of chirps before, one behind, and a convolution between.
  inner_ = std::make_unique<LaneFft>(power_of_two(2 * length - 1));
  const std::int64_t n = inner_->length_;
  const LaneFft<double> precise(n);
  using Precise = typename LaneFft<double>::Number;
  std::vector<Precise> x(static_cast<std::size_t>(n)), y(x.size());
  for (std::int64_t k = 0; k < length; ++k) {
    const std::complex<double> c = root_of_unity(k * k % (2 * length), 2 * length);
    chirp_.push_back(rounded(c));
    for (std::int64_t i : {k, (n - k) % n}) {
      x[static_cast<std::size_t>(i)].re[0] = c.real();
      x[static_cast<std::size_t>(i)].im[0] = -c.imag();
    }
  }
  const Precise* const found = precise.forward(x.data(), y.data());
  const double scale = 1 / static_cast<double>(n);
  for (std::int64_t k = 0; k < n; ++k)
    spectrum_.push_back(rounded({found[k].re[0] * scale, found[k].im[0] * scale}));
  held_.set(sizeof *this + bytes_of_list(chirp_) + bytes_of_list(spectrum_));
}

template <class T>
template <int radix>
void LaneFft<T>::butterfly(Number* a) {
  if constexpr (radix == 2) {
    const Number x = a[0];
    a[0] = {x.re + a[1].re, x.im + a[1].im};
    a[1] = {x.re - a[1].re, x.im - a[1].im};
  } else if constexpr (radix == 3) {
    const T half = T(0.5), high = static_cast<T>(0.86602540378443864676);
    const Number sum = {a[1].re + a[2].re, a[1].im + a[2].im};
    const Number turned = {(a[1].im - a[2].im) * high, (a[2].re - a[1].re) * high};
    const Number middle = {a[0].re - sum.re * half, a[0].im - sum.im * half};
    a[0] = {a[0].re + sum.re, a[0].im + sum.im};
    a[1] = {middle.re + turned.re, middle.im + turned.im};
    a[2] = {middle.re - turned.re, middle.im - turned.im};
  } else if constexpr (radix == 4) {
    const Number s = {a[0].re + a[2].re, a[0].im + a[2].im}, d = {a[0].re - a[2].re, a[0].im - a[2].im};
    const Number t = {a[1].re + a[3].re, a[1].im + a[3].im};
    const Number turned = {a[1].im - a[3].im, a[3].re - a[1].re};
    a[0] = {s.re + t.re, s.im + t.im};
    a[1] = {d.re + turned.re, d.im + turned.im};
    a[2] = {s.re - t.re, s.im - t.im};
    a[3] = {d.re - turned.re, d.im - turned.im};
  } else {
    static_assert(radix == 5);
    const T c1 = static_cast<T>(0.30901699437494742410), c2 = static_cast<T>(-0.80901699437494742410);
    const T s1 = static_cast<T>(0.95105651629515357212), s2 = static_cast<T>(0.58778525229247312917);
    const Number p = {a[1].re + a[4].re, a[1].im + a[4].im}, q = {a[2].re + a[3].re, a[2].im + a[3].im};
    const Number u = {a[1].im - a[4].im, a[4].re - a[1].re}, v = {a[2].im - a[3].im, a[3].re - a[2].re};
    const Number x = {a[0].re + p.re * c1 + q.re * c2, a[0].im + p.im * c1 + q.im * c2};
    const Number y = {a[0].re + p.re * c2 + q.re * c1, a[0].im + p.im * c2 + q.im * c1};
    const Number f = {u.re * s1 + v.re * s2, u.im * s1 + v.im * s2};
    const Number g = {u.re * s2 - v.re * s1, u.im * s2 - v.im * s1};
    a[0] = {a[0].re + p.re + q.re, a[0].im + p.im + q.im};
    a[1] = {x.re + f.re, x.im + f.im};
    a[4] = {x.re - f.re, x.im - f.im};
    a[2] = {y.re + g.re, y.im + g.im};
    a[3] = {y.re - g.re, y.im - g.im};
  }
}

template <class T>
template <int radix>
void LaneFft<T>::step(const Number* x, Number* y, std::int64_t parts, std::int64_t stride) const {
  for (std::int64_t q = 0; q < parts; ++q) {
    Root w[radix];
    for (int j = 1; j < radix; ++j) w[j] = roots_[static_cast<std::size_t>(j * q * stride)];
    const Number* const from = x + stride * q;
    Number* const to = y + stride * radix * q;
    for (std::int64_t r = 0; r < stride; ++r) {
      Number a[radix];
#pragma GCC unroll 8
      for (int k = 0; k < radix; ++k) a[k] = from[r + stride * parts * k];
      butterfly<radix>(a);
      to[r] = a[0];
#pragma GCC unroll 8
      for (int j = 1; j < radix; ++j) to[r + stride * j] = times(a[j], w[j]);
    }
  }
}

template <class T>
void LaneFft<T>::step_of_prime(int radix, const Number* x, Number* y, std::int64_t parts,
                               std::int64_t stride) const {
  const std::int64_t turn = length_ / radix;
  for (std::int64_t q = 0; q < parts; ++q)
    for (std::int64_t r = 0; r < stride; ++r) {
      const Number* const from = x + r + stride * q;
      for (int j = 0; j < radix; ++j) {
        Number sum = from[0];
        for (int k = 1; k < radix; ++k) {
          const Number term =
              times(from[stride * parts * k], roots_[static_cast<std::size_t>(j * k % radix * turn)]);
          sum = {sum.re + term.re, sum.im + term.im};
        }
        y[r + stride * (radix * q + j)] = times(sum, roots_[static_cast<std::size_t>(j * q * stride)]);
      }
    }
}

template <class T>
auto LaneFft<T>::forward(Number* x, Number* y) const -> Number* {
  if (inner_) return convolved(x, y);
  std::int64_t parts = length_, stride = 1;
  for (int radix : radices_) {
    parts /= radix;
    if (radix == 2)
      step<2>(x, y, parts, stride);
    else if (radix == 3)
      step<3>(x, y, parts, stride);
    else if (radix == 4)
      step<4>(x, y, parts, stride);
    else if (radix == 5)
      step<5>(x, y, parts, stride);
    else
      step_of_prime(radix, x, y, parts, stride);
    stride *= radix;
    std::swap(x, y);
  }
  return x;
}

template <class T>
auto LaneFft<T>::convolved(Number* x, Number* y) const -> Number* {
  for (std::int64_t k = 0; k < length_; ++k) x[k] = times(x[k], chirp_[static_cast<std::size_t>(k)]);
  for (std::int64_t k = length_; k < inner_->length_; ++k) x[k] = Number();
  Number* const there = inner_->forward(x, y);
  Number* const other = there == x ? y : x;
  // An inverse transform is one forwards between exchanges of the parts.
  for (std::int64_t k = 0; k < inner_->length_; ++k) {
    const Number product = times(there[k], spectrum_[static_cast<std::size_t>(k)]);
    there[k] = {product.im, product.re};
  }
  Number* const back = inner_->forward(there, other);
  for (std::int64_t k = 0; k < length_; ++k)
    back[k] = times({back[k].im, back[k].re}, chirp_[static_cast<std::size_t>(k)]);
  return back;
}

template class LaneFft<float>;
template class LaneFft<double>;

}  // namespace baton::cpu
