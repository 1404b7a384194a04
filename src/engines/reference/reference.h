#pragma once
// reference: the oracle. It walks a Program equation by equation with each primitive's own `evaluate`.
// No passes, no Plan: slow, obvious, right.
#include "program/primitive.h"

namespace baton::reference {

/// What is found out about a Program once: after which equation each value dies.
struct Prepared {
  Program program;
  std::vector<std::vector<Var>>
      last_uses;  // for each equation: variables that no later equation and no output reads
  std::size_t bytes() const;
};
Prepared prepare(const Program&);

/// Runs it. Inputs are taken over: a value dies at its last use. For each donated input, `take[i]` names the
/// output that gets its memory when the walk ends, or -1.
Arrays run(const Prepared&, Arrays inputs, std::span<const int> take);

/// Runs one operation.
Arrays run(const Primitive&, const Arrays& inputs, const Params&, const Types& outputs);

}  // namespace baton::reference
