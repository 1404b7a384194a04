// recompute: where most is alive, the largest value that is not needed until later gives way to a second
// computation of it, and so on.
#include "plan/recompute.h"

#include <algorithm>

#include "ops/fused.h"
#include "ops/loops.h"
#include "plan/plan.h"

namespace baton {
namespace {

std::size_t at(Var v) { return static_cast<std::size_t>(v); }

constexpr std::int64_t smallest = 1 << 16;  // bytes of a value that is worth it
constexpr int most = 256;                   // second computations in one Program

/// What an order must know before there are kernels.
class Plain final : public StepFacts {
 public:
  std::int64_t scratch(const Equation&) const override { return 0; }
  bool in_place(const Equation&, std::size_t, std::size_t) const override { return false; }
  bool may_fail(const Equation&) const override { return false; }
};

/// A Program that can change, in the order of its Plan, and what is alive in it.
class Draft {
 public:
  explicit Draft(const Program& program) : p_(*program), types_(p_.types) {
    for (int i : order_of(program, Plain())) equations_.push_back(p_.equations[at(i)]);
    look();
  }

  std::int64_t peak() const { return peak_; }

  /// Computes results of one equation again that wait at the peak; false where that gains nothing.
  bool change() {
    int best = -1;
    std::int64_t most_gained = smallest - 1;
    for (int i = 0; i < peak_at_; ++i) {
      if (equations_[at(i)].primitive != &ops::fused) continue;
      const std::int64_t gained = gain(i);
      if (gained > most_gained) best = i, most_gained = gained;
    }
    if (best < 0) return false;
    repeat(best);
    look();
    return true;
  }

  Program finish() const {
    Builder b;
    std::vector<Var> now(types_.size(), -1);
    for (Var v = 0; v < p_.input_count; ++v) now[at(v)] = b.input(types_[at(v)]);
    for (std::size_t i = 0; i < p_.literals.size(); ++i)
      now[at(p_.input_count) + i] = b.literal(p_.literals[i]);
    const auto moved = [&](const std::vector<Var>& vars) {
      std::vector<Var> out;
      for (Var v : vars) out.push_back(now[at(v)]);
      return out;
    };
    for (const Equation& e : equations_) {
      Types types;
      for (Var v : e.outputs) types.push_back(types_[at(v)]);
      const std::vector<Var> made = b.equation(*e.primitive, e.params, moved(e.inputs), types, e.number);
      for (std::size_t k = 0; k < made.size(); ++k) now[at(e.outputs[k])] = made[k];
    }
    return b.finish(moved(p_.outputs));
  }

 private:
  std::int64_t bytes(Var v) const { return static_cast<std::int64_t>(types_[at(v)].bytes()); }
  int end() const { return static_cast<int>(equations_.size()); }
  Var root(Var v) const { return root_[at(v)]; }

  /// Who makes and reads each value, through views; where most is alive.
  void look() {
    const std::size_t n = types_.size();
    root_ = roots_of(equations_, n);
    maker_.assign(n, -1), last_.assign(n, -1);
    reads_.assign(n, {});
    together_.assign(n, false);
    for (int i = 0; i < end(); ++i) {
      const Equation& e = equations_[at(i)];
      for (std::size_t k = 0; k < e.outputs.size(); ++k) {
        maker_[at(e.outputs[k])] = i;
        if (is_view(e) && e.inputs.size() > 1) together_[at(root(e.inputs[k]))] = true;
      }
      if (is_view(e)) continue;
      for (Var v : e.inputs) reads_[at(root(v))].push_back(i), last_[at(root(v))] = i;
    }
    for (Var v : p_.outputs) last_[at(root(v))] = end();
    std::vector<std::int64_t> change(at(end()) + 2);
    for (std::size_t v = 0; v < n; ++v) {
      if (root_[v] != static_cast<Var>(v) || maker_[v] < 0 || last_[v] < 0) continue;
      change[at(maker_[v])] += bytes(static_cast<Var>(v));
      change[at(last_[v]) + 1] -= bytes(static_cast<Var>(v));
    }
    std::int64_t alive = 0;
    peak_ = 0, peak_at_ = 0;
    for (int i = 0; i < end(); ++i) {
      alive += change[at(i)];
      if (alive > peak_) peak_ = alive, peak_at_ = i;
    }
  }

  /// The first read behind the peak, or the end.
  int next_read(Var v) const {
    for (int i : reads_[at(v)])
      if (i > peak_at_) return i;
    return end();
  }
  /// Whether it is alive at the peak for a later read alone.
  bool waits(Var v) const {
    const auto& reads = reads_[at(v)];
    return last_[at(v)] < end() && next_read(v) < end() && !together_[at(v)] &&
           !std::count(reads.begin(), reads.end(), peak_at_);
  }
  Mask waiting(const Equation& e) const {
    Mask mask;
    for (Var v : e.outputs) mask.push_back(waits(v));
    return mask;
  }
  /// The fused equation of these results alone.
  static Equation alone(Equation e, const Mask& results) {
    const Program& body = e.params.as<ops::Fused>().body;
    const Mask operands = ops::needed_inputs(body, results);
    e.params = ops::Fused{ops::restricted(body, operands, results)};
    e.inputs = ops::where_set(e.inputs, operands);
    e.outputs = ops::where_set(e.outputs, results);
    return e;
  }
  int first_read(const std::vector<Var>& vars) const {
    int first = end();
    for (Var v : vars) first = std::min(first, next_read(v));
    return first;
  }

  /// Bytes that the results of an equation that wait leave free at the peak, less the operands that must be
  /// kept for that. 0: none wait, or the second computation reads too much.
  std::int64_t gain(int equation) const {
    const Equation& e = equations_[at(equation)];
    const Mask results = waiting(e);
    if (std::find(results.begin(), results.end(), true) == results.end()) return 0;
    const Equation again = alone(e, results);
    const int next = first_read(again.outputs);
    std::int64_t freed = 0, kept = 0, read = 0;
    for (Var v : again.outputs) freed += bytes(v);
    for (Var o : again.inputs) {
      read += bytes(o);
      if (last_[at(root(o))] >= next || p_.is_literal(root(o))) continue;
      if (!p_.is_input(root(o)))
        kept += bytes(root(o));
      else if (bytes(o) >= smallest)  // it may be donated, and overwritten by then
        return 0;
    }
    return read <= 4 * freed ? freed - kept : 0;
  }

  /// Puts the second computation before the next read, and lets all later ones read that.
  void repeat(int equation) {
    Equation again = alone(equations_[at(equation)], waiting(equations_[at(equation)]));
    const std::vector<Var> before = again.outputs;
    const int next = first_read(before);
    std::vector<Var> now(types_.size());
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = static_cast<Var>(i);
    const auto renamed = [&](Var old) {
      types_.push_back(types_[at(old)]);
      now[at(old)] = static_cast<Var>(types_.size()) - 1;
      return now[at(old)];
    };
    for (Var& v : again.outputs) v = renamed(v);
    std::vector<Equation> inserted = {again};
    for (int i = 0; i < next; ++i) {  // views of them that are read later
      Equation view = equations_[at(i)];
      if (!is_view(view) || !std::count(before.begin(), before.end(), root(view.inputs[0]))) continue;
      view.inputs = {now[at(view.inputs[0])]};
      view.outputs = {renamed(view.outputs[0])};
      inserted.push_back(view);
    }
    for (int i = next; i < end(); ++i)
      for (Var& o : equations_[at(i)].inputs) o = now[at(o)];
    equations_.insert(equations_.begin() + next, inserted.begin(), inserted.end());
  }

  const ProgramData& p_;
  Types types_;
  std::vector<Equation> equations_;
  std::vector<Var> root_;                // of each variable: the one whose bytes it is
  std::vector<int> maker_, last_;        // of each variable: equations; -1: none
  std::vector<std::vector<int>> reads_;  // of each root: the equations that read it
  std::vector<bool> together_;  // of each root: whether a view shows it beside others, as a barrier does
  std::int64_t peak_ = 0;
  int peak_at_ = 0;
};

}  // namespace

Program recompute(const Program& program, std::int64_t enough) {
  Draft draft(program);
  const std::int64_t before = draft.peak();
  if (before <= enough) return program;
  for (int i = 0; i < most && draft.peak() > enough; ++i)
    if (!draft.change()) break;
  return draft.peak() < before - before / 10 ? draft.finish() : program;
}

}  // namespace baton
