// fuse: from the last equation to the first, each joins the group that reads its results, if the engine can
// run both as one kernel and that costs no more than it saves. What only rearranges is written into each
// group that reads it, and is never a step for their sake.
#include <algorithm>
#include <map>
#include <set>

#include "ops/fused.h"
#include "passes/groups.h"
#include "passes/in_memory.h"
#include "passes/passes.h"
#include "passes/rewrite.h"

namespace baton {
namespace fusion {
namespace {

// Of a group. They bound what judging costs, since a group is judged anew whenever it grows, and how many
// pointers a loop needs at once; groups of the networks in bench/ would be the same without them.
constexpr std::size_t most_equations = 96, most_operands = 28;
constexpr std::int64_t worth_computing_again = 1 << 15;  // bytes
constexpr std::size_t large = 1 << 20;                   // bytes of an array
constexpr int most_waiting = 2;                          // such arrays, for one group
constexpr double saved_each = 4;  // instructions that an element costs that goes through memory

class Fuser {
 public:
  Fuser(const Program& program, FusionJudge& judge, Fusion fusion)
      : program_(program),
        p_(*program),
        judge_(judge),
        apart_(fusion == Fusion::apart),
        repeating_(fusion == Fusion::repeating),
        groups_(p_, fusion),
        in_memory_(p_),
        mine_(p_.equations.size()),
        found_(p_.equations.size()),
        from_memory_(p_.types.size()),
        name_(p_.types.size()) {}

  Program run() {
    number_contents();
    for (int i = count() - 1; i >= 0; --i) place(i), groups_.place(i);
    for (int g = 0; g < groups_.count() && !apart_; ++g)
      if (!groups_[g].members.empty()) compute_again(g);
    return rebuilt();
  }

 private:
  /// What a group computes: its members, equations of other groups that it computes again, and what only
  /// rearranges between them; and what it reads from memory.
  struct Inside {
    Members equations;
    std::vector<Var> inputs, outputs;
  };

  int count() const { return static_cast<int>(p_.equations.size()); }
  const Equation& equation(int i) const { return p_.equations[at(i)]; }

  bool any_in_memory(int i) const {
    const auto& outputs = equation(i).outputs;
    return std::any_of(outputs.begin(), outputs.end(), [&](Var v) { return in_memory_.has(v); });
  }

  void place(int i) {
    const auto plain = [&] {
      for (Var v : equation(i).inputs) in_memory_.need(v);
    };
    const bool is_view = equation(i).primitive->views;
    if (is_view && groups_.can_fuse(i) && !apart_) return;  // its readers look through it
    if (is_view || !groups_.can_fuse(i)) return plain();
    if (groups_.rearranges(i) && !any_in_memory(i)) return;  // stands in each group that reads it
    const std::optional<double> alone = work_of({i});
    if (!alone) return plain();
    if (apart_) return plain(), groups_.put_together({i}, alone);
    Members readers;
    for (Var v : equation(i).outputs) groups_.reading(v, readers);
    if (!readers.empty() && join(i, *alone, readers)) return;
    if (readers.size() > 1)
      for (int g : readers)
        if (join(i, *alone, {g})) return;
    groups_.put_together({i}, alone);
  }

  bool join(int i, double alone, const Members& groups) {
    Members all = {i};
    for (int g : groups) all = united(all, groups_[g].members);
    if (all.size() > most_equations || groups_.make_a_ring(i, all, groups)) return false;
    const Inside inside = inside_of(all);
    if (too_many_operands(inside) || holds_up_too_much(inside, all, groups)) return false;
    std::optional<double> together;
    if (groups.size() > 1 || !goes_along(i, groups_[groups[0]].members)) {
      double apart = alone;
      for (int g : groups) apart += work_of_group(g);
      together = work_of(inside);
      for (Var v : equation(i).outputs) apart += saved_each * static_cast<double>(p_.type(v).size());
      if (!together || *together > apart) return false;
    }
    for (int g : groups) groups_[g] = {};
    groups_.put_together(std::move(all), together);
    return true;
  }

  /// Whether joining these groups, and an equation, would keep more large arrays waiting for each other. A
  /// gradient that is the sum of many products is added up as they come, not when the last one is there.
  bool holds_up_too_much(const Inside& inside, const Members& all, const Members& groups) {
    const auto now = waiting_for(inside, all);
    return now > most_waiting && std::all_of(groups.begin(), groups.end(), [&](int g) {
             const Members& before = groups_[g].members;
             return now > waiting_for(inside_of(before), before);
           });
  }
  /// How many large arrays that kernels of another kind make die in a group.
  std::ptrdiff_t waiting_for(const Inside& inside, const Members& members) const {
    return std::count_if(inside.inputs.begin(), inside.inputs.end(), [&](Var v) {
      const int m = groups_.maker(v);
      return m >= 0 && !groups_.can_fuse(m) && p_.type(v).bytes() >= large && !in_memory_.has(v) &&
             !groups_.read_outside(v, members);
    });
  }

  /// Whether both are done to each element of one shape, and the equation's results are read where they are
  /// made: then one loop does both, and costs what both cost apart, or less.
  bool goes_along(int i, const Members& group) const {
    const auto same_shape = [&](int m) {
      return equation(m).primitive->elementwise && shape_of(m) == shape_of(i);
    };
    const auto& outputs = equation(i).outputs;
    return same_shape(i) && std::all_of(group.begin(), group.end(), same_shape) &&
           std::all_of(outputs.begin(), outputs.end(), [&](Var v) {
             const auto& readers = groups_.readers(v);
             return std::none_of(readers.begin(), readers.end(),
                                 [&](int r) { return groups_.is_handed_through(r); });
           });
  }
  const Shape& shape_of(int i) const { return p_.type(equation(i).outputs[0]).shape; }

  /// Results of a group that other groups alone read are not kept if the readers can make them again from
  /// what is less: so a derivative computes a part of the forward pass anew instead of remembering it.
  void compute_again(int g) {
    const Members mine = groups_[g].members, all = united(mine, groups_[g].clones);
    std::map<int, Members> again;  // for each reader: the equations that make what it reads
    std::set<Var> wanted, more;    // what they read of this group; what they would read instead
    for (int m : mine)
      for (Var v : equation(m).outputs) {
        Members readers;
        groups_.reading(v, readers);
        if (readers.empty() || in_memory_.has(v)) continue;
        wanted.insert(v);
        for (int r : readers) makers_within(m, all, again[r]);
      }
    std::int64_t saved = 0, added = 0;  // bytes
    double elements = 0;                // saved
    for (Var v : wanted) {
      saved += static_cast<std::int64_t>(p_.type(v).bytes());
      elements += static_cast<double>(p_.type(v).size());
    }
    if (wanted.empty() || (saved < worth_computing_again && !repeating_)) return;
    std::map<int, double> work;
    for (auto& [r, clones] : again) {
      const Group& reader = groups_[r];
      clones = united(clones, reader.clones);
      const std::vector<Var> before = inside_of(reader.members, reader.clones).inputs;
      for (Var v : inside_of(reader.members, clones).inputs)
        if (!std::count(before.begin(), before.end(), v) && !p_.is_input(v) && more.insert(v).second)
          added += static_cast<std::int64_t>(p_.type(v).bytes());
      const std::optional<double> now = work_of(reader.members, clones);
      if (!now || (*now > work_of_group(r) + saved_each * elements && !repeating_)) return;
      work[r] = *now;
    }
    if (added >= saved && !repeating_) return;
    for (auto& [r, clones] : again) groups_.repeat(r, std::move(clones), work[r]);
  }
  /// An equation, and what it needs of those.
  void makers_within(int i, const Members& those, Members& found) const {
    if (holds(found, i)) return;
    insert(found, i);
    for (Var v : equation(i).inputs) members_behind(v, those, found);
  }
  void members_behind(Var v, const Members& those, Members& found) const {
    const int m = groups_.maker(v);
    if (m < 0) return;
    if (holds(those, m)) return makers_within(m, those, found);
    if (groups_.is_handed_through(m))
      for (Var w : equation(m).inputs) members_behind(w, those, found);
  }

  Inside inside_of(const Members& members, const Members& clones = {}) {
    Inside inside;
    mine_.clear(), found_.clear(), from_memory_.clear();
    for (int m : members) mine_.add(m);
    for (int m : clones) mine_.add(m);
    const auto collect = [&](auto&& self, int i) -> void {
      if (!found_.add(i)) return;
      inside.equations.push_back(i);
      for (Var v : equation(i).inputs) {
        const int m = groups_.maker(v);
        if (p_.is_literal(v)) continue;
        if (m >= 0 && (mine_.has(m) || (groups_.is_handed_through(m))))
          self(self, m);
        else if (from_memory_.add(v))
          inside.inputs.push_back(v);
      }
    };
    for (int m : members) collect(collect, m);
    std::sort(inside.equations.begin(), inside.equations.end());
    for (int m : members)
      for (Var v : equation(m).outputs)
        if (in_memory_.has(v) || groups_.read_outside(v, members)) inside.outputs.push_back(v);
    return inside;
  }

  Program body_of(const Inside& inside) {
    Builder b;
    for (Var v : inside.inputs) name_[at(v)] = b.input(p_.type(v));
    for (int i : inside.equations) {
      const Equation& e = equation(i);
      std::vector<Var> operands;
      operands.reserve(e.inputs.size());
      for (Var v : e.inputs) operands.push_back(p_.is_literal(v) ? b.literal(p_.literal(v)) : name_[at(v)]);
      Types types;
      types.reserve(e.outputs.size());
      for (Var v : e.outputs) types.push_back(p_.type(v));
      const std::vector<Var> results =
          b.equation(*e.primitive, e.params, std::move(operands), types, e.number);
      for (std::size_t k = 0; k < results.size(); ++k) name_[at(e.outputs[k])] = results[k];
    }
    std::vector<Var> outputs;
    for (Var v : inside.outputs) outputs.push_back(name_[at(v)]);
    return b.finish(outputs);
  }
  static bool too_many_operands(const Inside& inside) {
    return inside.inputs.size() + inside.outputs.size() > most_operands;
  }

  double work_of_group(int g) {
    Group& group = groups_[g];
    if (!group.work) group.work = work_of(group.members, group.clones);
    return group.work.value_or(0);  // of what goes along there is one
  }
  std::optional<double> work_of(const Members& members, const Members& clones = {}) {
    return work_of(inside_of(members, clones));
  }
  /// What the engine says. It is asked once for each content: the blocks of a network are alike.
  std::optional<double> work_of(const Inside& inside) {
    if (too_many_operands(inside) || inside.outputs.empty()) return std::nullopt;
    const auto [known, first] = works_.try_emplace(content_of(inside));
    if (first) known->second = judge_.work(body_of(inside));
    return known->second;
  }

  /// Numbers for equations and types, the same for the same content.
  void number_contents() {
    std::map<Hash, int> known;
    for (const Equation& e : p_.equations) {
      Types types;
      for (Var v : e.inputs) types.push_back(p_.type(v));
      const Hash h = hash(*e.primitive, e.params, types);
      content_.push_back(known.try_emplace(h, static_cast<int>(known.size())).first->second);
    }
  }
  /// Equal for groups whose bodies are: equations, each with where its operands come from, and the results.
  std::vector<int> content_of(const Inside& inside) {
    std::vector<int> content;
    int next = 0;
    for (Var v : inside.inputs) name_[at(v)] = next++;
    for (int i : inside.equations) {
      content.push_back(content_[at(i)]);
      for (Var v : equation(i).inputs) content.push_back(p_.is_literal(v) ? -1 - v : name_[at(v)]);
      for (Var v : equation(i).outputs) name_[at(v)] = next++;
    }
    content.push_back(-1);
    for (Var v : inside.outputs) content.push_back(name_[at(v)]);
    return content;
  }

  /// Groups and equations in an order in which each finds what it reads: of those that can run, the one that
  /// stands first in the Program.
  Program rebuilt() {
    const std::size_t n = p_.equations.size();
    std::vector<int> unit(n);  // of each equation: the last of its group, or itself
    std::map<int, Inside> bodies;
    for (const Group& g : groups_.all())
      if (!g.members.empty()) {
        const int last = g.members.back();
        for (int m : g.members) unit[at(m)] = last;
        bodies.emplace(last, inside_of(g.members, g.clones));
      }
    for (int i = 0; i < count(); ++i)
      if (groups_.of(i) < 0) unit[at(i)] = i;
    std::map<int, std::set<int>> before;  // of each unit: those that it waits for
    std::map<int, std::vector<int>> behind;
    for (int i = 0; i < count(); ++i) {
      if (unit[at(i)] != i) continue;
      if (groups_.is_handed_through(i) && !any_in_memory(i)) continue;  // written where it is read
      const auto body = bodies.find(i);
      std::set<int>& wait = before[i];
      for (Var v : body == bodies.end() ? equation(i).inputs : body->second.inputs)
        if (groups_.maker(v) >= 0) wait.insert(unit[at(groups_.maker(v))]);
      for (int b : wait) behind[b].push_back(i);
    }
    std::set<int> ready;
    std::map<int, std::size_t> left;
    for (const auto& [i, wait] : before)
      if (wait.empty())
        ready.insert(i);
      else
        left[i] = wait.size();
    Rewrite rewrite(program_);
    while (!ready.empty()) {
      const int i = *ready.begin();
      ready.erase(ready.begin());
      const auto body = bodies.find(i);
      if (body == bodies.end()) {
        rewrite.set(equation(i).outputs, rewrite.copy(equation(i), equation(i).params));
      } else {
        const Equation group{&ops::fused, {}, body->second.inputs, body->second.outputs, equation(i).number};
        rewrite.set(group.outputs, rewrite.copy(group, ops::Fused{body_of(body->second)}));
      }
      for (int b : behind[i])
        if (--left[b] == 0) ready.insert(b);
    }
    return rewrite.finish();
  }

  const Program& program_;
  const ProgramData& p_;
  FusionJudge& judge_;
  const bool apart_, repeating_;
  Groups groups_;
  InMemory in_memory_;
  std::vector<int> content_;                                 // of each equation: a number
  std::map<std::vector<int>, std::optional<double>> works_;  // by content

  // Used again and again, for one question at a time.
  Marks mine_, found_, from_memory_;
  std::vector<int> name_;  // of each variable
};

}  // namespace
}  // namespace fusion

Program fuse(const Program& program, FusionJudge& judge, Fusion fusion) {
  return fusion::Fuser(program, judge, fusion).run();
}

}  // namespace baton
