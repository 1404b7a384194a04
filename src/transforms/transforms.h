#pragma once
// transforms: Program -> Program, one function a file. Pure functions of content, so their results are kept
// by content. What masks and results mean stands beside the result structs in program/primitive.h.
#include "program/primitive.h"

namespace baton {

JvpProgram jvp(const Program&, const Mask& in, const Mask& instantiate);
PartialProgram partial(const Program&, const Mask& unknown, const Mask& instantiate, const SavePolicy&);
TransposeProgram transpose(const Program&, const Mask& linear, const Mask& cotangents,
                           const Mask& instantiate);
BatchProgram batch(const Program&, const BatchAxis&, const Mask& in, const Mask& instantiate);

/// The same functions, each result kept by content (transforms/memo.cc). Usable from any thread.
Transformer& transformer();
/// Forgets what is kept.
void clear_transforms();
/// Results kept at present.
std::size_t transform_count();

}  // namespace baton
