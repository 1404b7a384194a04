#pragma once
// narrow: results of narrow types. Operations work on the carriers; what they give is brought back to the
// format, so that a carrier never holds a number that the format does not have.
#include "baton/lax.h"
#include "interop/mlir/narrow.h"

namespace baton::stablehlo {

using mlir::Narrow;

/// What an operation gave on carriers, in the format: integers wrap to its width, floats are rounded once.
Array in_format(const Narrow&, const Array&, Where);
/// Any array converted to the format. Integers from floats saturate, as they do in wider types.
Array converted(const Narrow&, const Array&, Where);
/// An array of the format converted to a dtype.
Array without_format(const Narrow&, const Array&, Dtype, Where);
/// The bits of a narrow integer with zeros, or copies of its highest bit, above them in the carrier.
Array zero_extended(const Narrow&, const Array&);
Array sign_extended(const Narrow&, const Array&);

}  // namespace baton::stablehlo
