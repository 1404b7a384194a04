#pragma once
// dot_general: its Params, for its own file and for engines that run it.
#include "program/primitive.h"

namespace baton::ops {

struct DotGeneral {
  std::vector<std::int64_t> lhs_contract, rhs_contract, lhs_batch, rhs_batch;
  std::string preferred;  // dtype of the result; empty: that of the operands
  BATON_FIELDS(lhs_contract, rhs_contract, lhs_batch, rhs_batch, preferred)
};

extern const Primitive dot_general;

}  // namespace baton::ops
