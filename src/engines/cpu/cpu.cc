// cpu: from a Program to its executable, and one run of that.
#include "engines/cpu/cpu.h"

#include <algorithm>
#include <cstring>

#include "base/counters.h"
#include "engines/cpu/kernel.h"
#include "passes/passes.h"
#include "plan/plan.h"
#include "trace/node.h"
#include "trace/trace.h"

namespace baton::cpu {
namespace {

std::size_t at(Var v) { return static_cast<std::size_t>(v); }

using Kernels = std::vector<std::unique_ptr<Kernel>>;  // of each equation; none for views

class Facts final : public StepFacts {
 public:
  Facts(const Program& program, const Kernels& kernels) : p_(*program), kernels_(kernels) {}
  std::int64_t scratch(const Equation& e) const override { return kernel(e).scratch(); }
  bool in_place(const Equation& e, std::size_t operand, std::size_t result) const override {
    return kernel(e).in_place(operand, result);
  }
  bool may_fail(const Equation& e) const override { return kernel(e).may_fail(); }

 private:
  const Kernel& kernel(const Equation& e) const {
    return *kernels_[static_cast<std::size_t>(&e - p_.equations.data())];
  }
  const ProgramData& p_;
  const Kernels& kernels_;
};

class Compiled final : public Executable {
 public:
  Compiled(const Program& program, std::vector<int> take) {
    const Program optimized = optimize(program);
    const ProgramData& p = *optimized;
    for (const Equation& e : p.equations) kernels_.push_back(is_view(e) ? nullptr : kernel_for(p, e));
    const Facts facts(optimized, kernels_);
    take.resize(static_cast<std::size_t>(p.input_count), -1);
    plan_ = make_plan(optimized, std::move(take), facts);
    if (checks_programs()) check(optimized), validate(plan_, facts);
    made_.resize(p.outputs.size());
    for (const Place& place : plan_.places)
      if (place.kind == Place::Kind::output) made_[static_cast<std::size_t>(place.index)] = true;
    for (const OutputCopy& copy : plan_.copies) made_[static_cast<std::size_t>(copy.output)] = true;
  }

  Arrays run(Arrays inputs) const override {
    const ProgramData& p = *plan_.program;
    Arrays outputs = take_memory(inputs);
    const Array arena = uninitialized({u8, {plan_.arena_bytes}});
    char* const base = static_cast<char*>(data_of(arena));
    const auto address = [&](Var v) -> void* {
      const Place& place = plan_.places[at(v)];
      switch (place.kind) {
        case Place::Kind::input:
          return data_of(inputs[static_cast<std::size_t>(place.index)]);
        case Place::Kind::literal:
          return const_cast<unsigned char*>(p.literals[static_cast<std::size_t>(place.index)].bytes);
        case Place::Kind::output:
          return data_of(outputs[static_cast<std::size_t>(place.index)]);
        case Place::Kind::arena:
          break;
      }
      return base + place.offset;
    };
    std::vector<void*> in, out;
    for (const PlanStep& step : plan_.steps) {
      const Equation& e = p.equations[static_cast<std::size_t>(step.equation)];
      in.clear(), out.clear();
      for (Var v : e.inputs) in.push_back(address(v));
      for (Var v : e.outputs) out.push_back(address(v));
      kernels_[static_cast<std::size_t>(step.equation)]->run(in.data(), out.data(), base + step.scratch);
    }
    for (const OutputCopy& copy : plan_.copies) {
      const Array& to = outputs[static_cast<std::size_t>(copy.output)];
      if (to.type().bytes()) std::memcpy(data_of(to), address(copy.from), to.type().bytes());
      const auto mine = p.outputs.begin() + copy.output;
      if (std::find(p.outputs.begin(), mine, copy.from) != mine)  // a value that is two outputs
        count().copies.fetch_add(1, std::memory_order_relaxed);
    }
    return outputs;
  }

  std::size_t bytes() const override {
    return sizeof *this + plan_.program->bytes + plan_.places.size() * sizeof(Place) +
           plan_.steps.size() * sizeof(PlanStep) + kernels_.size() * 256;  // 256: about a kernel
  }

 private:
  /// The arrays of the outputs: donated inputs, inputs that are handed on, and new memory for the others.
  Arrays take_memory(const Arrays& inputs) const {
    const ProgramData& p = *plan_.program;
    Arrays outputs(p.outputs.size());
    for (std::size_t i = 0; i < plan_.take.size(); ++i)
      if (plan_.take[i] >= 0) outputs[static_cast<std::size_t>(plan_.take[i])] = inputs[i];
    for (std::size_t k = 0; k < outputs.size(); ++k)
      if (outputs[k].empty())
        outputs[k] = made_[k] ? uninitialized(p.type(p.outputs[k])) : inputs[at(p.outputs[k])];
    return outputs;
  }

  Plan plan_;
  Kernels kernels_;
  std::vector<bool> made_;  // of the outputs: by a step or a copy; others are inputs that are handed on
};

}  // namespace

ExecutablePtr compile(const Program& program, std::vector<int> take) {
  return std::make_shared<Compiled>(program, std::move(take));
}

}  // namespace baton::cpu
