#pragma once
// indexing: x.at(...) as in JAX. It reads where an array is wanted; `.set .add .mul .min .max` give the
// updated array.
//   x.at(0)   x.at(all, range(1, -1))   x.at(ellipsis, newaxis, i)   x.at(rows).set(0)   x.at(i, j).add(y)
// Out of bounds, reads take the nearest element and updates are dropped, unless a mode says otherwise.
#include <cstdint>
#include <type_traits>

#include "baton/numpy.h"

namespace baton {

/// Part of an axis, as Python's start:stop:step. Negative ends count from the end; `{}` is a missing end.
struct range {
  using End = std::optional<std::int64_t>;
  explicit range(End to) : stop(to) {}
  range(End from, End to, std::int64_t by = 1) : start(from), stop(to), step(by) {}
  End start = {}, stop = {};
  std::int64_t step = 1;
};
struct NewAxis {};
struct Ellipsis {};
inline constexpr NewAxis newaxis;    // a new axis of extent 1
inline constexpr Ellipsis ellipsis;  // as many whole axes as are missing

/// One index of `at`.
struct Index {
  enum class Kind : std::uint8_t { integer, range, newaxis, ellipsis, array };
  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) Index(T i)
      : kind(Kind::integer),  // beyond s64 it stays beyond every axis, and does not turn negative
        integer(std::is_unsigned_v<T> && static_cast<std::uint64_t>(i) > INT64_MAX
                    ? INT64_MAX
                    : static_cast<std::int64_t>(i)) {}
  Index(const range& r) : kind(Kind::range), part(r) {}
  Index(const All&) : kind(Kind::range) {}
  Index(NewAxis) : kind(Kind::newaxis) {}
  Index(Ellipsis) : kind(Kind::ellipsis) {}
  Index(const Array& a) : kind(Kind::array), array(a) {}

  Kind kind;
  std::int64_t integer = 0;
  range part = range({}, {});
  Array array = {};
};

struct IndexOptions {
  IndexMode mode = IndexMode::automatic;
  std::optional<double> fill_value =
      {};                           // mode fill: default NaN, or the lowest of signed, highest of unsigned
  bool indices_are_sorted = false;  // promises, for speed
  bool unique_indices = false;
};

/// A part of an array, not read yet.
class Indexed {
 public:
  Indexed(Array x, std::vector<Index> indices, Where where)
      : x_(std::move(x)), indices_(std::move(indices)), where_(where) {}

  operator const Array&() const;
  Array get(const IndexOptions& options = {}, Where where = Where::here()) const;
  template <Element T = float>
  T item(Where where = Where::here()) const {
    return get({}, where).item<T>(where);
  }

  Array set(Operand value, const IndexOptions& options = {}) const;
  Array add(Operand value, const IndexOptions& options = {}) const;
  Array subtract(Operand value, const IndexOptions& options = {}) const;
  Array mul(Operand value, const IndexOptions& options = {}) const;
  Array div(Operand value, const IndexOptions& options = {}) const;
  Array min(Operand value, const IndexOptions& options = {}) const;
  Array max(Operand value, const IndexOptions& options = {}) const;

 private:
  Array x_;
  std::vector<Index> indices_;
  Where where_;
  mutable Array read_;  // once it was read
};

inline Indexed Array::at(const Index& i, Where where) const { return Indexed(*this, {i}, where); }
inline Indexed Array::at(const Index& i, const Index& j, Where where) const {
  return Indexed(*this, {i, j}, where);
}
inline Indexed Array::at(const Index& i, const Index& j, const Index& k, Where where) const {
  return Indexed(*this, {i, j, k}, where);
}
inline Indexed Array::at(const Index& i, const Index& j, const Index& k, const Index& l, Where where) const {
  return Indexed(*this, {i, j, k, l}, where);
}
template <class... I>
requires(!detail::few_indices<I...>) Indexed Array::at(const I&... indices)
const {
  static_assert(
      (std::is_convertible_v<const I&, Index> && ...),
      "baton::Array::at: indices are integers, range, all, newaxis, ellipsis or arrays of integers");
  if constexpr ((std::is_convertible_v<const I&, Index> && ...))
    return Indexed(*this, {Index(indices)...}, {});
  else
    return Indexed(*this, {}, {});
}

}  // namespace baton
