#pragma once
// executor: how operations outside a trace and whole Programs come to be run. Implemented in jit/.
#include <span>

#include "program/primitive.h"

namespace baton {

/// Runs a Program on concrete arrays, through the cache of executables.
Arrays execute(const Program&, const Arrays& inputs, Where where);
/// Runs one operation on concrete arrays.
Arrays execute(const Primitive&, const Arrays& inputs, const Params&, const Types& outputs, Where where);

}  // namespace baton
