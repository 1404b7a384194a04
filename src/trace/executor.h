#pragma once
// executor: how operations outside a trace and whole Programs come to be run. Implemented in jit/.
#include <span>

#include "program/primitive.h"

namespace baton {

/// Runs a Program on concrete arrays, through the cache of executables.
/// Inputs that nobody else holds die at their last use.
Arrays execute(const Program&, Arrays inputs, Where where);
/// Runs one operation on concrete arrays.
Arrays execute(const Primitive&, const Arrays& inputs, const Params&, const Types& outputs, Where where);

}  // namespace baton
