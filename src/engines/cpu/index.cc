// index: what divides evenly leaves a quotient; what is smaller than the divisor is a remainder; what is left
// is an atom. k * (r / k) + r % k is r again.
#include "engines/cpu/index.h"

#include <algorithm>

namespace baton::cpu {
namespace {

std::int64_t floor_div(std::int64_t x, std::int64_t k) { return x / k - (x % k < 0); }
std::int64_t floor_mod(std::int64_t x, std::int64_t k) { return x - floor_div(x, k) * k; }

}  // namespace

bool same(const Atom& a, const Atom& b) {
  if (a.kind != b.kind) return false;
  return a.kind == Atom::Kind::variable ? a.id == b.id : a.divisor == b.divisor && a.of == b.of;
}

Index Index::variable(int id, Range range) {
  if (range.low == range.high) return range.low;
  Index x;
  x.terms_.push_back({1, std::make_shared<Atom>(Atom{.id = id, .range = range})});
  return x;
}

Range Index::range() const {
  Range r{constant_, constant_};
  for (const Term& t : terms_) {
    const std::int64_t a = t.factor * t.atom->range.low, b = t.factor * t.atom->range.high;
    r.low += std::min(a, b), r.high += std::max(a, b);
  }
  return r;
}

bool Index::operator==(const Index& other) const {
  const Index difference = *this + other * -1;
  return difference.is_constant() && difference.constant() == 0;
}

void Index::add(std::int64_t factor, const AtomPtr& atom) {
  for (auto t = terms_.begin(); t != terms_.end(); ++t) {
    if (t->atom != atom && !same(*t->atom, *atom)) continue;
    if ((t->factor += factor) == 0) terms_.erase(t);
    return;
  }
  if (factor != 0) terms_.push_back({factor, atom});
}

/// c * k * (r / k) + c * (r % k) becomes c * r.
void Index::join_quotients() {
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
    const Index joined = quotient.atom->of * c;
    const AtomPtr gone = rest->atom;
    std::erase_if(terms_, [&](const Term& t) { return t.atom == gone || t.atom == quotient.atom; });
    *this = *this + joined;
    return;  // the sum has looked for others
  }
}

Index operator+(const Index& x, const Index& y) {
  Index sum = x;
  sum.constant_ += y.constant_;
  for (const Index::Term& t : y.terms_) sum.add(t.factor, t.atom);
  sum.join_quotients();
  return sum;
}

Index operator*(const Index& x, std::int64_t factor) {
  Index product(x.constant_ * factor);
  for (const Index::Term& t : x.terms_) product.add(t.factor * factor, t.atom);
  return product;
}

namespace {

/// x = quotient * k + rest, where the rest has no multiple of k that can be seen.
struct Split {
  Index quotient, rest;
};
Split split(const Index& x, std::int64_t k) {
  Index whole;  // the multiples of k
  for (const Index::Term& t : x.terms()) {
    if (t.factor % k != 0) continue;
    whole = whole + Index::atom(t.factor / k, t.atom);
  }
  const Index rest = x - whole * k;
  const std::int64_t constant = floor_div(rest.constant(), k);
  return {whole + constant, rest - constant * k};
}

}  // namespace

Index operator/(const Index& x, std::int64_t k) {
  if (k == 1) return x;
  const auto [quotient, rest] = split(x, k);
  if (rest.range().within(0, k)) return quotient;
  const Range r = rest.range();
  Atom atom{.kind = Atom::Kind::quotient, .of = rest, .divisor = k};
  atom.range = {floor_div(r.low, k), floor_div(r.high, k)};
  return quotient + Index::atom(1, std::make_shared<Atom>(std::move(atom)));
}

Index operator%(const Index& x, std::int64_t k) {
  if (k == 1) return 0;
  const Index rest = split(x, k).rest;
  if (rest.range().within(0, k)) return rest;
  Atom atom{.kind = Atom::Kind::remainder, .of = rest, .divisor = k};
  atom.range = {0, k - 1};
  return Index::atom(1, std::make_shared<Atom>(std::move(atom)));
}

Index Index::atom(std::int64_t factor, AtomPtr atom) {
  Index x;
  if (atom->range.low == atom->range.high) return factor * atom->range.low;
  x.terms_.push_back({factor, std::move(atom)});
  return x;
}

Index flat(std::span<const Index> at, std::span<const std::int64_t> shape) {
  Index position;
  for (std::size_t i = 0; i < at.size(); ++i) position = position * shape[i] + at[i];
  return position;
}

std::vector<Index> unflat(const Index& position, std::span<const std::int64_t> shape) {
  std::vector<Index> at(shape.size());
  Index left = position;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 0) return std::vector<Index>(shape.size());  // no element has a position
    at[i] = i == 0 ? left : left % shape[i];
    left = left / shape[i];
  }
  return at;
}

std::int64_t value(const Index& x, std::span<const std::int64_t> values) {
  std::int64_t sum = x.constant();
  for (const Index::Term& t : x.terms()) {
    const Atom& a = *t.atom;
    const std::int64_t of =
        a.kind == Atom::Kind::variable ? values[static_cast<std::size_t>(a.id)] : value(a.of, values);
    sum += t.factor * (a.kind == Atom::Kind::variable   ? of
                       : a.kind == Atom::Kind::quotient ? floor_div(of, a.divisor)
                                                        : floor_mod(of, a.divisor));
  }
  return sum;
}

}  // namespace baton::cpu
