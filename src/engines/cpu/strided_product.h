#pragma once
// strided_product: a dot_general that has taken up the transposes, reshapes and slices around it. Only this
// engine makes such equations.
#include "engines/cpu/product.h"

namespace baton::cpu {

struct StridedProduct {
  /// Of each axis that the product runs over; strides in elements, 0 where the array has no such axis.
  std::vector<std::int64_t> extents, lhs, rhs, out;
  std::int64_t lhs_offset = 0, rhs_offset = 0;  // where the operands begin in their arrays
  Shape shape;                                  // of the result
  std::string dtype;
  BATON_FIELDS(extents, lhs, rhs, out, lhs_offset, rhs_offset, shape, dtype)
};
extern const Primitive strided_product;

StridedProduct strided(const Product&, const Shape& shape);
/// Of an equation `dot_general` or `strided_product`.
bool is_product(const Equation&);
Product product_of(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> product_kernel(const ProgramData&, const Equation&, int threads);

}  // namespace baton::cpu
