// cumulative: running sums and their like, each lane from one end to the other, in the order and the
// precision of the reference: 16- and 32-bit floats run in f64, f64 in long double, and an element is rounded
// once. Lanes go side by side, since each waits for its own last step.
#include "ops/cumulative.h"

#include "engines/cpu/kernels.h"
#include "engines/cpu/lanes.h"
#include "ops/elementwise.h"

namespace baton::cpu {
namespace {

template <class T, class F>
class CumulativeKernel final : public Kernel {
 public:
  CumulativeKernel(const Type& type, const ops::Cumulative& p)
      : lanes_(type.shape, p.axis),
        adjacent_(lanes_.step > 1),
        width_(adjacent_ ? most_side_by_side : 8),
        group_(adjacent_ ? lanes_.step : lanes_.count),
        step_(p.reverse ? -lanes_.step : lanes_.step),
        first_(p.reverse ? (lanes_.extent - 1) * lanes_.step : 0) {}
  bool in_place(std::size_t, std::size_t) const override { return true; }
  void run(void* const* in, void* const* out, void*, Workers& workers) const override {
    if (lanes_.count == 0) return;
    const T* const from = static_cast<const T*>(in[0]) + first_;
    T* const to = static_cast<T*>(out[0]) + first_;
    constexpr double each = std::is_same_v<F, ops::LogSumExp> ? 40 : 1;  // nanoseconds of an element
    const std::int64_t blocks = (group_ + width_ - 1) / width_;          // of a group
    const std::int64_t all = lanes_.count / group_ * blocks;
    Slots(all, 0).run(each * static_cast<double>(lanes_.count * lanes_.extent), nullptr, workers,
                      [&](std::int64_t block, char*) {
                        const std::int64_t lane = block % blocks * width_,
                                           n = std::min(width_, group_ - lane);
                        const std::int64_t start =
                            adjacent_ ? block / blocks * group_ * lanes_.extent + lane : lane * lanes_.extent;
                        run_lanes(from + start, to + start, n, adjacent_ ? 1 : lanes_.extent);
                      });
  }

 private:
  static constexpr std::int64_t most_side_by_side = 128;

  /// n lanes that begin this far apart.
  void run_lanes(const T* from, T* to, std::int64_t n, std::int64_t apart) const {
    using W = ops::wide_t<T>;
    W running[most_side_by_side];
    for (std::int64_t lane = 0; lane < n; ++lane) running[lane] = ops::widen(from[lane * apart]);
    for (std::int64_t k = 0;; from += step_, to += step_) {
      if (apart == 1)  // vectors of lanes
        for (std::int64_t lane = 0; lane < n; ++lane) to[lane] = ops::narrow<T>(running[lane]);
      else
        for (std::int64_t lane = 0; lane < n; ++lane) to[lane * apart] = ops::narrow<T>(running[lane]);
      if (++k == lanes_.extent) return;
      const T* const next = from + step_;
      if (apart == 1)
        for (std::int64_t lane = 0; lane < n; ++lane)
          running[lane] = F{}(running[lane], ops::widen(next[lane]));
      else
        for (std::int64_t lane = 0; lane < n; ++lane)
          running[lane] = F{}(running[lane], ops::widen(next[lane * apart]));
    }
  }

  const Lanes lanes_;
  const bool adjacent_;       // whether lanes of a group lie side by side, or one behind the other
  const std::int64_t width_;  // lanes of a block
  const std::int64_t group_;  // lanes
  const std::int64_t step_, first_;
};

}  // namespace

template <class F>
std::unique_ptr<Kernel> cumulative_kernel(const ProgramData& p, const Equation& e) {
  std::unique_ptr<Kernel> kernel;
  const Type& type = p.type(e.inputs[0]);
  with_type(type.dtype, [&]<class T>(Tag<T>) {
    constexpr bool numbers_alone = std::is_same_v<F, ops::Sum> || std::is_same_v<F, ops::Product>;
    constexpr bool admitted = std::is_same_v<F, ops::LogSumExp> ? ops::admits<ops::Domain::inexact, T>
                              : numbers_alone                   ? ops::admits<ops::Domain::number, T>
                                                                : true;
    if constexpr (admitted)
      kernel = std::make_unique<CumulativeKernel<T, F>>(type, e.params.as<ops::Cumulative>());
  });
  return kernel;
}
template std::unique_ptr<Kernel> cumulative_kernel<ops::Sum>(const ProgramData&, const Equation&);
template std::unique_ptr<Kernel> cumulative_kernel<ops::Product>(const ProgramData&, const Equation&);
template std::unique_ptr<Kernel> cumulative_kernel<ops::Larger>(const ProgramData&, const Equation&);
template std::unique_ptr<Kernel> cumulative_kernel<ops::Smaller>(const ProgramData&, const Equation&);
template std::unique_ptr<Kernel> cumulative_kernel<ops::LogSumExp>(const ProgramData&, const Equation&);

}  // namespace baton::cpu
