// plan: values that may share one place become one allocation; allocations that hold an output lie in that
// output's memory; the rest is packed into the arena.
#include "plan/plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/cache_line.h"
#include "plan/pack.h"

namespace baton {
namespace {

std::size_t at(Var v) { return static_cast<std::size_t>(v); }

constexpr int the_end = std::numeric_limits<int>::max();
constexpr int unread = -1;

/// Values that take the same bytes one after the other.
struct Allocation {
  int first = 0, last = 0;  // the step that writes it first, and the one that reads it last
  std::size_t result = 0;   // of the first step: which
  std::int64_t bytes = 0;
  Place place;
  bool settled = false;  // not in the arena
};

class Planner {
 public:
  Planner(const Program& program, std::vector<int> take, const StepFacts& facts, Passing passing)
      : p_(*program),
        facts_(facts),
        last_(p_.types.size(), unread),
        home_(p_.types.size(), -1),
        donor_(p_.outputs.size(), -1) {
    plan_.program = program;
    plan_.passing = passing;
    plan_.take = std::move(take);
    plan_.places.resize(p_.types.size());
    for (std::size_t i = 0; i < plan_.take.size(); ++i)
      if (plan_.take[i] >= 0) donor_[static_cast<std::size_t>(plan_.take[i])] = static_cast<int>(i);
  }

  Plan make() {
    order();
    find_last_reads();
    give_what_is_there_homes();
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) give_results_homes(static_cast<int>(s));
    settle_outputs();
    pack_arena();
    for (std::size_t v = 0; v < plan_.places.size(); ++v) plan_.places[v] = home(root_[v]).place;
    return std::move(plan_);
  }

 private:
  const Equation& equation(int step) const {
    return p_.equations[static_cast<std::size_t>(plan_.steps[static_cast<std::size_t>(step)].equation)];
  }
  Allocation& home(Var root) { return allocations_[static_cast<std::size_t>(home_[at(root)])]; }
  Allocation& home_of(Var v) { return home(root_[at(v)]); }

  void order() {
    root_ = roots_of(p_.equations, p_.types.size());
    for (int i : order_of(plan_.program, facts_, plan_.take)) {
      const Equation& e = p_.equations[static_cast<std::size_t>(i)];
      if (!is_view(e) && !facts_.is_constant(e)) plan_.steps.push_back({i, 0, facts_.scratch(e)});
    }
  }

  void find_last_reads() {
    for (std::size_t s = 0; s < plan_.steps.size(); ++s)
      if (facts_.may_fail(equation(static_cast<int>(s)))) last_failing_ = static_cast<int>(s);
    for (std::size_t s = 0; s < plan_.steps.size(); ++s)
      for (Var v : equation(static_cast<int>(s)).inputs) last_[at(root_[at(v)])] = static_cast<int>(s);
    for (Var v : p_.outputs) last_[at(root_[at(v)])] = the_end;
  }

  int allocate(Allocation a) {
    allocations_.push_back(a);
    return static_cast<int>(allocations_.size()) - 1;
  }

  void give_what_is_there_homes() {
    const auto settle = [&](Var v, Place::Kind kind, std::size_t index) {
      const auto bytes = static_cast<std::int64_t>(p_.type(v).bytes());
      home_[at(v)] = allocate({-1, last_[at(v)], 0, bytes, {kind, static_cast<int>(index), 0}, true});
    };
    Var v = 0;
    for (; v < p_.input_count; ++v) settle(v, Place::Kind::input, at(v));
    for (std::size_t i = 0; i < p_.literals.size(); ++i) settle(v++, Place::Kind::literal, i);
    for (std::size_t i = 0; i < p_.equations.size(); ++i)
      if (facts_.is_constant(p_.equations[i])) settle(p_.equations[i].outputs[0], Place::Kind::constant, i);
  }

  /// Whether the memory of a donated input is free for this result of a step.
  bool is_free(int input, int step, std::size_t result) const {
    const int last = last_[at(input)];
    return step > last_failing_ &&
           (last < step || (last == step && may_overwrite(equation(step), home_[at(input)], result)));
  }
  /// The donated input whose memory the result, an output or seen by one, can be written into at this step,
  /// or -1.
  int donor_of(Var result, int step, std::size_t r) const {
    for (std::size_t k = 0; k < p_.outputs.size(); ++k)
      if (root_[at(p_.outputs[k])] == result && donor_[k] >= 0 && is_free(donor_[k], step, r))
        return donor_[k];
    return -1;
  }

  /// A result takes over the allocation of an operand that dies here, or gets one of its own. One that can
  /// lie in donated memory takes over what can lie there too.
  void give_results_homes(int step) {
    const Equation& e = equation(step);
    std::vector<int> taken_over;
    for (std::size_t r = 0; r < e.outputs.size(); ++r) {
      const Var result = e.outputs[r];
      const auto bytes = static_cast<std::int64_t>(p_.type(result).bytes());
      const int last = std::max(last_[at(result)], step);  // one that nobody reads lives for its step
      int found = -1;
      const int donor = donor_of(result, step, r);
      for (std::size_t o = 0; o < e.inputs.size() && found < 0; ++o) {
        const int candidate = home_[at(root_[at(e.inputs[o])])];
        const Allocation& a = allocations_[static_cast<std::size_t>(candidate)];
        const bool taken = std::count(taken_over.begin(), taken_over.end(), candidate) > 0;
        if (!a.settled && !taken && a.last == step && a.bytes == bytes && may_overwrite(e, candidate, r) &&
            (donor < 0 || is_free(donor, a.first, a.result)))
          found = candidate;
      }
      if (found >= 0) {
        taken_over.push_back(found);
        allocations_[static_cast<std::size_t>(found)].last = last;
      } else {
        found = allocate({step, last, r, bytes, {}, false});
      }
      home_[at(result)] = found;
    }
  }

  /// Whether the result may lie where every operand of this allocation lies.
  bool may_overwrite(const Equation& e, int allocation, std::size_t result) const {
    for (std::size_t o = 0; o < e.inputs.size(); ++o)
      if (home_[at(root_[at(e.inputs[o])])] == allocation && !facts_.in_place(e, o, result)) return false;
    return true;
  }

  /// A donated input that is an output itself, and not the one that takes its memory, keeps it.
  void keep_what_passes() {
    if (plan_.passing != Passing::handed_on) return;
    for (std::size_t k = 0; k < p_.outputs.size(); ++k) {
      const Var v = p_.outputs[k];
      if (!p_.is_input(v) || donor_[k] >= 0) continue;
      int& take = plan_.take[at(v)];
      if (take < 0 || p_.outputs[static_cast<std::size_t>(take)] == v) continue;
      donor_[static_cast<std::size_t>(take)] = -1;
      take = -1;
    }
  }

  void settle_outputs() {
    keep_what_passes();
    std::vector<bool> passed(static_cast<std::size_t>(p_.input_count));
    for (std::size_t k = 0; k < p_.outputs.size(); ++k) {
      const Var v = p_.outputs[k];
      const bool passes = donor_[k] == v || (donor_[k] < 0 && plan_.passing == Passing::handed_on);
      if (p_.is_input(v) && !passed[at(v)] && passes) {
        passed[at(v)] = true;  // the input itself is the output
        continue;
      }
      Allocation& a = home_of(v);
      if (!a.settled && (donor_[k] < 0 || is_free(donor_[k], a.first, a.result))) {
        a.settled = true;
        a.place = {Place::Kind::output, static_cast<int>(k), 0};
      } else {
        plan_.copies.push_back({v, static_cast<int>(k)});
      }
    }
    // A copy must not write where another copy reads: the input that is read keeps its memory.
    // What only passes through its own memory is not written.
    for (const OutputCopy& copy : plan_.copies) {
      const Var from = root_[at(copy.from)];
      if (!p_.is_input(from)) continue;
      int& take = plan_.take[at(from)];
      if (take >= 0 && p_.outputs[static_cast<std::size_t>(take)] != from) take = -1;
    }
  }

  void pack_arena() {
    std::vector<Lifetime> lifetimes;
    std::vector<std::int64_t*> offsets;
    const auto add = [&](int from, int to, std::int64_t bytes, std::int64_t& offset) {
      lifetimes.push_back(
          {from, to == the_end ? static_cast<int>(plan_.steps.size()) + 1 : to + 1, whole_lines(bytes)});
      offsets.push_back(&offset);
    };
    for (Allocation& a : allocations_)
      if (!a.settled) add(a.first, a.last, a.bytes, a.place.offset);
    for (std::size_t s = 0; s < plan_.steps.size(); ++s)
      if (PlanStep& step = plan_.steps[s]; step.scratch_bytes)
        add(static_cast<int>(s), static_cast<int>(s), step.scratch_bytes, step.scratch);
    const Packing packing = pack(lifetimes);
    for (std::size_t i = 0; i < offsets.size(); ++i) *offsets[i] = packing.offsets[i];
    plan_.arena_bytes = packing.capacity;
  }

  const ProgramData& p_;
  const StepFacts& facts_;
  Plan plan_;
  std::vector<Var> root_;   // of each variable: the one whose bytes it is, through views
  std::vector<int> last_;   // of each root: the last step that reads it
  std::vector<int> home_;   // of each root: its allocation
  std::vector<int> donor_;  // of each output: the input whose memory it may take, or -1
  std::vector<Allocation> allocations_;
  int last_failing_ = -1;  // the last step that may fail
};

}  // namespace

std::vector<Var> roots_of(std::span<const Equation> equations, std::size_t variables) {
  std::vector<Var> roots(variables);
  std::iota(roots.begin(), roots.end(), 0);
  for (const Equation& e : equations)
    if (is_view(e))
      for (std::size_t k = 0; k < e.outputs.size(); ++k) roots[at(e.outputs[k])] = roots[at(e.inputs[k])];
  return roots;
}

std::vector<bool> fresh_outputs(const Plan& plan) {
  std::vector<bool> fresh(plan.program->outputs.size());
  for (const Place& place : plan.places)
    if (place.kind == Place::Kind::output) fresh[static_cast<std::size_t>(place.index)] = true;
  for (const OutputCopy& copy : plan.copies) fresh[static_cast<std::size_t>(copy.output)] = true;
  for (int output : plan.take)
    if (output >= 0) fresh[static_cast<std::size_t>(output)] = false;
  return fresh;
}

Plan make_plan(const Program& program, std::vector<int> take, const StepFacts& facts, Passing passing) {
  return Planner(program, std::move(take), facts, passing).make();
}

}  // namespace baton
