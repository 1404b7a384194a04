#pragma once
// order: the total order of sort: -inf < ... < -0 = 0 < ... < inf < NaN, all NaN equal; complex by real, then
// imaginary.
#include "ops/rules.h"

namespace baton::ops {

extern const Primitive sort, sort_by, top_k;

struct Sort {
  std::int64_t dimension = 0;
  bool is_stable = true;  // a promise to keep the order of equals; the reference keeps it always
  std::int64_t num_keys = 1;
  BATON_FIELDS(dimension, is_stable, num_keys)
};
struct SortBy {
  std::int64_t dimension = 0;
  bool is_stable = true;  // as of Sort
  Program comparator;
  BATON_FIELDS(dimension, is_stable, comparator)
};
struct TopK {
  std::int64_t k = 1;
  BATON_FIELDS(k)
};

/// -1, 0 or 1.
template <class T>
int compare_total(T x, T y) {
  if constexpr (is_complex_v<T>) {
    const int real = compare_total(x.real(), y.real());
    return real != 0 ? real : compare_total(x.imag(), y.imag());
  } else if constexpr (is_half_v<T>) {
    return compare_total(static_cast<float>(x), static_cast<float>(y));
  } else {
    if (x < y) return -1;
    if (y < x) return 1;
    const bool nan_x = x != x, nan_y = y != y;
    return static_cast<int>(nan_x) - static_cast<int>(nan_y);
  }
}
inline int compare_total(const View& v, std::int64_t i, std::int64_t j) {
  return with_type(v.dtype(), [&]<class T>(Tag<T>) {
    const auto x = v.as<T>();
    return compare_total(x[static_cast<std::size_t>(i)], x[static_cast<std::size_t>(j)]);
  });
}

Types sort_type(std::string_view name, std::span<const Type> in, std::int64_t dimension);
/// Writes each operand in the order that a stable sort of every lane along the axis gives; less(i, j)
/// compares the elements at these flat positions.
void sort_lanes(std::span<const View> in, std::span<const View> out, std::int64_t dimension,
                FunctionRef<bool(std::int64_t, std::int64_t)> less);
/// x along an axis in the order of these positions, which have the shape that results.
Array take_sorted(const Array& x, const Array& indices, std::int64_t dimension);
/// How many elements of the sorted vector come before each query, or before it and beside it: s32.
Array count_before(const Array& sorted, const Array& queries, bool or_equal);
/// An s32 array that counts along the axis.
Array positions(const Shape& shape, std::int64_t dimension);
/// Results and tangents of a sort, given one that sorts the positions as well: these permute the tangents.
std::pair<Arrays, Arrays> sort_jvp(const Arrays& primals, const Arrays& tangents, std::int64_t dimension,
                                   FunctionRef<Arrays(const Arrays&)> sort_with_positions);

}  // namespace baton::ops
