#pragma once
// recompute: computes values a second time where they are needed again, instead of keeping them.
#include "program/program.h"

namespace baton {

/// The same Program with results of fused equations computed anew before a late use, the largest first, where
/// that takes from the most that is alive at once and everything they are computed from is alive there
/// anyway. Stops when no more than `enough` bytes are alive. Every bit stays: the same kernel runs on the
/// same values.
Program recompute(const Program&, std::int64_t enough);

}  // namespace baton
