// cond: the Plan of the branch that the index names. Where each branch can write a result into the memory of
// an operand, or hands that operand on, the two may lie in one place.
#include "ops/cond.h"

#include <algorithm>

#include "engines/cpu/kernels.h"
#include "engines/cpu/nested.h"

namespace baton::cpu {
namespace {

/// For each operand of the branches: the result that is best written into its memory, or -1. First those that
/// a branch hands on, then those at the same place, then any of its type.
std::vector<int> take_of(const std::vector<Program>& branches) {
  const Types in = branches[0].inputs(), out = branches[0].outputs();
  std::vector<int> take(in.size(), -1);
  std::vector<bool> taken(out.size());
  const auto give = [&](std::size_t i, std::size_t k) {
    if (take[i] >= 0 || taken[k] || in[i] != out[k]) return;
    take[i] = static_cast<int>(k);
    taken[k] = true;
  };
  for (std::size_t k = 0; k < out.size(); ++k)
    for (const Program& b : branches)
      if (const Var v = b->outputs[k]; b->is_input(v)) give(static_cast<std::size_t>(v), k);
  for (std::size_t k = 0; k < std::min(in.size(), out.size()); ++k) give(k, k);
  for (std::size_t k = 0; k < out.size(); ++k)
    for (std::size_t i = 0; i < in.size(); ++i) give(i, k);
  return take;
}

class CondKernel final : public Kernel {
 public:
  CondKernel(const ops::Cond& p, const Type& index, LoopCompiler& loops) : boolean_(index.dtype == boolean) {
    const std::vector<int> take = take_of(p.branches);
    for (const Program& b : p.branches) branches_.push_back(std::make_unique<Nested>(b, take, loops));
    for (const auto& b : branches_) {
      scratch_ = std::max(scratch_, b->scratch());
      may_fail_ = may_fail_ || b->may_fail();
      evaluated_.insert(evaluated_.end(), b->evaluated().begin(), b->evaluated().end());
    }
  }
  std::int64_t scratch() const override { return scratch_; }
  bool in_place(std::size_t operand, std::size_t result) const override {
    return operand > 0 && std::all_of(branches_.begin(), branches_.end(),
                                      [&](const auto& b) { return b->takes(operand - 1, result); });
  }
  bool may_fail() const override { return may_fail_; }
  Names evaluated() const override { return evaluated_; }
  std::vector<PlannedValue> held() const override {  // by the branch that needs most
    const auto most = std::max_element(branches_.begin(), branches_.end(), [](const auto& a, const auto& b) {
      return a->scratch() < b->scratch();
    });
    return (*most)->held();
  }

  void run(void* const* in, void* const* out, void* scratch, Workers& workers) const override {
    const std::int64_t index =
        boolean_ ? *static_cast<const unsigned char*>(in[0]) : *static_cast<const std::int32_t*>(in[0]);
    const std::int64_t last = static_cast<std::int64_t>(branches_.size()) - 1;
    const Nested& b = *branches_[static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, last))];
    const ProgramData& p = b.program();
    void** const table = b.table(scratch);
    std::copy_n(in + 1, p.input_count, b.inputs(table));
    std::copy_n(out, p.outputs.size(), b.results(table));
    b.place(table);
    b.run(table, workers);
    for (std::size_t k = 0; k < p.outputs.size(); ++k)  // handed on in its own memory, or so it was planned
      if (const Var v = p.outputs[k]; p.is_input(v) && b.takes(static_cast<std::size_t>(v), k))
        copy_bytes(out[k], in[1 + v], p.type(v).bytes());
  }

 private:
  const bool boolean_;
  std::vector<std::unique_ptr<Nested>> branches_;
  std::int64_t scratch_ = 0;
  bool may_fail_ = false;
  Names evaluated_;
};

}  // namespace

std::unique_ptr<Kernel> cond_kernel(const Making& m) {
  const Equation& e = m.equation;
  return std::make_unique<CondKernel>(e.params.as<ops::Cond>(), m.program.type(e.inputs[0]), m.loops);
}

}  // namespace baton::cpu
