// position: what divides evenly leaves a quotient; what is smaller than the divisor is a remainder; what is
// left is an atom. k * (r / k) + r % k is r again.
#include "program/position.h"

#include <algorithm>

namespace baton {
namespace {

std::int64_t floor_div(std::int64_t x, std::int64_t k) { return x / k - (x % k < 0); }
std::int64_t floor_mod(std::int64_t x, std::int64_t k) { return x - floor_div(x, k) * k; }

}  // namespace

bool same(const Atom& a, const Atom& b) {
  if (a.kind != b.kind) return false;
  const bool known_by_id = a.kind == Atom::Kind::variable || a.kind == Atom::Kind::computed;
  return known_by_id ? a.id == b.id : a.divisor == b.divisor && a.of == b.of;
}

Position Position::variable(int id, Range range) {
  if (range.low == range.high) return range.low;
  Position x;
  x.terms_.push_back({1, std::make_shared<Atom>(Atom{.id = id, .range = range})});
  return x;
}

Position Position::computed(int id, Range range) {
  return atom(1, std::make_shared<Atom>(Atom{.kind = Atom::Kind::computed, .id = id, .range = range}));
}

Range Position::range() const {
  Range r{constant_, constant_};
  for (const Term& t : terms_) {
    const std::int64_t a = t.factor * t.atom->range.low, b = t.factor * t.atom->range.high;
    r.low += std::min(a, b), r.high += std::max(a, b);
  }
  return r;
}

bool Position::operator==(const Position& other) const {
  const Position difference = *this + other * -1;
  return difference.is_constant() && difference.constant() == 0;
}

void Position::add(std::int64_t factor, const AtomPtr& atom) {
  for (auto t = terms_.begin(); t != terms_.end(); ++t) {
    if (t->atom != atom && !same(*t->atom, *atom)) continue;
    if ((t->factor += factor) == 0) terms_.erase(t);
    return;
  }
  if (factor != 0) terms_.push_back({factor, atom});
}

/// c * k * (r / k) + c * (r % k) becomes c * r.
void Position::join_quotients() {
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term quotient = terms_[i];
    if (quotient.atom->kind != Atom::Kind::quotient || quotient.factor % quotient.atom->divisor != 0)
      continue;
    const std::int64_t c = quotient.factor / quotient.atom->divisor;
    const auto rest = std::find_if(terms_.begin(), terms_.end(), [&](const Term& t) {
      return t.atom->kind == Atom::Kind::remainder && t.factor == c &&
             t.atom->divisor == quotient.atom->divisor && t.atom->of == quotient.atom->of;
    });
    if (rest == terms_.end()) continue;
    const Position joined = quotient.atom->of * c;
    const AtomPtr gone = rest->atom;
    std::erase_if(terms_, [&](const Term& t) { return t.atom == gone || t.atom == quotient.atom; });
    *this = *this + joined;
    return;  // the sum has looked for others
  }
}

Position operator+(const Position& x, const Position& y) {
  Position sum = x;
  sum.constant_ += y.constant_;
  for (const Position::Term& t : y.terms_) sum.add(t.factor, t.atom);
  sum.join_quotients();
  return sum;
}

Position operator*(const Position& x, std::int64_t factor) {
  Position product(x.constant_ * factor);
  for (const Position::Term& t : x.terms_) product.add(t.factor * factor, t.atom);
  return product;
}

namespace {

/// x = quotient * k + rest, where the rest has no multiple of k that can be seen.
struct Split {
  Position quotient, rest;
};
Split split(const Position& x, std::int64_t k) {
  Position whole;  // the multiples of k
  for (const Position::Term& t : x.terms()) {
    if (t.factor % k != 0) continue;
    whole = whole + Position::atom(t.factor / k, t.atom);
  }
  const Position rest = x - whole * k;
  const std::int64_t constant = floor_div(rest.constant(), k);
  return {whole + constant, rest - constant * k};
}

}  // namespace

Position operator/(const Position& x, std::int64_t k) {
  if (k == 1) return x;
  const auto [quotient, rest] = split(x, k);
  if (rest.range().within(0, k)) return quotient;
  const Range r = rest.range();
  Atom atom{.kind = Atom::Kind::quotient, .of = rest, .divisor = k};
  atom.range = {floor_div(r.low, k), floor_div(r.high, k)};
  return quotient + Position::atom(1, std::make_shared<Atom>(std::move(atom)));
}

Position operator%(const Position& x, std::int64_t k) {
  if (k == 1) return 0;
  const Position rest = split(x, k).rest;
  if (rest.range().within(0, k)) return rest;
  Atom atom{.kind = Atom::Kind::remainder, .of = rest, .divisor = k};
  atom.range = {0, k - 1};
  return Position::atom(1, std::make_shared<Atom>(std::move(atom)));
}

Position Position::atom(std::int64_t factor, AtomPtr atom) {
  Position x;
  if (atom->range.low == atom->range.high) return factor * atom->range.low;
  x.terms_.push_back({factor, std::move(atom)});
  return x;
}

Position flat(std::span<const Position> at, std::span<const std::int64_t> shape) {
  Position position;
  for (std::size_t i = 0; i < at.size(); ++i) position = position * shape[i] + at[i];
  return position;
}

std::vector<Position> unflat(const Position& position, std::span<const std::int64_t> shape) {
  std::vector<Position> at(shape.size());
  Position left = position;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 0) return std::vector<Position>(shape.size());  // no element has a position
    at[i] = i == 0 ? left : left % shape[i];
    left = left / shape[i];
  }
  return at;
}

bool depends_on(const Position& x, int variable) {
  return factor_of(x, variable) != 0 || divides(x, variable);
}

bool divides(const Position& x, int variable) {
  return std::any_of(x.terms().begin(), x.terms().end(), [&](const Position::Term& t) {
    const bool divided = t.atom->kind == Atom::Kind::quotient || t.atom->kind == Atom::Kind::remainder;
    return divided && depends_on(t.atom->of, variable);
  });
}

std::int64_t factor_of(const Position& x, int variable) {
  for (const Position::Term& t : x.terms())
    if (t.atom->kind == Atom::Kind::variable && t.atom->id == variable) return t.factor;
  return 0;
}

std::int64_t value(const Position& x, std::span<const std::int64_t> values) {
  std::int64_t sum = x.constant();
  for (const Position::Term& t : x.terms()) {
    const Atom& a = *t.atom;
    const std::int64_t of =
        a.kind == Atom::Kind::variable ? values[static_cast<std::size_t>(a.id)] : value(a.of, values);
    sum += t.factor * (a.kind == Atom::Kind::variable   ? of
                       : a.kind == Atom::Kind::quotient ? floor_div(of, a.divisor)
                                                        : floor_mod(of, a.divisor));
  }
  return sum;
}

}  // namespace baton
