// groups: levels make the search for rings short. A group, and an equation in none, stands above all that
// reads its results. So nothing that does not stand above a group can lead to it.
#include "passes/groups.h"

namespace baton::fusion {

Groups::Groups(const ProgramData& p, Fusion fusion)
    : p_(p),
      maker_(p.types.size(), -1),
      readers_(p.types.size()),
      group_of_(p.equations.size(), -1),
      repeated_in_(p.equations.size()),
      level_(p.equations.size()),
      placed_from_(static_cast<int>(p.equations.size())),
      members_(p.equations.size()),
      entered_(p.equations.size()),  // there are no more groups than equations
      seen_{Marks(p.equations.size()), Marks(p.equations.size())} {
  for (int i = 0; i < placed_from_; ++i) {
    for (Var v : equation(i).inputs)
      if (readers_[at(v)].empty() || readers_[at(v)].back() != i) readers_[at(v)].push_back(i);
    for (Var v : equation(i).outputs) maker_[at(v)] = i;
    const Primitive& q = *equation(i).primitive;
    can_fuse_.push_back(q.element && effects_of(equation(i)) == Effects::none);
    rearranges_.push_back(fusion != Fusion::apart && can_fuse_.back() &&
                          (q.rearranges || q.cost == Cost::free));
  }
}

void Groups::put_together(Members members, std::optional<double> work) {
  for (int m : members) group_of_[at(m)] = count();
  groups_.push_back({std::move(members), work});
}

void Groups::repeat(int group, Members clones, double work) {
  for (int m : clones) insert(repeated_in_[at(m)], group);
  groups_[at(group)].clones = std::move(clones);
  groups_[at(group)].work = work;
}

/// Calls f(equation) for those that read the value.
template <class F>
void Groups::each_reader(Var v, const F& f) const {
  for (int r : readers(v))
    if (is_handed_through(r))
      for (Var w : equation(r).outputs) each_reader(w, f);
    else
      f(r);
}
/// Calls f(equation) for those that have their place and make what the equation reads.
template <class F>
void Groups::each_maker(int i, const F& f) const {
  for (Var v : equation(i).inputs)
    if (const int m = maker(v); m >= placed_from_ && is_handed_through(m))
      each_maker(m, f);
    else if (m >= placed_from_)
      f(m);
}

/// It stands above its readers, and what it reads above that.
void Groups::place(int i) {
  placed_from_ = i;
  if (is_handed_through(i)) return;
  int level = 0;
  for (int m : together(i))
    for (Var v : equation(m).outputs)
      each_reader(v, [&](int r) {
        if (!in_group(r, of(i))) level = std::max(level, level_of(r) + 1);
      });
  level_of(i) = level;
  std::vector<int> lifted = {i};
  while (!lifted.empty()) {
    const int from = lifted.back();
    lifted.pop_back();
    for (int m : together(from))
      each_maker(m, [&](int maker) {
        if (in_group(maker, of(from)) || level_of(maker) > level_of(from)) return;
        level_of(maker) = level_of(from) + 1;
        lifted.push_back(maker);
      });
  }
}

bool Groups::make_a_ring(int i, const Members& all, const Members& joined) {
  if (joined.size() == 1 && read_within(i, joined[0])) return false;
  constexpr bool from_inside = false, from_outside = true;
  waiting_.clear(), entered_.clear(), members_.clear(), seen_[from_inside].clear(),
      seen_[from_outside].clear();
  for (int m : all) waiting_.emplace_back(m, from_inside), members_.add(m);
  int lowest = groups_[at(joined[0])].level;
  for (int g : joined) lowest = std::min(lowest, groups_[at(g)].level);
  const auto visit = [&](int e, bool way) {
    if (!is_handed_through(e) && level_of(e) <= lowest) return;
    if (seen_[way].add(e)) waiting_.emplace_back(e, way);
  };
  while (!waiting_.empty()) {
    const auto [from, way] = waiting_.back();
    waiting_.pop_back();
    for (Var v : equation(from).outputs)
      for (int r : readers(v)) {
        const int g = of(r);
        if (members_.has(r)) {
          if (way == from_outside) return true;
        } else if (g < 0) {
          visit(r, rearranges(r) ? way : from_outside);
        } else if (!holds(joined, g) && groups_[at(g)].level > lowest && entered_.add(g)) {
          for (int m : groups_[at(g)].members) visit(m, from_outside);
        }
      }
  }
  return false;
}

/// Whether one group holds all that reads the equation.
bool Groups::read_within(int i, int group) const {
  const auto& outputs = equation(i).outputs;
  return std::all_of(outputs.begin(), outputs.end(), [&](Var v) {
    return std::all_of(readers(v).begin(), readers(v).end(), [&](int r) {
      return of(r) < 0 ? rearranges(r) && read_within(r, group) : of(r) == group;
    });
  });
}

void Groups::add_readers(Var v, int maker, Members& groups) const {
  for (int r : readers(v)) {
    const auto add = [&](int g) {
      if (!makes(g, maker)) insert(groups, g);
    };
    if (of(r) >= 0) add(of(r));
    for (int g : repeated_in_[at(r)]) add(g);
    if (is_handed_through(r))
      for (Var w : equation(r).outputs) add_readers(w, maker, groups);
  }
}

bool Groups::read_outside(Var v, int maker, const Members& members) const {
  return std::any_of(readers(v).begin(), readers(v).end(), [&](int r) {
    const Members& again = repeated_in_[at(r)];
    if (std::any_of(again.begin(), again.end(), [&](int also) { return !makes(also, maker); })) return true;
    if (holds(members, r)) return false;
    const int g = of(r);
    if (g >= 0) return !makes(g, maker);
    if (!rearranges(r)) return true;
    const auto& results = equation(r).outputs;
    return std::any_of(results.begin(), results.end(),
                       [&](Var w) { return read_outside(w, maker, members); });
  });
}

}  // namespace baton::fusion
