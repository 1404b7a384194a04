#pragma once
// product: the kernel of sums of products of two arrays over any axes.
#include "engines/cpu/kernel.h"
#include "engines/cpu/layout.h"

namespace baton::cpu {

/// A product as the kernel takes it. Operands may begin somewhere in their arrays.
struct Product {
  ProductAxes axes;
  std::int64_t lhs_offset = 0, rhs_offset = 0;  // in elements
  Dtype operands = Dtype::f32, result = Dtype::f32;
};

Layout layout_of(const Product&);
/// `threads`: how many may run it, each with scratch of its own.
std::unique_ptr<Kernel> product_kernel(const Product&, int threads);

}  // namespace baton::cpu
