#pragma once
// layout: how a product over any axes becomes products of matrices, copying operands only where it must.
#include <cstdint>
#include <vector>

namespace baton::cpu {

/// An axis that a product runs over. Strides are in elements; 0: the array has no such axis. An axis of both
/// operands that the result lacks is summed over.
struct ProductAxis {
  std::int64_t extent = 1, lhs = 0, rhs = 0, out = 0;

  bool summed() const { return out == 0; }
  bool batch() const { return lhs && rhs && out; }
};
using ProductAxes = std::vector<ProductAxis>;
using ProductStride = std::int64_t ProductAxis::*;
inline constexpr ProductStride strides_of_arrays[] = {&ProductAxis::lhs, &ProductAxis::rhs,
                                                      &ProductAxis::out};

/// An array that is copied: its axes in the order in which they lie in the copy, which is dense.
struct Packing {
  struct Axis {
    std::int64_t extent, stride;  // of the array itself
  };
  std::vector<Axis> axes;
  std::int64_t size() const {
    std::int64_t n = 1;
    for (const Axis& a : axes) n *= a.extent;
    return n;
  }
};

/// c[i, j] = sum over k of a[i, k] b[k, j], for matrices somewhere in the arrays.
struct MatrixProduct {
  std::int64_t rows = 1, columns = 1, depth = 1;
  std::int64_t a_row = 0, a_depth = 0, b_depth = 0, b_column = 0, c_row = 0, c_column = 0;
  // For loops of our own: where column k of a and row k of b begin, instead of k * a_depth and k * b_depth.
  const std::int32_t *a_at = nullptr, *b_at = nullptr;
};

struct Layout {
  bool swapped = false;  // a is rhs and b is lhs, so that the columns of c are dense
  MatrixProduct matrix;
  ProductAxes loops,
      sums;  // around each matrix product: of other results, and of more terms of the same ones
  bool packs_lhs = false, packs_rhs = false, packs_out = false;  // then strides are those of the copy
  Packing lhs, rhs, out;
  double cost = 0;    // about nanoseconds, to compare layouts by
  double copies = 0;  // elements that are copied
};

/// What must be copied, to be converted on the way.
struct Packed {
  bool lhs = false, rhs = false, out = false;
};
/// No extent is zero.
Layout layout_of(ProductAxes, Packed must);

}  // namespace baton::cpu
