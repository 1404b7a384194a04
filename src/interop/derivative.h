#pragma once
// derivative: whole Programs with their derivatives, as the command line runs them.
#include <vector>

#include "baton/program.h"

namespace baton {

/// (inputs..., cotangents of the inexact outputs...) -> (outputs..., gradients of the inexact inputs...).
Program vjp_program(const Program&);
/// (inputs..., tangents of the inexact inputs...) -> (outputs..., tangents of the inexact outputs...).
Program jvp_program(const Program&);
/// Which types are inexact, in order.
std::vector<bool> inexact_mask(const Types&);

}  // namespace baton
