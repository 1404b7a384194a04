// order: a list of equations that can run, of which the one goes next that leaves least alive.
#include <algorithm>
#include <set>

#include "plan/plan.h"

namespace baton {
namespace {

std::size_t at(Var v) { return static_cast<std::size_t>(v); }

/// Which equations read and make a value, seen through views.
class Values {
 public:
  explicit Values(const ProgramData& p) : p_(p), root_(p.types.size()), readers_(p.types.size()) {
    for (std::size_t v = 0; v < root_.size(); ++v) root_[v] = static_cast<Var>(v);
    for (const Equation& e : p.equations)
      if (is_view(e))
        for (std::size_t k = 0; k < e.outputs.size(); ++k) root_[at(e.outputs[k])] = root(e.inputs[k]);
    for (std::size_t i = 0; i < p.equations.size(); ++i)
      for (Var v : operands(p.equations[i])) ++readers_[at(v)];
    for (Var v : p.outputs) ++readers_[at(root(v))];  // never read for the last time
    elsewhere_.resize(p.types.size());
    for (Var v : p.outputs) elsewhere_[at(root(v))] = true;
  }

  Var root(Var v) const { return root_[at(v)]; }
  /// In the arena: inputs, literals and outputs have memory of their own from the start.
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

/// What is alive while the equations run in this order, at most.
std::int64_t peak_of(const ProgramData& p, const Values& values, const std::vector<int>& order) {
  std::vector<int> readers = values.readers();
  std::int64_t alive = 0, peak = 0;
  for (int i : order) {
    const Equation& e = p.equations[static_cast<std::size_t>(i)];
    if (is_view(e)) continue;
    for (Var v : e.outputs) alive += values.bytes(v);
    peak = std::max(peak, alive);
    for (Var v : values.operands(e))
      if (--readers[at(v)] == 0) alive -= values.bytes(v);
    for (Var v : e.outputs)
      if (readers[at(v)] == 0) alive -= values.bytes(v);
  }
  return peak;
}

std::vector<int> greedy_order(const ProgramData& p, const Values& values) {
  const std::size_t n = p.equations.size();
  std::vector<int> waits(n);                // equations that must come before
  std::vector<std::vector<int>> behind(n);  // equations that wait for this one
  std::vector<int> maker(p.types.size(), -1);
  int last_effect = -1;
  for (std::size_t i = 0; i < n; ++i) {
    const Equation& e = p.equations[i];
    std::set<int> before;
    for (Var v : e.inputs)
      if (maker[at(v)] >= 0) before.insert(maker[at(v)]);
    if (effects_of(e) != Effects::none) {
      if (last_effect >= 0) before.insert(last_effect);
      last_effect = static_cast<int>(i);
    }
    for (int b : before) behind[static_cast<std::size_t>(b)].push_back(static_cast<int>(i));
    waits[i] = static_cast<int>(before.size());
    for (Var v : e.outputs) maker[at(v)] = static_cast<int>(i);
  }
  std::vector<int> readers = values.readers();
  std::set<int> ready;
  for (std::size_t i = 0; i < n; ++i)
    if (waits[i] == 0) ready.insert(static_cast<int>(i));
  const auto growth = [&](int i) {  // bytes alive after it, less those before it
    const Equation& e = p.equations[static_cast<std::size_t>(i)];
    std::int64_t bytes = 0;
    if (is_view(e)) return bytes;
    for (Var v : e.outputs)
      if (readers[at(v)] > 0) bytes += values.bytes(v);
    for (Var v : values.operands(e))
      if (readers[at(v)] == 1) bytes -= values.bytes(v);
    return bytes;
  };
  std::vector<int> order;
  while (!ready.empty()) {
    int next = -1;
    std::int64_t least = 0;
    for (int i : ready) {  // of equals, the first in the Program
      const std::int64_t bytes = growth(i);
      if (next < 0 || bytes < least) next = i, least = bytes;
    }
    ready.erase(next);
    order.push_back(next);
    const Equation& e = p.equations[static_cast<std::size_t>(next)];
    for (Var v : values.operands(e)) --readers[at(v)];
    for (int b : behind[static_cast<std::size_t>(next)])
      if (--waits[static_cast<std::size_t>(b)] == 0) ready.insert(b);
  }
  return order;
}

}  // namespace

std::vector<int> order_of(const Program& program) {
  const ProgramData& p = *program;
  const Values values(p);
  std::vector<int> as_written;
  for (std::size_t i = 0; i < p.equations.size(); ++i) as_written.push_back(static_cast<int>(i));
  std::vector<int> greedy = greedy_order(p, values);
  return peak_of(p, values, greedy) < peak_of(p, values, as_written) ? greedy : as_written;
}

}  // namespace baton
