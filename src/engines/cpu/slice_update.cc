// slice_update: from the last equation to the first it is known which values are read as they lie in memory.
#include "engines/cpu/slice_update.h"

#include <cstring>

#include "engines/cpu/kernels.h"
#include "engines/cpu/packing.h"
#include "ops/indexing.h"
#include "passes/in_memory.h"
#include "passes/rewrite.h"

namespace baton::cpu {
namespace {

using ops::at;

constexpr std::size_t worth_a_step = 4096;  // bytes of an array; a loop over fewer costs less than a step

Types type(std::span<const Type> in, const Params& params) {
  return ops::dynamic_update_slice.type(in, params);
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator& e) {
  ops::dynamic_update_slice.evaluate(in, out, params, e);
}

class Apart {
 public:
  explicit Apart(const Program& program)
      : program_(program), p_(*program), apart_(p_.equations.size()), in_memory_(p_) {}

  Program run() {
    for (std::size_t i = p_.equations.size(); i-- > 0;) {
      const Equation& e = p_.equations[i];
      apart_[i] = e.primitive == &ops::dynamic_update_slice && in_memory_.has(e.outputs[0]) && is_small(e);
      if (apart_[i] || !e.primitive->element)
        for (Var v : e.inputs) in_memory_.need(v);
    }
    return std::count(apart_.begin(), apart_.end(), true) ? rewritten() : program_;
  }

 private:
  Program rewritten() const {
    Rewrite rewrite(program_);
    for (std::size_t i = 0; i < p_.equations.size(); ++i) {
      Equation e = p_.equations[i];
      if (apart_[i]) e.primitive = &slice_update;
      rewrite.set(e.outputs, rewrite.copy(e, e.params));
    }
    return rewrite.finish();
  }
  bool is_small(const Equation& e) const {
    const std::size_t array = p_.type(e.inputs[0]).bytes(), slice = p_.type(e.inputs[1]).bytes();
    return array >= worth_a_step && slice <= array / 2;
  }

  const Program& program_;
  const ProgramData& p_;
  Mask apart_;  // of each equation
  InMemory in_memory_;
};

class SliceUpdateKernel final : public Kernel {
 public:
  SliceUpdateKernel(const ProgramData& p, const Equation& e) : bytes_(p.type(e.inputs[0]).bytes()) {
    const Type &array = p.type(e.inputs[0]), &slice = p.type(e.inputs[1]);
    size_ = static_cast<std::int64_t>(size_of(array.dtype));
    strides_ = ops::strides_of(array.shape);
    for (std::size_t i = 0; i < strides_.size(); ++i) {
      starts_.push_back(p.type(e.inputs[i + 2]));
      highest_.push_back(array.shape[i] - slice.shape[i]);
      slice_.axes.push_back({slice.shape[i], strides_[i]});
    }
    merge_axes(slice_);
  }
  bool in_place(std::size_t operand, std::size_t) const override { return operand == 0; }
  void run(void* const* in, void* const* out, void*, Workers& workers) const override {
    copy_shared(out[0], in[0], bytes_, workers);
    std::int64_t first = 0;
    for (std::size_t i = 0; i < starts_.size(); ++i)
      first += strides_[i] * ops::clamped_at({&starts_[i], in[i + 2]}, 0, highest_[i]);
    char* const to = static_cast<char*>(out[0]) + first * size_;
    const char* const from = static_cast<const char*>(in[1]);
    for_each_row(slice_, workers,
                 [&](std::int64_t place, std::int64_t row, std::int64_t count, std::int64_t stride) {
                   if (stride == 1) return copy_elements(to + place * size_, from + row * size_, count);
                   for (std::int64_t i = 0; i < count; ++i)
                     copy_elements(to + (place + i * stride) * size_, from + (row + i) * size_, 1);
                 });
  }

 private:
  void copy_elements(char* to, const char* from, std::int64_t count) const {
    std::memcpy(to, from, at(count * size_));
  }

  const std::size_t bytes_;
  std::int64_t size_ = 0;  // of an element
  std::vector<std::int64_t> strides_, highest_;
  Types starts_;
  Packing slice_;
};

}  // namespace

extern const Primitive slice_update = {.name = "slice_update", .type = type, .evaluate = evaluate};

Program set_updates_apart(const Program& program) { return Apart(program).run(); }

std::unique_ptr<Kernel> slice_update_kernel(const ProgramData& p, const Equation& e) {
  return std::make_unique<SliceUpdateKernel>(p, e);
}

}  // namespace baton::cpu
