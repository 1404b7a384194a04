#pragma once
// traced_tree: a user's function on a tree, traced. Empty leaves stay empty on both sides; the others are the
// inputs and outputs of the Program, in order.
#include "baton/transform.h"
#include "trace/trace.h"

namespace baton::core {

struct TracedTree {
  Closed closed;
  Mask present_in, present_out;  // over all leaves

  /// The present leaves, then the captured arrays: what the Program takes.
  Arrays inputs(const Arrays& leaves) const;
  /// All leaves of the result, empty where the function left them empty.
  Arrays outputs(const Arrays& present) const;
};

/// Traces `body` on the leaves of a tree. `types` replaces their types where it is not empty (one for each
/// leaf).
TracedTree trace_tree(const char* who, const Arrays& leaves, const Types& types, Body body, Where where,
                      detail::Result& pattern);

Mask inexact(const Types&);

}  // namespace baton::core
