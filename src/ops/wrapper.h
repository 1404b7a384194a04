#pragma once
// wrapper: the rules of primitives that hold one Program and mean it: transforms go inside and keep the
// wrapping, whatever else it says.
#include "ops/loops.h"

namespace baton::ops {

/// The same primitive around another Program.
using Wrap = FunctionRef<Arrays(const Program& body, const Arrays& inputs)>;

std::pair<Arrays, Arrays> wrapped_jvp(const Program& body, const Arrays& primals, const Arrays& tangents,
                                      Transformer&, Wrap);
/// The operands of the adjoint, values that are not linear before cotangents, pass through `held` first.
Arrays wrapped_transpose(const Program& body, const Arrays& cts, std::span<const LinearOperand>, Transformer&,
                         Wrap, FunctionRef<Arrays(const Arrays&)> held);
std::vector<Batched> wrapped_batch(const Program& body, const BatchAxis&, std::span<const Batched> in,
                                   Transformer&, Wrap);
/// `primitive` with `params` of the unknown half is what is left.
PartialEquation wrapped_partial(const Program& body, const Arrays& known, std::span<const Type> out_types,
                                Transformer&, const SavePolicy&, Wrap, const Primitive& primitive,
                                FunctionRef<Params(const Program&)> params);

}  // namespace baton::ops
