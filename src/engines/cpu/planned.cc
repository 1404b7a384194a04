// planned: passes, kernels, the Plan, and from it the table of pointers.
#include "engines/cpu/planned.h"

#include <algorithm>
#include <cstring>

#include "engines/cpu/dump.h"
#include "engines/cpu/fold_layouts.h"
#include "engines/cpu/loop_judge.h"
#include "engines/cpu/loop_kernel.h"
#include "engines/cpu/loop_writer.h"
#include "engines/cpu/partial_reductions.h"
#include "engines/cpu/slice_update.h"
#include "engines/cpu/with_fusion.h"
#include "ops/fused.h"
#include "passes/passes.h"
#include "plan/recompute.h"
#include "plan/report.h"

namespace baton::cpu {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

class Facts final : public StepFacts {
 public:
  using Kernels = std::vector<std::unique_ptr<Kernel>>;
  Facts(const Program& program, const Kernels& kernels, Passing passing)
      : p_(*program), kernels_(kernels), inside_(passing == Passing::copied) {}
  std::int64_t scratch(const Equation& e) const override { return kernel(e).scratch(); }
  bool in_place(const Equation& e, std::size_t operand, std::size_t result) const override {
    return kernel(e).in_place(operand, result);
  }
  /// Inside another Program no memory is the user's: the step around it says that it may fail.
  bool may_fail(const Equation& e) const override { return !inside_ && kernel(e).may_fail(); }
  bool is_constant(const Equation& e) const override { return !is_view(e) && kernel(e).bytes(); }

 private:
  const Kernel& kernel(const Equation& e) const {
    return *kernels_[static_cast<std::size_t>(&e - p_.equations.data())];
  }
  const ProgramData& p_;
  const Kernels& kernels_;
  const bool inside_;
};

/// Bytes alive at once up to which nothing is computed twice.
constexpr std::int64_t kept_at_ease = std::int64_t{64} << 20;

/// The code of each kernel that is compiled.
std::string code_of(const ProgramData& p) {
  std::string text;
  for (const Equation& e : p.equations)
    if (e.primitive == &ops::fused)
      if (const auto loops = write_loops(*e.params.as<ops::Fused>().body)) text += loops->code.text() + "\n";
  return text;
}

void check_after(std::string_view pass, const Program& p) {
  try {
    check(p);
  } catch (const InternalError& e) {
    throw InternalError("after the pass " + std::string(pass) + ": " + e.what());
  }
}

/// The passes of this engine, in order. Their Programs are checked one by one where Programs are.
Program for_cpu(const Program& program, Dump& dump) {
  LoopJudge judge;
  const auto see = [&](std::string_view pass, const Program& p) {
    if (checks_programs()) check_after(pass, p);
    if (dump.wanted()) dump.write(pass, p.text());
  };
  Program p = optimize(program, see);
  const auto run = [&](std::string_view name, auto&& pass) { see(name, p = pass(p)); };
  run("fold_layouts", fold_layouts);            // first: a product takes what fuse would write into loops
  run("set_updates_apart", set_updates_apart);  // before fuse, which would write over the whole array
  run("reduce_in_parts", reduce_in_parts);      // before fuse: each part is a loop of its own
  run("fuse", [&](const Program& q) { return fuse(q, judge, fusion_wanted()); });
  run("recompute", [&](const Program& q) { return recompute(q, kept_at_ease); });  // last: it repeats groups
  return p;
}

}  // namespace

Planned::Planned(const Program& program, std::vector<int> take, Passing passing, LoopCompiler& loops) {
  Dump dump(program, take);
  const Program optimized = for_cpu(program, dump);
  if (dump.wanted()) dump.write("code", code_of(*optimized));
  make_kernels(*optimized, loops);
  const Facts facts(optimized, kernels_, passing);
  take.resize(index(optimized->input_count), -1);
  plan_ = make_plan(optimized, take, facts, passing);
  if (passing ==
      Passing::copied) {  // a result that would be copied into the place of an input better lies apart
    std::vector<int> apart = take;
    for (const OutputCopy& copy : plan_.copies) std::replace(apart.begin(), apart.end(), copy.output, -1);
    if (apart != take) plan_ = make_plan(optimized, apart, facts, passing);
  }
  if (checks_programs()) validate(plan_, facts);
  make_steps();
  held_.set(bytes());
  if (dump.wanted()) dump.write("plan", show(plan_) + "\n" + report({}).text());
}

void Planned::make_kernels(const ProgramData& p, LoopCompiler& loops) {
  for (const Equation& e : p.equations) {
    std::unique_ptr<Kernel> kernel;
    if (e.primitive == &ops::fused) kernel = loops.add(e.params.as<ops::Fused>().body);
    if (!kernel && !is_view(e)) kernel = kernel_for({p, e, loops});
    kernels_.push_back(std::move(kernel));
  }
}

void Planned::make_steps() {
  const ProgramData& p = program();
  first_slot_ = 2 + index(p.input_count) + p.outputs.size();
  for (const PlanStep& planned : plan_.steps) {
    const Equation& e = p.equations[index(planned.equation)];
    const Kernel& kernel = *kernels_[index(planned.equation)];
    const std::size_t in = pointer_count();
    for (Var v : e.inputs) slots_.push_back(slot_of(v));
    steps_.push_back({&kernel, in, pointer_count(), planned.scratch});
    for (Var v : e.outputs) slots_.push_back(slot_of(v));
    may_fail_ = may_fail_ || kernel.may_fail();
    const Names inside = kernel.evaluated();
    evaluated_.insert(evaluated_.end(), inside.begin(), inside.end());
  }
  for (const OutputCopy& copy : plan_.copies)
    copies_.push_back({slot_of(copy.from), 2 + p.input_count + copy.output, p.type(copy.from).bytes()});
}

PlanReport Planned::report(std::span<const std::string> inputs) const {
  PlanReport report = report_of(plan_, inputs, [&](std::size_t step) { return steps_[step].kernel->held(); });
  report.evaluated.assign(evaluated_.begin(), evaluated_.end());
  return report;
}

std::vector<PlannedValue> Planned::held() const {
  return held_by(plan_, [&](std::size_t step) { return steps_[step].kernel->held(); });
}

Planned::Slot Planned::slot_of(Var v) const {
  const Place& place = plan_.places[index(v)];
  const auto address = [](const void* p) { return Slot{0, reinterpret_cast<std::intptr_t>(p)}; };
  switch (place.kind) {
    case Place::Kind::input:
      return {2 + place.index, 0};
    case Place::Kind::literal:
      return address(program().literals[index(place.index)].bytes);
    case Place::Kind::constant:
      return address(kernels_[index(place.index)]->bytes());
    case Place::Kind::output:
      return {2 + program().input_count + place.index, 0};
    case Place::Kind::arena:
      break;
  }
  return {1, place.offset};
}

std::size_t Planned::bytes() const {
  const auto of = [](const auto&... lists) { return (bytes_of_list(lists) + ...); };
  return sizeof *this + plan_.program->bytes + of(plan_.take, plan_.steps, plan_.places, plan_.copies) +
         of(kernels_, slots_, steps_, copies_, evaluated_);
}

void Planned::place(void** table) const {
  table[0] = nullptr;
  void** to = table + first_slot_;
  for (const Slot& slot : slots_) *to++ = at(table, slot);
}

void Planned::place(void** table, std::span<const int> slots) const {
  for (int i : slots) table[first_slot_ + index(i)] = at(table, slots_[index(i)]);
}

std::vector<int> Planned::slots_of(const Mask& inputs, const Mask& results) const {
  std::vector<int> found;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const int base = slots_[i].base - 2;
    if (base < 0) continue;
    const std::size_t b = index(base);
    if (b < inputs.size() ? inputs[b] : results[b - inputs.size()]) found.push_back(static_cast<int>(i));
  }
  return found;
}

void Planned::run(void** table, Workers& workers) const {
  char* const arena = static_cast<char*>(table[1]);
  for (const Step& step : steps_)
    step.kernel->run(table + step.in, table + step.out, arena + step.scratch, workers);
  for (const Copy& copy : copies_)
    if (copy.bytes) std::memcpy(table[copy.to], at(table, copy.from), copy.bytes);
}

}  // namespace baton::cpu
