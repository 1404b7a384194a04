#pragma once
// passes: Program -> Program with the same results, bit for bit. One function a file; pipeline.cc reads
// aloud. What a pass must know of an operation, it asks the primitive: none names one.
#include <optional>
#include <string_view>

#include "baton/function_ref.h"
#include "baton/program.h"

namespace baton {

/// Equations that mean a Program, such as calls, become that Program's equations.
Program inline_calls(const Program&);
/// An equation whose result is one of its operands gives way to that operand.
Program simplify(const Program&);
/// Equal equations on equal operands are computed once. An optimization_barrier keeps apart what is before it
/// from what is behind it, since its results are other variables than its operands.
Program merge_equal(const Program&);
/// Results that nobody needs go, also those of loops and branches and what only they need inside.
Program drop_unused(const Program&);

/// What an engine can run as one kernel.
class FusionJudge {
 public:
  /// About how many instructions the Program takes as one kernel; nothing where it cannot be one.
  virtual std::optional<double> work(const Program&) = 0;

 protected:
  ~FusionJudge() = default;
};
enum class Fusion {
  together,
  apart,      // each equation alone: what the bits of what is fused are compared with
  repeating,  // for tests: nothing is remembered that can be computed again, whatever it costs
};
/// Equations that can run as one kernel become one equation, `fused`.
Program fuse(const Program&, FusionJudge&, Fusion = Fusion::together);

/// All of them but `fuse`, in the order that engines want. `watch` sees the Program after each.
using PassWatch = FunctionRef<void(std::string_view pass, const Program&)>;
Program optimize(const Program&, PassWatch watch);
Program optimize(const Program&);

}  // namespace baton
