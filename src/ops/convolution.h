#pragma once
// convolution: the Params of conv_general_dilated, their defaults, and its type rule.
#include "ops/products.h"

namespace baton::ops {

struct Convolution {
  Shape strides;
  std::vector<std::int64_t> padding;  // low and high of each spatial axis in turn
  Shape lhs_dilation, rhs_dilation;
  std::vector<std::int64_t> lhs, rhs, out;  // axis numbers, as in lax::ConvDims
  std::int64_t feature_group_count = 1, batch_group_count = 1;
  std::vector<std::int64_t> window_reversal;  // 0 or 1
  std::string preferred;                      // dtype of the result; empty: that of the operands
  BATON_FIELDS(strides, padding, lhs_dilation, rhs_dilation, lhs, rhs, out, feature_group_count,
               batch_group_count, window_reversal, preferred)
};

extern const Primitive conv_general_dilated;

/// With defaults filled in for operands of this rank.
Convolution convolution_of(const lax::ConvOptions&, std::int64_t rank);
/// The type rule.
Type convolution_type(std::span<const Type> in, const Convolution&);

}  // namespace baton::ops
