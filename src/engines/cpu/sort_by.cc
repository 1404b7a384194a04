// sort_by: places are merged in runs of twice the length each time, as the comparator says; of two that it
// does not tell apart the first stays first.
#include "engines/cpu/kernels.h"
#include "engines/cpu/lanes.h"
#include "engines/cpu/scalar_plan.h"
#include "ops/order.h"

namespace baton::cpu {
namespace {

using Place = std::uint32_t;

class SortByKernel final : public Kernel {
 public:
  SortByKernel(const Making& m, const ops::SortBy& s)
      : lanes_(m.program.type(m.equation.inputs[0]).shape, s.dimension), comparator_(s.comparator, m.loops) {
    for (Var v : m.equation.inputs)
      sizes_.push_back(static_cast<std::int64_t>(size_of(m.program.type(v).dtype)));
  }
  std::int64_t scratch() const override { return slots().scratch(); }
  bool in_place(std::size_t, std::size_t) const override { return false; }
  bool may_fail() const override { return comparator_.may_fail(); }
  Names evaluated() const override { return comparator_.evaluated(); }

  void run(void* const* in, void* const* out, void* scratch, Workers& workers) const override {
    constexpr double each = 500;  // nanoseconds of an element
    slots().run(each * static_cast<double>(lanes_.count * lanes_.extent), scratch, workers,
                [&](std::int64_t lane, char* slot) { sort_lane(in, out, lanes_.start(lane), slot); });
  }

 private:
  std::int64_t places_bytes() const {
    return whole_lines(lanes_.extent * static_cast<std::int64_t>(sizeof(Place)));
  }
  Slots slots() const { return {lanes_.count, 2 * places_bytes() + whole_lines(comparator_.scratch())}; }

  void sort_lane(void* const* in, void* const* out, std::int64_t start, char* slot) const {
    ScalarPlan::Runs comparator(comparator_, slot + 2 * places_bytes());
    const auto element = [&](void* array, std::size_t k, Place i) {
      return static_cast<char*>(array) + (start + i * lanes_.step) * sizes_[k];
    };
    const auto before = [&](Place i, Place j) {
      for (std::size_t k = 0; k < sizes_.size(); ++k)
        comparator.in(2 * k) = element(in[k], k, i), comparator.in(2 * k + 1) = element(in[k], k, j);
      comparator.run();
      return *static_cast<const bool*>(comparator.out(0));
    };
    const std::int64_t n = lanes_.extent;
    Place *from = reinterpret_cast<Place*>(slot), *to = reinterpret_cast<Place*>(slot + places_bytes());
    std::iota(from, from + n, Place{0});
    for (std::int64_t run = 1; run < n; run *= 2, std::swap(from, to))
      for (std::int64_t first = 0; first < n; first += 2 * run)
        std::merge(from + first, from + std::min(n, first + run), from + std::min(n, first + run),
                   from + std::min(n, first + 2 * run), to + first, before);
    for (std::size_t k = 0; k < sizes_.size(); ++k)
      for (std::int64_t i = 0; i < n; ++i)
        std::memcpy(element(out[k], k, static_cast<Place>(i)), element(in[k], k, from[i]),
                    static_cast<std::size_t>(sizes_[k]));
  }

  const Lanes lanes_;
  const ScalarPlan comparator_;
  std::vector<std::int64_t> sizes_;  // of an element of each operand
};

}  // namespace

std::unique_ptr<Kernel> sort_by_kernel(const Making& m) {
  const auto& s = m.equation.params.as<ops::SortBy>();
  const std::int64_t extent =
      m.program.type(m.equation.inputs[0]).shape[static_cast<std::size_t>(s.dimension)];
  if (extent > std::int64_t{std::numeric_limits<Place>::max()}) return nullptr;
  return std::make_unique<SortByKernel>(m, s);
}

}  // namespace baton::cpu
