// order: three orders, of which the one is taken that keeps least alive: as written; as written, but what
// frees memory at once; and always what leaves least alive. Then updates go behind the last who reads the old
// value.
#include <algorithm>
#include <numeric>
#include <set>

#include "plan/plan.h"

namespace baton {
namespace {

std::size_t at(Var v) { return static_cast<std::size_t>(v); }

/// Which equations read and make a value, seen through views.
class Values {
 public:
  Values(const ProgramData& p, const StepFacts& facts)
      : p_(p), root_(roots_of(p.equations, p.types.size())), readers_(p.types.size()) {
    for (std::size_t i = 0; i < p.equations.size(); ++i)
      for (Var v : operands(p.equations[i])) ++readers_[at(v)];
    for (Var v : p.outputs) ++readers_[at(root(v))];  // never read for the last time
    elsewhere_.resize(p.types.size());
    for (Var v : p.outputs) elsewhere_[at(root(v))] = true;
    for (const Equation& e : p.equations)
      if (facts.is_constant(e)) elsewhere_[at(e.outputs[0])] = true;
  }

  Var root(Var v) const { return root_[at(v)]; }
  /// In the arena: inputs, literals, constants and outputs have memory of their own from the start.
  std::int64_t bytes(Var v) const {
    const bool ours = !p_.is_input(v) && !p_.is_literal(v) && !elsewhere_[at(v)];
    return ours ? static_cast<std::int64_t>(p_.type(v).bytes()) : 0;
  }
  /// The values that an equation reads, each once.
  std::set<Var> operands(const Equation& e) const {
    std::set<Var> vars;
    if (!is_view(e))
      for (Var v : e.inputs) vars.insert(root(v));
    return vars;
  }
  const std::vector<int>& readers() const { return readers_; }

 private:
  const ProgramData& p_;
  std::vector<Var> root_;
  std::vector<int> readers_;
  std::vector<bool> elsewhere_;
};

/// The output that is to be written over a donated input, and places in an order: where the last reads that
/// input, and where the output is made; -1: nowhere.
struct Update {
  Var output = -1;
  int reader = -1, writer = -1;
};
std::vector<Update> updates_in(const ProgramData& p, const Values& values, std::span<const int> take,
                               const std::vector<int>& order) {
  std::vector<int> reader(p.types.size(), -1), writer(p.types.size(), -1);
  for (std::size_t place = 0; place < order.size(); ++place) {
    const Equation& e = p.equations[static_cast<std::size_t>(order[place])];
    if (is_view(e)) continue;
    for (Var v : e.inputs) reader[at(values.root(v))] = static_cast<int>(place);
    for (Var v : e.outputs) writer[at(v)] = static_cast<int>(place);
  }
  std::vector<Update> updates;
  for (std::size_t i = 0; i < take.size(); ++i) {
    if (take[i] < 0) continue;
    const Var output = values.root(p.outputs[static_cast<std::size_t>(take[i])]);
    updates.push_back({output, reader[i], writer[at(output)]});
  }
  return updates;
}

/// The bytes of results that may lie over operands which die here.
std::int64_t taken_over(const Values& values, const StepFacts& facts, const Equation& e,
                        const std::vector<int>& readers) {
  std::int64_t bytes = 0;
  std::vector<Var> taken;
  for (std::size_t r = 0; r < e.outputs.size(); ++r) {
    const std::int64_t wanted = values.bytes(e.outputs[r]);
    for (std::size_t o = 0; wanted > 0 && o < e.inputs.size(); ++o) {
      const Var v = values.root(e.inputs[o]);
      if (readers[at(v)] != 1 || values.bytes(v) != wanted || std::count(taken.begin(), taken.end(), v) > 0 ||
          !facts.in_place(e, o, r))
        continue;
      taken.push_back(v);
      bytes += wanted;
      break;
    }
  }
  return bytes;
}

/// What is alive while the equations run in this order, at most, with what each needs for itself. What is
/// made while the old value that it is to be written over is still read waits in the arena, to the end.
std::int64_t peak_of(const ProgramData& p, const Values& values, const StepFacts& facts,
                     std::span<const int> take, const std::vector<int>& order) {
  std::vector<std::int64_t> waiting(order.size());  // made at this place
  for (const Update& u : updates_in(p, values, take, order))
    if (u.writer >= 0 && u.writer < u.reader)
      waiting[static_cast<std::size_t>(u.writer)] += static_cast<std::int64_t>(p.type(u.output).bytes());
  std::vector<int> readers = values.readers();
  std::int64_t alive = 0, peak = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const Equation& e = p.equations[static_cast<std::size_t>(order[place])];
    if (is_view(e)) continue;
    for (Var v : e.outputs) alive += values.bytes(v);
    if (!facts.is_constant(e))
      peak = std::max(peak, alive + facts.scratch(e) - taken_over(values, facts, e, readers));
    for (Var v : values.operands(e))
      if (--readers[at(v)] == 0) alive -= values.bytes(v);
    for (Var v : e.outputs)
      if (readers[at(v)] == 0) alive -= values.bytes(v);
    alive += waiting[place];  // mostly over an operand, the gradient
    peak = std::max(peak, alive);
  }
  return peak;
}

/// Equations as they become ready to run.
class Schedule {
 public:
  Schedule(const ProgramData& p, const Values& values)
      : p_(p),
        values_(values),
        readers_(values.readers()),
        waits_(p.equations.size()),
        behind_(waits_.size()) {
    std::vector<int> maker(p.types.size(), -1);
    int last_effect = -1;
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      const Equation& e = p.equations[i];
      std::set<int> before;
      for (Var v : e.inputs)
        if (maker[at(v)] >= 0) before.insert(maker[at(v)]);
      if (effects_of(e) != Effects::none) {
        if (last_effect >= 0) before.insert(last_effect);
        last_effect = static_cast<int>(i);
      }
      for (int b : before) behind_[static_cast<std::size_t>(b)].push_back(static_cast<int>(i));
      waits_[i] = static_cast<int>(before.size());
      if (before.empty()) ready_.insert(static_cast<int>(i));
      for (Var v : e.outputs) maker[at(v)] = static_cast<int>(i);
    }
  }

  const std::set<int>& ready() const { return ready_; }
  /// Of the ready ones, that after which least is alive; of equals, the first in the Program. -1: none is
  /// ready.
  int best() const {
    int next = -1;
    std::int64_t least = 0;
    for (int i : ready_) {
      const std::int64_t bytes = growth(i);
      if (next < 0 || bytes < least) next = i, least = bytes;
    }
    return next;
  }
  /// Bytes alive after it, less those before it.
  std::int64_t growth(int i) const {
    const Equation& e = p_.equations[static_cast<std::size_t>(i)];
    std::int64_t bytes = 0;
    if (is_view(e)) return bytes;
    for (Var v : e.outputs)
      if (readers_[at(v)] > 0) bytes += values_.bytes(v);
    for (Var v : values_.operands(e))
      if (readers_[at(v)] == 1) bytes -= values_.bytes(v);
    return bytes;
  }
  void run(int i) {
    ready_.erase(i);
    order.push_back(i);
    for (Var v : values_.operands(p_.equations[static_cast<std::size_t>(i)])) --readers_[at(v)];
    for (int b : behind_[static_cast<std::size_t>(i)])
      if (--waits_[static_cast<std::size_t>(b)] == 0) ready_.insert(b);
  }
  std::vector<int> order;

 private:
  const ProgramData& p_;
  const Values& values_;
  std::vector<int> readers_;
  std::vector<int> waits_;                // equations that must come before
  std::vector<std::vector<int>> behind_;  // equations that wait for this one
  std::set<int> ready_;
};

/// Always what leaves least alive.
std::vector<int> greedy_order(const ProgramData& p, const Values& values) {
  Schedule s(p, values);
  for (int next = s.best(); next >= 0; next = s.best()) s.run(next);
  return s.order;
}

/// As written, but what frees memory goes as soon as it can: an update right behind its gradient.
std::vector<int> freeing_order(const ProgramData& p, const Values& values) {
  Schedule s(p, values);
  for (std::size_t i = 0; i < p.equations.size(); ++i) {
    if (!s.ready().count(static_cast<int>(i))) continue;  // it has run
    s.run(static_cast<int>(i));
    for (int next = s.best(); next >= 0 && s.growth(next) < 0; next = s.best()) s.run(next);
  }
  return s.order;
}

/// Moves what is to be written over a donated input behind all that reads the input, where nothing in between
/// waits for it and no more is alive at once then. `peak`: of the order.
void put_behind_readers(const ProgramData& p, const Values& values, const StepFacts& facts,
                        std::span<const int> take, std::int64_t peak, std::vector<int>& order) {
  const auto equation = [&](int place) -> const Equation& {
    return p.equations[static_cast<std::size_t>(order[static_cast<std::size_t>(place)])];
  };
  const auto waits = [&](int place, const Equation& made) {
    const Equation& e = equation(place);
    return !is_view(e) && std::any_of(e.inputs.begin(), e.inputs.end(), [&](Var in) {
      return std::count(made.outputs.begin(), made.outputs.end(), values.root(in)) > 0;
    });
  };
  std::vector<Update> updates = updates_in(p, values, take, order);
  for (std::size_t k = 0; k < updates.size(); ++k) {
    const auto [output, reader, writer] = updates[k];
    if (writer < 0 || writer >= reader || effects_of(equation(writer)) != Effects::none) continue;
    int behind = writer + 1;
    while (behind <= reader && !waits(behind, equation(writer))) ++behind;
    if (behind <= reader) continue;
    std::vector<int> moved = order;
    std::rotate(moved.begin() + writer, moved.begin() + writer + 1, moved.begin() + reader + 1);
    const std::int64_t then = peak_of(p, values, facts, take, moved);
    if (then > peak) continue;
    order = std::move(moved);
    peak = then;
    updates = updates_in(p, values, take, order);  // the same ones at other places
  }
}

}  // namespace

std::vector<int> order_of(const Program& program, const StepFacts& facts, std::span<const int> take) {
  const ProgramData& p = *program;
  const Values values(p, facts);
  std::vector<int> best(p.equations.size());
  std::iota(best.begin(), best.end(), 0);
  std::int64_t least = peak_of(p, values, facts, take, best);
  for (auto& order : {freeing_order(p, values), greedy_order(p, values)})
    if (const std::int64_t peak = peak_of(p, values, facts, take, order); peak < least)
      best = order, least = peak;
  put_behind_readers(p, values, facts, take, least, best);
  return best;
}

}  // namespace baton
