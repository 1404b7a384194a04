#pragma once
// derive: the derivatives that users ask for, put together from jvp, partial and transpose.
#include "transforms/transforms.h"

namespace baton {

/// (inputs) -> (outputs, gradient of output 0 in the inputs of the mask). Output 0 is a scalar.
Program gradient(const Program&, const Mask& wrt);

/// A function at a point, and its linear part.
/// known: (inputs) -> (outputs, residuals); linear: (tangents of the mask, residuals) -> tangents of inexact
/// outputs.
struct LinearProgram {
  Program known, linear;
  std::size_t residuals = 0;
};
LinearProgram linearize(const Program&, const Mask& wrt);
/// (residuals, cotangents of inexact outputs) -> cotangents of the inputs of the mask, zeros included.
Program transpose_linear(const LinearProgram&, const Mask& wrt);

Mask inexact_outputs(const Program&);
/// Refuses a function that is not linear in the inputs of the mask: its derivative reads their values.
void require_linear(const Program&, const Mask& wrt, const char* who, Where where);
/// Refuses the forward mode of a function that has a rule for reverse mode only (custom_vjp).
void require_forward_rules(const Program& derivative, const char* who, Where where);

}  // namespace baton
