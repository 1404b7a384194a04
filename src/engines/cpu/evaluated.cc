// evaluated: the kernel of what has no other: the reference's evaluation of the equation.
#include "engines/cpu/kernel.h"
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
  void run(void* const* in, void* const* out, void*) const override {
    std::vector<View> operands, results;
    for (std::size_t i = 0; i < in_.size(); ++i) operands.push_back({&in_[i], in[i]});
    for (std::size_t k = 0; k < out_.size(); ++k) results.push_back({&out_[k], out[k]});
    reference::run(primitive_, operands, results, params_);
  }
  bool evaluated() const override { return true; }

 private:
  const Primitive& primitive_;
  const Params params_;
  Types in_, out_;
};

}  // namespace

std::unique_ptr<Kernel> evaluated_kernel(const ProgramData& p, const Equation& e) {
  return std::make_unique<Evaluated>(p, e);
}

std::unique_ptr<Kernel> kernel_for(const ProgramData& p, const Equation& e) { return evaluated_kernel(p, e); }

}  // namespace baton::cpu
