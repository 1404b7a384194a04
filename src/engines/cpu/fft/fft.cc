// fft: axis after axis, each lane by lane, a vector of lanes at a time. A long lane that is almost alone is a
// matrix: its columns are transformed, turned, and then its rows, so that vectors are full, threads share the
// work, and what is worked on stays in the cache.
#include "ops/fft.h"

#include <bit>
#include <cmath>

#include "base/cache_line.h"
#include "engines/cpu/fft/lane_fft.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/lanes.h"

namespace baton::cpu {
namespace {

using lax::FftType;

/// What lies on one side of a transform: of `half`, the rest is the mirror image.
enum class Side { complex, half, real };

/// Lanes of n numbers, of which some elements lie in an array.
template <class T, Side side>
struct LaneArray {
  using Complex = std::complex<T>;
  using Element = std::conditional_t<side == Side::real, T, Complex>;
  Element* data;
  std::int64_t n;
  const Lanes& lanes;

  Element* lane(std::int64_t which) const { return data + lanes.start(which); }
  Complex get(const Element* lane, std::int64_t i) const {
    if constexpr (side == Side::real) {
      return lane[i * lanes.step];
    } else if constexpr (side == Side::half) {
      const Complex x = i < lanes.extent ? lane[i * lanes.step] : std::conj(lane[(n - i) * lanes.step]);
      return i == 0 || 2 * i == n ? Complex(x.real()) : x;  // as the spectrum of a real signal is
    } else {
      return lane[i * lanes.step];
    }
  }
  void put(Element* lane, std::int64_t i, Complex x) const {
    if constexpr (side == Side::real)
      lane[i * lanes.step] = x.real();
    else if (i < lanes.extent)
      lane[i * lanes.step] = x;
  }
};

/// How lanes of one length are transformed.
template <class T>
class AxisFft {
 public:
  using Complex = std::complex<T>;
  using Number = typename LaneFft<T>::Number;
  static constexpr std::int64_t width = LaneFft<T>::lanes;

  AxisFft(std::int64_t n, std::int64_t count) : n_(n), count_(count) {
    constexpr std::int64_t long_lane = 1 << 14, short_lane = 64;
    if (n > long_lane || (count < width && n >= short_lane))
      for (std::int64_t d = width / 2; d * d <= n; ++d)
        if (n % d == 0) rows_ = d;
    columns_fft_ = std::make_unique<LaneFft<T>>(rows_ ? rows_ : n);
    if (!rows_) return;
    rows_fft_ = std::make_unique<LaneFft<T>>(n / rows_);
    // exp(-2 pi i k / n) is an element of `fine_` times one of `coarse_`.
    fine_bits_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) / 2;
    const std::int64_t fine = std::int64_t{1} << fine_bits_;
    for (std::int64_t k = 0; k < fine; ++k) fine_.push_back(rounded(root_of_unity(k, n)));
    for (std::int64_t k = 0; k < n; k += fine) coarse_.push_back(rounded(root_of_unity(k, n)));
    held_.set(sizeof *this + bytes_of_list(fine_) + bytes_of_list(coarse_));
  }

  std::int64_t scratch() const { return between_bytes() + slots(groups()).scratch(); }
  template <class From, class To>
  void run(const From& from, const To& to, bool inverse, char* scratch, Workers& workers) const {
    const double work =
        2.0 * static_cast<double>(n_) * std::log2(static_cast<double>(n_) + 1);  // ns of a lane
    const T scale = inverse ? 1 / static_cast<T>(n_) : T(1);
    const auto get = [&](auto* lane, std::int64_t i) { return turned(from.get(lane, i), inverse); };
    const auto put = [&](auto* lane, std::int64_t i, Complex x) {
      to.put(lane, i, turned(x, inverse) * scale);
    };
    char* const memory = scratch + between_bytes();
    if (!rows_) {
      slots(groups()).run(work * static_cast<double>(count_), memory, workers,
                          [&](std::int64_t group, char* slot) {
                            const std::int64_t first = group * width;
                            decltype(from.lane(0)) ins[width];
                            decltype(to.lane(0)) outs[width];
                            const std::int64_t lanes = std::min(width, count_ - first);
                            for (std::int64_t l = 0; l < lanes; ++l)
                              ins[l] = from.lane(first + l), outs[l] = to.lane(first + l);
                            transform(
                                *columns_fft_, lanes, reinterpret_cast<Number*>(slot),
                                [&](std::int64_t l, std::int64_t i) { return get(ins[l], i); },
                                [&](std::int64_t l, std::int64_t k, Complex x) { put(outs[l], k, x); });
                          });
      return;
    }
    // Element i is at (i / columns, i % columns) of the matrix, and k at (k % rows, k / rows) of the result.
    const std::int64_t columns = n_ / rows_;
    Complex* const between = reinterpret_cast<Complex*>(scratch);
    for (std::int64_t lane = 0; lane < count_; ++lane) {
      const auto in = from.lane(lane);
      const auto out = to.lane(lane);
      slots((columns + width - 1) / width)
          .run(work / 2, memory, workers, [&](std::int64_t group, char* slot) {
            const std::int64_t first = group * width;
            transform(
                *columns_fft_, std::min(width, columns - first), reinterpret_cast<Number*>(slot),
                [&](std::int64_t l, std::int64_t i) { return get(in, i * columns + first + l); },
                [&](std::int64_t l, std::int64_t k, Complex x) {
                  between[k * columns + first + l] = product(x, root(k * (first + l)));
                });
          });
      slots((rows_ + width - 1) / width).run(work / 2, memory, workers, [&](std::int64_t group, char* slot) {
        const std::int64_t first = group * width;
        transform(
            *rows_fft_, std::min(width, rows_ - first), reinterpret_cast<Number*>(slot),
            [&](std::int64_t l, std::int64_t i) { return between[(first + l) * columns + i]; },
            [&](std::int64_t l, std::int64_t k, Complex x) { put(out, first + l + rows_ * k, x); });
      });
    }
  }

 private:
  /// An inverse transform is one forwards between exchanges of the parts.
  static Complex turned(Complex x, bool inverse) { return inverse ? Complex(x.imag(), x.real()) : x; }
  static Complex rounded(std::complex<double> x) {
    return {static_cast<T>(x.real()), static_cast<T>(x.imag())};
  }
  static Complex product(Complex x, Complex y) {  // that of the standard library asks for NaN
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  }
  Complex root(std::int64_t k) const {
    const auto at = static_cast<std::size_t>(k);
    return product(fine_[at & (fine_.size() - 1)], coarse_[at >> fine_bits_]);
  }

  std::int64_t between_bytes() const {
    return rows_ ? whole_lines(n_ * static_cast<std::int64_t>(sizeof(Complex))) : 0;
  }
  std::int64_t groups() const { return ((rows_ ? n_ / rows_ : count_) + width - 1) / width; }
  Slots slots(std::int64_t groups) const {
    const std::int64_t room = std::max(columns_fft_->room(), rows_fft_ ? rows_fft_->room() : 0);
    return {groups, 2 * room * static_cast<std::int64_t>(sizeof(Number))};
  }

  /// A group of lanes: get(lane, i) and put(lane, k, number).
  template <class Get, class Put>
  static void transform(const LaneFft<T>& fft, std::int64_t lanes, Number* x, const Get& get,
                        const Put& put) {
    for (std::int64_t i = 0; i < fft.length(); ++i) {
      if (lanes < width) x[i] = Number();
      for (std::int64_t l = 0; l < lanes; ++l) {
        const Complex element = get(l, i);
        x[i].re[l] = element.real(), x[i].im[l] = element.imag();
      }
    }
    const Number* const found = fft.forward(x, x + fft.room());
    for (std::int64_t k = 0; k < fft.length(); ++k)
      for (std::int64_t l = 0; l < lanes; ++l) put(l, k, Complex(found[k].re[l], found[k].im[l]));
  }

  const std::int64_t n_, count_;
  std::int64_t rows_ = 0;  // of the matrix; 0: lanes are transformed whole
  std::unique_ptr<LaneFft<T>> columns_fft_, rows_fft_;
  int fine_bits_ = 0;
  std::vector<Complex> fine_, coarse_;
  HeldBytes held_;
};

template <class T>
class FftKernel final : public Kernel {
 public:
  using Complex = std::complex<T>;
  FftKernel(const Type& in, const Type& out, const ops::Fft& p)
      : kind_(p.kind), in_(in), out_(out), lengths_(p.lengths), signal_({p.lengths.back()}, 0) {
    if (in.size() == 0 || out.size() == 0) return;
    const Shape& shape = p.kind == FftType::irfft ? in.shape : out.shape;  // of the array of complex numbers
    const std::size_t first = shape.size() - p.lengths.size();
    for (std::size_t i = 0; i < p.lengths.size(); ++i) {
      lanes_.emplace_back(shape, static_cast<std::int64_t>(first + i));
      axes_.push_back(std::make_unique<AxisFft<T>>(p.lengths[i], lanes_[i].count));
      fft_scratch_ = std::max(fft_scratch_, axes_.back()->scratch());
    }
    if (p.kind == FftType::irfft && axes_.size() > 1)
      spectrum_bytes_ = whole_lines(static_cast<std::int64_t>(in.bytes()));
  }
  std::int64_t scratch() const override { return spectrum_bytes_ + fft_scratch_; }
  /// Lanes are read before they are written, in rows and columns too.
  bool in_place(std::size_t, std::size_t) const override {
    return in_.bytes() == out_.bytes() && in_.dtype == out_.dtype;
  }

  void run(void* const* in, void* const* out, void* scratch, Workers& workers) const override {
    if (in_.size() == 0 || out_.size() == 0) return;
    char* const memory = static_cast<char*>(scratch);
    const std::size_t last = axes_.size() - 1;
    const auto axis = [&](std::size_t i, auto from, auto to) {
      axes_[i]->run(from, to, is_inverse(), memory + spectrum_bytes_, workers);
    };
    if (kind_ == FftType::irfft) {
      Complex* spectrum = static_cast<Complex*>(in[0]);
      for (std::size_t i = 0; i < last; ++i) {
        Complex* const next = reinterpret_cast<Complex*>(memory);
        axis(i, array<Side::complex>(spectrum, i), array<Side::complex>(next, i));
        spectrum = next;
      }
      return axis(last, array<Side::half>(spectrum, last), signal(out[0]));
    }
    Complex* const result = static_cast<Complex*>(out[0]);
    if (kind_ == FftType::rfft)
      axis(last, signal(in[0]), array<Side::complex>(result, last));
    else
      axis(last, array<Side::complex>(static_cast<Complex*>(in[0]), last),
           array<Side::complex>(result, last));
    for (std::size_t i = 0; i < last; ++i)
      axis(i, array<Side::complex>(result, i), array<Side::complex>(result, i));
  }

 private:
  bool is_inverse() const { return kind_ == FftType::ifft || kind_ == FftType::irfft; }
  template <Side side>
  LaneArray<T, side> array(Complex* data, std::size_t axis) const {
    return {data, lengths_[axis], lanes_[axis]};
  }
  LaneArray<T, Side::real> signal(void* data) const {
    return {static_cast<T*>(data), lengths_.back(), signal_};
  }

  const FftType kind_;
  const Type in_, out_;
  const std::vector<std::int64_t> lengths_;  // of the signal
  const Lanes signal_;                       // of real numbers, one behind the other
  std::vector<Lanes> lanes_;                 // of the array of complex numbers, along each axis
  std::vector<std::unique_ptr<AxisFft<T>>> axes_;
  std::int64_t fft_scratch_ = 0, spectrum_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> fft_kernel(const ProgramData& p, const Equation& e) {
  const Type &in = p.type(e.inputs[0]), &out = p.type(e.outputs[0]);
  const auto& params = e.params.as<ops::Fft>();
  if (real_of(in.dtype) == f32) return std::make_unique<FftKernel<float>>(in, out, params);
  return std::make_unique<FftKernel<double>>(in, out, params);
}

}  // namespace baton::cpu
