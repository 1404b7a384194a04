#pragma once
// position: positions in arrays as sums of loop variables, simplified as they are made, so that the code for
// a reshape of a transpose of a slice is one multiplication and one addition where that is possible.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace baton {

/// The least and the greatest value, both inclusive.
struct Range {
  std::int64_t low = 0, high = 0;
  bool within(std::int64_t from, std::int64_t to) const { return from <= low && high < to; }  // [from, to)
  bool operator==(const Range&) const = default;
};

struct Atom;
using AtomPtr = std::shared_ptr<const Atom>;

/// constant + sum of factor * atom. Atoms differ, and no factor is zero.
class Position {
 public:
  Position(std::int64_t constant = 0) : constant_(constant) {}
  /// A variable that runs through the range. Two variables are the same if their ids are.
  static Position variable(int id, Range range);
  /// A number that is computed when the code runs, such as an index read from an array; also known by its id.
  static Position computed(int id, Range range);
  static Position atom(std::int64_t factor, AtomPtr);

  struct Term {
    std::int64_t factor;
    AtomPtr atom;
  };
  std::int64_t constant() const { return constant_; }
  std::span<const Term> terms() const { return terms_; }
  bool is_constant() const { return terms_.empty(); }
  Range range() const;

  friend Position operator+(const Position&, const Position&);
  friend Position operator-(const Position& x, const Position& y) { return x + y * -1; }
  friend Position operator*(const Position&, std::int64_t);
  /// Rounded down; the divisor is positive.
  friend Position operator/(const Position&, std::int64_t);
  /// Not negative; the divisor is positive.
  friend Position operator%(const Position&, std::int64_t);
  bool operator==(const Position&) const;

 private:
  void add(std::int64_t factor, const AtomPtr& atom);
  void join_quotients();

  std::int64_t constant_ = 0;
  std::vector<Term> terms_;
};

/// What is no sum: a variable, a number computed when the code runs, or a quotient or remainder that could
/// not be resolved.
struct Atom {
  enum class Kind { variable, computed, quotient, remainder } kind = Kind::variable;
  int id = 0;                // of a variable or a computed number
  Position of = 0;           // quotient, remainder: of what
  std::int64_t divisor = 1;  // and by what
  Range range = {};
};
bool same(const Atom&, const Atom&);

/// The position of an element in row-major order, and back.
Position flat(std::span<const Position> at, std::span<const std::int64_t> shape);
std::vector<Position> unflat(const Position& position, std::span<const std::int64_t> shape);
/// Whether the variable is in it, and whether in a quotient or remainder.
bool depends_on(const Position&, int variable);
bool divides(const Position&, int variable);
/// The factor of the variable itself.
std::int64_t factor_of(const Position&, int variable);
/// The value where variable i has values[i].
std::int64_t value(const Position&, std::span<const std::int64_t> values);

}  // namespace baton
