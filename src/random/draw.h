#pragma once
// draw: what the files of this room share: words of keys, shapes of parameters, checks.
#include <cmath>

#include "baton/lax.h"
#include "baton/random.h"
#include "ops/rules.h"
#include "trace/trace.h"

namespace baton::random {

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
/// The shape that parameters broadcast to, as NumPy does.
Shape broadcast_shapes(std::string_view name, const std::vector<Shape>& shapes);
/// A shape asked for, or if it is empty that of the parameters; they must broadcast to it.
Shape shape_of(std::string_view name, const Shape& asked, const std::vector<Shape>& parameters);
/// Repeats x along leading axes and axes of extent 1.
Array broadcast_to(const Array& x, const Shape& shape);
/// A parameter as this dtype: arrays are converted.
Array as(Operand x, Dtype dtype);
std::int64_t size_of_shape(const Shape& shape);

}  // namespace baton::random
