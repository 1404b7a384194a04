#pragma once
// groups: which equations `fuse` has put together, and what reads from what between them.
#include <optional>
#include <utility>

#include "passes/members.h"
#include "passes/passes.h"
#include "program/primitive.h"

namespace baton::fusion {

struct Group {
  Members members;
  std::optional<double> work = {};  // nothing: nobody has asked yet
  Members clones = {};              // equations of other groups that it computes again
  int level = 0;
};

/// The equations of a Program, each in one group or in none. They get their places from the last to the
/// first. What costs nothing where it is read and is in no group stands in all groups that read it: questions
/// about readers look through it.
class Groups {
 public:
  Groups(const ProgramData&, Fusion);

  bool can_fuse(int i) const { return can_fuse_[at(i)]; }
  /// Costs nothing where it is read; never, where each equation stays alone.
  bool rearranges(int i) const { return rearranges_[at(i)]; }
  /// The equation that makes a variable, or -1.
  int maker(Var v) const { return maker_[at(v)]; }
  /// The equations that read it, ascending.
  const std::vector<int>& readers(Var v) const { return readers_[at(v)]; }

  int count() const { return static_cast<int>(groups_.size()); }
  const std::vector<Group>& all() const { return groups_; }
  Group& operator[](int g) { return groups_[at(g)]; }
  const Group& operator[](int g) const { return groups_[at(g)]; }
  /// The group of an equation, or -1.
  int of(int i) const { return group_of_[at(i)]; }
  bool is_handed_through(int i) const { return of(i) < 0 && rearranges(i); }
  void put_together(Members, std::optional<double> work);
  /// Lets a group compute these equations of other groups again: it reads what they read.
  void repeat(int group, Members clones, double work);
  /// Says that the equation has its place, and all behind it.
  void place(int i);

  /// Whether something outside reads from the group that would be joined of these and is read by it, so that
  /// neither could run first. `all`: equation `i`, and the members of the groups `joined`.
  bool make_a_ring(int i, const Members& all, const Members& joined);
  /// Adds the groups that read a value and do not make it themselves.
  void reading(Var v, Members& groups) const { add_readers(v, maker(v), groups); }
  /// Whether a group other than that of these members reads the value.
  bool read_outside(Var v, const Members& members) const { return read_outside(v, maker(v), members); }

 private:
  const Equation& equation(int i) const { return p_.equations[at(i)]; }
  bool in_group(int i, int g) const { return g >= 0 && of(i) == g; }
  Members together(int i) const { return of(i) >= 0 ? groups_[at(of(i))].members : Members{i}; }
  bool read_within(int i, int group) const;
  bool makes(int g, int i) const { return of(i) == g || holds(groups_[at(g)].clones, i); }
  // Of a value, or of what is handed through from it; who makes it too does not read it.
  void add_readers(Var, int maker, Members& groups) const;
  bool read_outside(Var, int maker, const Members&) const;
  template <class F>
  void each_reader(Var, const F&) const;
  template <class F>
  void each_maker(int i, const F&) const;
  int& level_of(int i) { return of(i) >= 0 ? groups_[at(of(i))].level : level_[at(i)]; }

  const ProgramData& p_;
  std::vector<int> maker_;                   // of each variable
  std::vector<std::vector<int>> readers_;    // of each variable
  std::vector<bool> can_fuse_, rearranges_;  // of each equation
  std::vector<int> group_of_;                // of each equation, or -1
  std::vector<Group> groups_;
  std::vector<Members> repeated_in_;  // of each equation: the groups that compute it again
  std::vector<int> level_;            // of each equation that is in no group
  int placed_from_ = 0;               // those before it have no place yet

  // Used again and again, for one search at a time.
  Marks members_, entered_, seen_[2];  // seen: on the way from inside, and from outside
  std::vector<std::pair<int, bool>> waiting_;
};

}  // namespace baton::fusion
