// evaluated: the kernel of what has no other: the reference's evaluation of the equation.
#include "engines/cpu/floating.h"
#include "engines/cpu/kernels.h"
#include "engines/reference/reference.h"

namespace baton::cpu {
namespace {

class Evaluated final : public Kernel {
 public:
  Evaluated(const ProgramData& p, const Equation& e) : primitive_(*e.primitive), params_(e.params) {
    for (Var v : e.inputs) in_.push_back(p.type(v));
    for (Var v : e.outputs) out_.push_back(p.type(v));
  }
  /// Elementwise evaluations read the elements at one place before they write there.
  bool in_place(std::size_t operand, std::size_t result) const override {
    return primitive_.elementwise && size_of(in_[operand].dtype) == size_of(out_[result].dtype);
  }
  /// Others take memory, or call functions of the user.
  bool may_fail() const override { return !primitive_.elementwise || in_.size() > few; }
  void run(void* const* in, void* const* out, void*, Workers&) const override {
    const Floating floating(Subnormal::kept);  // as the reference has it
    View few_operands[few], few_results[few];
    std::vector<View> operands, results;
    const auto views = [](const Types& types, void* const* data, View* there, std::vector<View>& many) {
      if (types.size() > few) many.resize(types.size()), there = many.data();
      for (std::size_t i = 0; i < types.size(); ++i) there[i] = {&types[i], data[i]};
      return std::span<const View>(there, types.size());
    };
    reference::run(primitive_, views(in_, in, few_operands, operands), views(out_, out, few_results, results),
                   params_);
  }
  Names evaluated() const override { return {primitive_.name}; }

 private:
  static constexpr std::size_t few = 8;  // operands that need no memory

  const Primitive& primitive_;
  const Params params_;
  Types in_, out_;
};

}  // namespace

std::unique_ptr<Kernel> evaluated_kernel(const ProgramData& p, const Equation& e) {
  return std::make_unique<Evaluated>(p, e);
}

}  // namespace baton::cpu
