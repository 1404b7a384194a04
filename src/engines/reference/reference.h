#pragma once
// reference: the oracle. It walks a Program equation by equation with each primitive's own `evaluate`.
// No passes, no Plan: slow, obvious, right.
#include "program/primitive.h"
#include "trace/executable.h"

namespace baton::reference {

/// Makes a Program ready. For each donated input, `take[i]` names the output that gets its memory when the
/// walk ends, or -1; inputs behind its end have none.
ExecutablePtr compile(const Program&, std::vector<int> take);

/// Runs one operation.
Arrays run(const Primitive&, const Arrays& inputs, const Params&, const Types& outputs);
/// The same into memory that is there.
void run(const Primitive&, std::span<const View> in, std::span<const View> out, const Params&);

}  // namespace baton::reference
