#pragma once
// recompute: computes values a second time where they are needed again, instead of keeping them.
#include "program/program.h"

namespace baton {

/// The same Program with results of fused equations computed anew before a late use, where that takes from
/// the most that is alive at once: more than must be kept longer for it. What gains most goes first; no input
/// of 64 KiB or more is kept longer. Stops when no more than `enough` bytes are alive. Every bit stays: the
/// same kernel runs on the same values.
Program recompute(const Program&, std::int64_t enough);

}  // namespace baton
