#pragma once
// draw: what the files of this room share: words of keys, shapes of parameters, checks.
#include <cmath>

#include "baton/random.h"
#include "numpy/common.h"

namespace baton::random {

using numpy::broadcast;
using numpy::product;

/// Bits of a floating dtype's mantissa that are stored.
inline int mantissa_bits(Dtype d) { return d == f16 ? 10 : d == bf16 ? 7 : real_of(d) == f32 ? 23 : 52; }
inline double epsilon(Dtype d) { return std::ldexp(1.0, -mantissa_bits(d)); }  // from 1 to the next number
inline double smallest(Dtype d) {
  return d == f16 ? 0x1p-14 : d == f64 ? 0x1p-1022 : 0x1p-126;
}  // normal number

/// The two words of the key, repeated to a shape.
std::pair<Array, Array> words(const Key& key, const Shape& shape);
/// Threefry of the key on the numbers of the elements of a shape, row-major.
std::pair<Array, Array> blocks(const Key& key, const Shape& shape);

void require_floating(std::string_view name, Dtype dtype);
void require_integer(std::string_view name, Dtype dtype);
/// A shape asked for, or if it is empty that of the parameters; they must broadcast to it.
Shape shape_of(std::string_view name, const Shape& asked, const std::vector<Shape>& parameters);
/// A parameter as this dtype: arrays are converted, and so are real numbers where it is an integer dtype.
Array as(Operand x, Dtype dtype);

}  // namespace baton::random
