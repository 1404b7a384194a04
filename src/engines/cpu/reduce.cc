// reduce: each result from the elements that it combines, in their order, by the Plan of the combiner.
#include "engines/cpu/kernels.h"
#include "engines/cpu/lanes.h"
#include "engines/cpu/scalar_plan.h"
#include "ops/combiner.h"

namespace baton::cpu {
namespace {

using ops::at;

/// Offsets in an array of the indices of some of its axes, row-major.
struct Offsets {
  std::vector<std::int64_t> extents, strides;
  std::int64_t count() const {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
  }
  std::int64_t operator[](std::int64_t index) const {
    std::int64_t offset = 0;
    for (std::size_t i = extents.size(); i-- > 0; index /= extents[i])
      offset += index % extents[i] * strides[i];
    return offset;
  }
};

class ReduceKernel final : public Kernel {
 public:
  explicit ReduceKernel(const Making& m) : combiner_(m.equation.params.as<ops::Reduce>().combiner, m.loops) {
    const auto& [p, e, loops] = m;
    const auto& r = e.params.as<ops::Reduce>();
    const Shape& shape = p.type(e.inputs[0]).shape;
    const auto strides = ops::strides_of(shape);
    for (std::size_t i = 0; i < shape.size(); ++i) {
      Offsets& some = ops::holds(r.axes, static_cast<std::int64_t>(i)) ? combined_ : kept_;
      some.extents.push_back(shape[i]), some.strides.push_back(strides[i]);
    }
    for (Var v : e.outputs) sizes_.push_back(static_cast<std::int64_t>(size_of(p.type(v).dtype)));
  }
  std::int64_t scratch() const override { return slots().scratch(); }
  bool in_place(std::size_t, std::size_t) const override { return false; }
  bool may_fail() const override { return combiner_.may_fail(); }
  Names evaluated() const override { return combiner_.evaluated(); }

  void run(void* const* in, void* const* out, void* scratch, Workers& workers) const override {
    constexpr double each = 40;  // nanoseconds of an element
    const std::int64_t elements = combined_.count();
    slots().run(each * static_cast<double>(kept_.count() * elements), scratch, workers,
                [&](std::int64_t result, char* slot) {
                  ScalarPlan::Runs combiner(combiner_, slot);
                  reduce_one(in, out, result, elements, combiner);
                });
  }

 private:
  Slots slots() const { return {kept_.count(), whole_lines(combiner_.scratch())}; }
  void reduce_one(void* const* in, void* const* out, std::int64_t result, std::int64_t elements,
                  ScalarPlan::Runs& combiner) const {
    const std::size_t n = sizes_.size();
    const auto element = [&](void* array, std::size_t k, std::int64_t i) {
      return static_cast<char*>(array) + i * sizes_[k];
    };
    for (std::size_t k = 0; k < n; ++k) {
      combiner.in(k) = element(out[k], k, result);
      std::memcpy(combiner.in(k), in[n + k], at(sizes_[k]));
    }
    const std::int64_t first = kept_[result];
    for (std::int64_t i = 0; i < elements; ++i) {
      const std::int64_t place = first + combined_[i];
      for (std::size_t k = 0; k < n; ++k) combiner.in(n + k) = element(in[k], k, place);
      combiner.run();
      for (std::size_t k = 0; k < n; ++k) std::memcpy(combiner.in(k), combiner.out(k), at(sizes_[k]));
    }
  }

  const ScalarPlan combiner_;
  Offsets kept_, combined_;          // axes of the operands
  std::vector<std::int64_t> sizes_;  // of an element of each operand
};

}  // namespace

std::unique_ptr<Kernel> reduce_kernel(const Making& m) { return std::make_unique<ReduceKernel>(m); }

}  // namespace baton::cpu
