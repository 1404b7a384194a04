// position_coder: sums of loop variables as code; what an outer loop knows is computed there.
#include "engines/cpu/position_coder.h"

#include <algorithm>
#include <limits>

namespace baton::cpu {

Position PositionCoder::variable(Range range, int value, bool wide) {
  variables_.push_back({value, wide});
  return Position::variable(static_cast<int>(variables_.size()) - 1, range);
}

bool PositionCoder::is_wide(const Position& x) const {
  return std::any_of(x.terms().begin(), x.terms().end(), [&](const Position::Term& t) {
    const Atom& a = *t.atom;
    if (a.kind == Atom::Kind::variable) return variables_[static_cast<std::size_t>(a.id)].wide;
    if (a.kind == Atom::Kind::computed) return c_.at(a.id).wide;
    return is_wide(a.of);
  });
}

int PositionCoder::level(const Position& x) const {
  int most = 0;
  for (const Position::Term& t : x.terms()) {
    const Atom& a = *t.atom;
    most = std::max(most, a.kind == Atom::Kind::variable
                              ? c_.level(variables_[static_cast<std::size_t>(a.id)].value)
                          : a.kind == Atom::Kind::computed ? c_.level(a.id)
                                                           : level(a.of));
  }
  return most;
}

/// Rounded down: a multiple of the divisor is added where the dividend may be negative.
int PositionCoder::quotient(const Atom& a, bool wide) {
  const Range r = a.of.range();
  const std::int64_t up = r.low < 0 ? (-r.low + a.divisor - 1) / a.divisor : 0;
  const Position dividend = a.of + up * a.divisor;
  const bool remainder = a.kind == Atom::Kind::remainder;
  const bool small = dividend.range().high <= std::numeric_limits<std::int32_t>::max();
  const Dtype d = small ? u32 : s64;  // division of 32 bits is far cheaper
  int x = wide ? vector(dividend, d) : scalar(dividend);
  if (!wide && small) x = c_.emit(Do::convert, u32, {x, -1, -1});
  int q = c_.emit(remainder ? Do::rem : Do::div, d, {x, c_.integer(a.divisor, d), -1});
  if (small) q = c_.emit(Do::convert, s64, {q, -1, -1});
  return remainder || up == 0 ? q : c_.emit(Do::sub, s64, {q, c_.integer(up), -1});
}

/// Of a wide variable: its first lane.
int PositionCoder::atom(const Atom& a, bool wide) {
  switch (a.kind) {
    case Atom::Kind::variable:
      return variables_[static_cast<std::size_t>(a.id)].value;
    case Atom::Kind::computed:
      return a.id;
    default:
      return quotient(a, wide);
  }
}

int PositionCoder::sum(const Position& x, bool wide) {
  int total = -1;
  const auto add = [&](int term) { total = total < 0 ? term : c_.emit(Do::add, s64, {total, term, -1}); };
  // By the loop they need: what an outer loop knows is added up there.
  std::vector<std::pair<int, const Position::Term*>> terms;
  for (const Position::Term& t : x.terms()) terms.emplace_back(level(Position::atom(1, t.atom)), &t);
  std::stable_sort(terms.begin(), terms.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (x.constant() != 0 || terms.empty()) add(c_.integer(x.constant()));
  for (const auto& [depth, t] : terms) {
    const int value = atom(*t->atom, wide && is_wide(Position::atom(1, t->atom)));
    add(t->factor == 1 ? value : c_.emit(Do::mul, s64, {value, c_.integer(t->factor), -1}));
  }
  return total;
}

int PositionCoder::vector(const Position& x, Dtype d) {
  std::int64_t lanes_factor = 0;
  for (const Position::Term& t : x.terms())
    if (t.atom->kind == Atom::Kind::variable && variables_[static_cast<std::size_t>(t.atom->id)].wide)
      lanes_factor += t.factor;
  int v = sum(x, true);
  if (d != s64) v = c_.emit(Do::convert, d, {v, -1, -1});
  v = c_.wide(v);
  if (lanes_factor == 0) return v;
  int lane = c_.emit(Do::lane, d, true);
  if (lanes_factor != 1) lane = c_.emit(Do::mul, d, {lane, c_.integer(lanes_factor, d), -1});
  return c_.emit(Do::add, d, {v, lane, -1});
}

}  // namespace baton::cpu
