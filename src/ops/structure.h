#pragma once
// structure: public functions of the primitives that hold Programs, for the typed edge and other rooms of
// ours. They stand apart from baton/lax.h because users reach them through baton/transform.h and
// baton/custom.h.
#include "program/primitive.h"

namespace baton::lax {

/// The body, whose values are computed again in the backward pass except those that the policy names.
Arrays checkpoint(const Program& body, const Arrays& inputs, const SavePolicy& policy, Where where);
/// Throws if the body of a checkpoint calls code with effects, which the backward pass would run again.
void require_repeatable(const Program& body);
/// `call`, whose derivative is `jvp`: (inputs, tangents of inexact inputs) -> (outputs, tangents of inexact
/// outputs). The last `captures` inputs may not be differentiated; neither Program moves tangents for them.
Arrays custom_jvp(const Program& call, const Program& jvp, int captures, const Arrays& inputs, Where where);
/// `call`, whose gradient is `backward`(`forward`): forward (inputs) -> (outputs, residuals);
/// backward (residuals, cotangents of inexact outputs) -> (cotangents of inexact inputs but the captures).
Arrays custom_vjp(const Program& call, const Program& forward, const Program& backward, int captures,
                  const Arrays& inputs, Where where);

/// x with matvec(matvec_consts, x) = b; solve and transpose_solve take (their consts, b).
Arrays custom_linear_solve(const Program& matvec, const Arrays& matvec_consts, const Program& solve,
                           const Arrays& solve_consts, const Program& transpose_solve,
                           const Arrays& transpose_consts, const Arrays& b, Where where);

}  // namespace baton::lax

namespace baton::ops {
/// The Program for one who does not differentiate it: calls of functions with rules are the functions alone,
/// in the Programs that it holds too.
Program without_rules(const Program&);
}  // namespace baton::ops
