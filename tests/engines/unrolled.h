#pragma once
// unrolled: what loops and branches give, by runs of the Programs inside them.
#include "ops/row.h"

namespace baton::testing {

/// Whether the primitive is one that `unrolled` knows.
bool is_control(const Primitive&);
/// `run` gets the body, what it reads, and whether that is the first time in this equation.
using RunInside = FunctionRef<Arrays(const Program&, const Arrays&, bool first)>;
Arrays unrolled(const Primitive&, const Params&, const Arrays& operands, RunInside run);

}  // namespace baton::testing
