#pragma once
// common: what the files of this room share: dtypes and shapes of operands side by side, axes, small arrays.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "baton/lax.h"
#include "baton/numpy.h"
#include "ops/indexing.h"
#include "trace/trace.h"

namespace baton::numpy {

using List = std::vector<std::int64_t>;
using ops::at;
using ops::wrapped_index;

/// x in this dtype; x itself if it is.
Array to(const Array& x, Dtype dtype);
/// The floating dtype of functions that need one: f64 for 64-bit integers, f32 for the others and bool.
Dtype inexact(Dtype dtype);
/// An operand as an array of a floating or complex dtype.
Array floating(Operand x);
/// The dtype of these operands side by side, where a number takes that of the arrays.
Dtype common_dtype(std::span<const Operand> operands);
/// The operand in this dtype.
Array as(Operand x, Dtype dtype);

/// What these shapes broadcast to, or nothing if they do not.
std::optional<Shape> broadcast_of(std::span<const Shape> shapes);
Shape common_shape(std::string_view name, std::span<const Shape> shapes);
/// Repeats x along leading axes and axes of extent 1; the shape must allow it.
Array broadcast(const Array& x, const Shape& shape);
/// The operands in one dtype and shape.
struct Pair {
  Array x, y;
};
Pair aligned(std::string_view name, Operand x, Operand y);
Pair aligned_inexact(std::string_view name, Operand x, Operand y);

/// An axis of a type, counted from the front, or an error.
std::int64_t axis_of(std::string_view name, std::int64_t axis, const Type& type);
/// All different, counted from the front, in the order given.
List axes_of(std::string_view name, const Axes& axes, const Type& type);
List all_axes(std::int64_t rank);
/// The same shape with extent 1 for these axes.
Shape kept(const Shape& shape, const List& axes);
/// Removes axes.
Shape without(const Shape& shape, const List& axes);
std::int64_t product(const Shape& shape);
/// Puts reduced axes back with extent 1, if asked for.
Array keep(const Array& reduced, const Shape& before, const List& axes, bool keepdims);
/// Broadcasts what was reduced over these axes to the shape before.
Array spread(const Array& reduced, const Shape& before, const List& axes);

/// The largest and lowest number of a dtype: infinities for floating ones.
Array highest(Dtype dtype);
Array lowest(Dtype dtype);
double largest_finite(Dtype dtype);

/// s32[shape] with the index along an axis.
Array positions(const Shape& shape, std::int64_t axis, Dtype dtype = s32);
/// The mode of a gather, from the one asked for and the default.
lax::GatherOptions gather_options(std::string_view name, IndexMode mode, IndexMode by_default,
                                  std::optional<double> fill_value);
void require_integers(std::string_view name, const Array& indices);
/// A mask (bool) that is broadcast to a shape.
Array mask_of(std::string_view name, const Array& mask, const Shape& shape);

}  // namespace baton::numpy
