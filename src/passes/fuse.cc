// fuse: from the last equation to the first, each joins the group that reads its results, if the engine can
// run both as one kernel and that costs no more than it saves. What only rearranges is written into each
// group that reads it, and is never a step for their sake.
#include <algorithm>
#include <map>
#include <set>

#include "ops/fused.h"
#include "passes/in_memory.h"
#include "passes/members.h"
#include "passes/passes.h"
#include "passes/rewrite.h"

namespace baton {
namespace {

constexpr std::size_t most_equations = 96, most_operands = 28;  // of a group
constexpr std::int64_t worth_computing_again = 1 << 15;         // bytes
constexpr double saved_each = 4;  // instructions that an element costs that goes through memory

class Fuser {
 public:
  Fuser(const Program& program, FusionJudge& judge, Fusion fusion)
      : program_(program), p_(*program), judge_(judge), apart_(fusion == Fusion::apart), in_memory_(p_) {}

  Program run() {
    find_makers_and_readers();
    number_contents();
    for (int i = count() - 1; i >= 0; --i) place(i);
    for (std::size_t g = 0; g < groups_.size() && !apart_; ++g)
      if (!groups_[g].members.empty()) compute_again(static_cast<int>(g));
    return rebuilt();
  }

 private:
  int count() const { return static_cast<int>(p_.equations.size()); }
  const Equation& equation(int i) const { return p_.equations[at(i)]; }
  bool is_view(int i) const { return equation(i).primitive->views; }
  bool can_fuse(int i) const {
    const Equation& e = equation(i);
    return e.primitive->element && effects_of(e) == Effects::none;
  }
  /// Costs nothing where it is read.
  bool rearranges(int i) const {
    if (apart_) return false;
    const Primitive& q = *equation(i).primitive;
    return can_fuse(i) && (q.rearranges || q.cost == Cost::free);
  }

  void find_makers_and_readers() {
    maker_.assign(p_.types.size(), -1);
    readers_.resize(p_.types.size());
    group_of_.assign(p_.equations.size(), -1);
    for (int i = 0; i < count(); ++i) {
      for (Var v : equation(i).inputs)
        if (readers_[at(v)].empty() || readers_[at(v)].back() != i) readers_[at(v)].push_back(i);
      for (Var v : equation(i).outputs) maker_[at(v)] = i;
    }
    mine_ = found_ = entered_ = Marks(p_.equations.size());  // there are no more groups than equations
    from_memory_ = Marks(p_.types.size());
    name_.resize(p_.types.size());
  }

  bool any_in_memory(int i) const {
    const auto& outputs = equation(i).outputs;
    return std::any_of(outputs.begin(), outputs.end(), [&](Var v) { return in_memory_.has(v); });
  }

  void place(int i) {
    const auto plain = [&] {
      for (Var v : equation(i).inputs) in_memory_.need(v);
    };
    if (is_view(i) && can_fuse(i) && !apart_) return;  // its readers look through it
    if (!can_fuse(i) || is_view(i)) return plain();
    if (rearranges(i) && !any_in_memory(i)) return;  // stands in each group that reads it
    const std::optional<double> alone = work_of({i});
    if (!alone) return plain();
    if (apart_) return plain(), start_group({i}, alone);
    Members readers;
    for (Var v : equation(i).outputs) groups_reading(v, readers);
    if (!readers.empty() && join(i, *alone, readers)) return;
    if (readers.size() > 1)
      for (int g : readers)
        if (join(i, *alone, {g})) return;
    start_group({i}, alone);
  }

  void start_group(Members members, std::optional<double> work) {
    const int g = static_cast<int>(groups_.size());
    for (int m : members) group_of_[at(m)] = g;
    groups_.push_back({std::move(members), work, {}});
  }

  bool join(int i, double alone, const Members& groups) {
    Members all = {i};
    for (int g : groups) all = united(all, groups_[at(g)].members);
    if (all.size() > most_equations || makes_a_ring(i, all, groups)) return false;
    std::optional<double> together;
    if (groups.size() > 1 || !goes_along(i, groups_[at(groups[0])].members)) {
      double apart = alone;
      for (int g : groups) apart += work_of_group(g);
      together = work_of(all);
      for (Var v : equation(i).outputs) apart += saved_each * static_cast<double>(p_.type(v).size());
      if (!together || *together > apart) return false;
    } else if (too_many_operands(all)) {
      return false;
    }
    for (int g : groups) groups_[at(g)] = {};
    start_group(std::move(all), together);
    return true;
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
             const auto& readers = readers_[at(v)];
             return std::none_of(readers.begin(), readers.end(),
                                 [&](int r) { return group_of_[at(r)] < 0 && rearranges(r); });
           });
  }
  const Shape& shape_of(int i) const { return p_.type(equation(i).outputs[0]).shape; }

  /// Whether something outside reads from the group and is read by it, so that neither could run first. What
  /// only rearranges hands on what it reads.
  bool makes_a_ring(int i, const Members& all, const Members& joined) {
    if (joined.size() == 1 && read_within(i, joined[0])) return false;
    constexpr unsigned char from_inside = 1, from_outside = 2, member = 4;
    std::vector<unsigned char>& seen = seen_;
    std::vector<std::pair<int, unsigned char>>& waiting = waiting_;
    seen.assign(p_.equations.size(), 0);
    waiting.clear(), entered_.clear();
    for (int m : all) waiting.emplace_back(m, from_inside), seen[at(m)] = member;
    const auto visit = [&](int i, unsigned char way) {
      if (seen[at(i)] & way) return;
      seen[at(i)] |= way;
      waiting.emplace_back(i, way);
    };
    while (!waiting.empty()) {
      const auto [from, way] = waiting.back();
      waiting.pop_back();
      for (Var v : equation(from).outputs)
        for (int r : readers_[at(v)]) {
          const int g = group_of_[at(r)];
          if (seen[at(r)] & member) {
            if (way == from_outside) return true;
          } else if (g < 0) {
            visit(r, rearranges(r) ? way : from_outside);
          } else if (!holds(joined, g) && entered_.add(g)) {
            for (int m : groups_[at(g)].members) visit(m, from_outside);
          }
        }
    }
    return false;
  }

  /// Whether one group holds all that reads the equation, itself or through what only rearranges.
  bool read_within(int i, int group) const {
    const auto& outputs = equation(i).outputs;
    return std::all_of(outputs.begin(), outputs.end(), [&](Var v) {
      return std::all_of(readers_[at(v)].begin(), readers_[at(v)].end(), [&](int r) {
        const int g = group_of_[at(r)];
        return g < 0 ? rearranges(r) && read_within(r, group) : g == group;
      });
    });
  }

  /// Results of a group that other groups alone read are not kept if the readers can make them again from
  /// what is less: so a derivative computes a part of the forward pass anew instead of remembering it.
  void compute_again(int g) {
    const Members mine = groups_[at(g)].members;
    std::map<int, Members> again;  // for each reader: the equations that make what it reads
    std::set<Var> wanted, more;    // what they read of this group; what they would read instead
    for (int m : mine)
      for (Var v : equation(m).outputs) {
        Members readers;
        groups_reading(v, readers);
        std::erase(readers, g);
        if (readers.empty() || in_memory_.has(v)) continue;
        wanted.insert(v);
        for (int r : readers) makers_within(m, mine, again[r]);
      }
    std::int64_t saved = 0, added = 0;
    for (Var v : wanted) saved += static_cast<std::int64_t>(p_.type(v).bytes());
    if (saved < worth_computing_again) return;
    std::map<int, double> work;
    for (auto& [r, clones] : again) {
      const Group& reader = groups_[at(r)];
      clones = united(clones, reader.clones);
      const std::vector<Var> before = inside_of(reader.members, reader.clones).inputs;
      for (Var v : inside_of(reader.members, clones).inputs)
        if (!std::count(before.begin(), before.end(), v) && !p_.is_input(v) && more.insert(v).second)
          added += static_cast<std::int64_t>(p_.type(v).bytes());
      const std::optional<double> now = work_of(reader.members, clones);
      const double most = work_of_group(r) + saved_each * static_cast<double>(saved) / 4;
      if (!now || *now > most) return;
      work[r] = *now;
    }
    if (added >= saved) return;
    for (auto& [r, clones] : again) groups_[at(r)].clones = std::move(clones), groups_[at(r)].work = work[r];
  }
  /// The groups that read a value, through what only rearranges, and do not make it themselves.
  void groups_reading(Var v, Members& groups) const {
    for (int r : readers_[at(v)]) {
      const int g = group_of_[at(r)];
      if (g >= 0 && !holds(groups_[at(g)].clones, maker_[at(v)])) insert(groups, g);
      if (g < 0 && rearranges(r))
        for (Var w : equation(r).outputs) groups_reading(w, groups);
    }
  }
  /// An equation, and what it needs of those.
  void makers_within(int i, const Members& those, Members& found) const {
    if (holds(found, i)) return;
    insert(found, i);
    for (Var v : equation(i).inputs) members_behind(v, those, found);
  }
  void members_behind(Var v, const Members& those, Members& found) const {
    const int m = maker_[at(v)];
    if (m < 0) return;
    if (holds(those, m)) return makers_within(m, those, found);
    if (group_of_[at(m)] < 0 && rearranges(m))
      for (Var w : equation(m).inputs) members_behind(w, those, found);
  }

  /// What a group computes: its members, equations of other groups that it computes again, and what only
  /// rearranges between them; and what it reads from memory.
  struct Inside {
    Members equations;
    std::vector<Var> inputs, outputs;
  };
  Inside inside_of(const Members& members, const Members& clones = {}) {
    Inside inside;
    mine_.clear(), found_.clear(), from_memory_.clear();
    for (int m : members) mine_.add(m);
    for (int m : clones) mine_.add(m);
    const auto collect = [&](auto&& self, int i) -> void {
      if (!found_.add(i)) return;
      inside.equations.push_back(i);
      for (Var v : equation(i).inputs) {
        const int m = maker_[at(v)];
        if (p_.is_literal(v)) continue;
        if (m >= 0 && (mine_.has(m) || (group_of_[at(m)] < 0 && rearranges(m))))
          self(self, m);
        else if (from_memory_.add(v))
          inside.inputs.push_back(v);
      }
    };
    for (int m : members) collect(collect, m);
    std::sort(inside.equations.begin(), inside.equations.end());
    for (int m : members)
      for (Var v : equation(m).outputs)
        if (in_memory_.has(v) || read_outside(v, members)) inside.outputs.push_back(v);
    return inside;
  }

  Program body_of(const Inside& inside) const {
    Builder b;
    std::map<Var, Var> now;
    for (Var v : inside.inputs) now[v] = b.input(p_.type(v));
    for (int i : inside.equations) {
      const Equation& e = equation(i);
      std::vector<Var> operands;
      for (Var v : e.inputs) {
        if (p_.is_literal(v)) now[v] = b.literal(p_.literal(v));
        operands.push_back(now.at(v));
      }
      Types types;
      for (Var v : e.outputs) types.push_back(p_.type(v));
      const std::vector<Var> results = b.equation(*e.primitive, e.params, operands, types, e.number);
      for (std::size_t k = 0; k < results.size(); ++k) now[e.outputs[k]] = results[k];
    }
    std::vector<Var> outputs;
    for (Var v : inside.outputs) outputs.push_back(now.at(v));
    return b.finish(outputs);
  }
  /// Whether another group reads the value, itself or through what only rearranges.
  bool read_outside(Var v, const Members& members) const {
    return std::any_of(readers_[at(v)].begin(), readers_[at(v)].end(), [&](int r) {
      if (holds(members, r)) return false;
      const int g = group_of_[at(r)];
      if (g >= 0) return !holds(groups_[at(g)].clones, maker_[at(v)]);
      if (!rearranges(r)) return true;
      const auto& results = equation(r).outputs;
      return std::any_of(results.begin(), results.end(), [&](Var w) { return read_outside(w, members); });
    });
  }

  static bool too_many_operands(const Inside& inside) {
    return inside.inputs.size() + inside.outputs.size() > most_operands;
  }
  bool too_many_operands(const Members& members) { return too_many_operands(inside_of(members)); }

  double work_of_group(int g) {
    Group& group = groups_[at(g)];
    if (!group.work) group.work = work_of(group.members, group.clones);
    return group.work.value_or(0);  // of what goes along there is one
  }
  /// What the engine says. It is asked once for each content: the blocks of a network are alike.
  std::optional<double> work_of(const Members& members, const Members& clones = {}) {
    const Inside inside = inside_of(members, clones);
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
    for (const Group& g : groups_)
      if (!g.members.empty()) {
        const int last = g.members.back();
        for (int m : g.members) unit[at(m)] = last;
        bodies.emplace(last, inside_of(g.members, g.clones));
      }
    for (int i = 0; i < count(); ++i)
      if (group_of_[at(i)] < 0) unit[at(i)] = i;
    std::map<int, std::set<int>> before;  // of each unit: those that it waits for
    std::map<int, std::vector<int>> behind;
    for (int i = 0; i < count(); ++i) {
      if (unit[at(i)] != i) continue;
      if (group_of_[at(i)] < 0 && rearranges(i) && !any_in_memory(i)) continue;  // written where it is read
      const auto body = bodies.find(i);
      std::set<int>& wait = before[i];
      for (Var v : body == bodies.end() ? equation(i).inputs : body->second.inputs)
        if (maker_[at(v)] >= 0) wait.insert(unit[at(maker_[at(v)])]);
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

  struct Group {
    Members members;
    std::optional<double> work = {};  // nothing: nobody has asked yet
    Members clones = {};
  };

  const Program& program_;
  const ProgramData& p_;
  FusionJudge& judge_;
  const bool apart_;
  std::vector<int> maker_;                 // of each variable
  std::vector<std::vector<int>> readers_;  // of each variable
  InMemory in_memory_;
  std::vector<int> group_of_;  // of each equation, or -1
  std::vector<Group> groups_;
  std::vector<int> content_;                                 // of each equation: a number
  std::map<std::vector<int>, std::optional<double>> works_;  // by content

  // Used again and again, for one question at a time.
  Marks mine_, found_, entered_, from_memory_;
  std::vector<int> name_;  // of each variable
  std::vector<unsigned char> seen_;
  std::vector<std::pair<int, unsigned char>> waiting_;
};

}  // namespace

Program fuse(const Program& program, FusionJudge& judge, Fusion fusion) {
  return Fuser(program, judge, fusion).run();
}

}  // namespace baton
