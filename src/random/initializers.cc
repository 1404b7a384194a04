// initializers: first values of weights, as jax.nn.initializers.
#include "random/draw.h"

namespace baton::initializers {
namespace {

using random::Key;

/// The product of the extents of these axes.
double extent_of(const Shape& shape, const std::vector<int>& axes) {
  double product = 1;
  for (int axis : axes) {
    const auto i = ops::canonical_axis(axis, static_cast<std::int64_t>(shape.size()));
    if (i < 0 || i >= static_cast<std::int64_t>(shape.size()))
      type_error("initializers::variance_scaling",
                 "axis " + std::to_string(axis) + " is out of range for the shape " + show(shape) +
                     ".\n  Kernels need two axes; or name them: {.in_axis = ...}.");
    product *= static_cast<double>(shape[static_cast<std::size_t>(i)]);
  }
  return product;
}

Array scaled(const Initializer& init, const Key& key, const Shape& shape, Dtype dtype, Where where) {
  const double in = extent_of(shape, init.in_axis), out = extent_of(shape, init.out_axis);
  const double window =
      static_cast<double>(numpy::product(shape)) / in / out / extent_of(shape, init.batch_axis);
  const double fan_in = in * window, fan_out = out * window;
  double fan = fan_in;
  if (init.fan == Fan::out) fan = fan_out;
  if (init.fan == Fan::average) fan = (fan_in + fan_out) / 2;
  if (init.fan == Fan::geometric_average) fan = std::sqrt(fan_in * fan_out);
  const Array variance = Operand(init.scale / fan).array(dtype);
  auto times = [&](const Array& x, const Array& factor) {
    return lax::mul(x, lax::broadcast_in_dim(factor, shape, {}));
  };
  switch (init.distribution) {
    case Distribution::normal:
      return times(random::normal(key, shape, dtype, where), lax::sqrt(variance));
    case Distribution::uniform:
      return times(random::uniform(key, shape, dtype, -1.0, 1.0, where), lax::sqrt(lax::mul(variance, 3.0)));
    case Distribution::truncated_normal:
      break;
  }
  // The standard deviation of a normal distribution that is cut off at -2 and 2.
  const Array stddev = lax::div(lax::sqrt(variance), 0.87962566103423978);
  return times(random::truncated_normal(key, Operand(-2.0, where), 2.0, shape, dtype), stddev);
}

Array orthonormal(const Initializer& init, const Key& key, const Shape& shape, Dtype dtype, Where where) {
  if (shape.size() < 2)
    type_error("initializers::orthogonal",
               "at least two axes are required, found the shape " + show(shape) + ".");
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t axis = ops::canonical_axis(init.column_axis, rank);
  if (axis < 0 || axis >= rank)
    type_error("initializers::orthogonal", "column axis " + std::to_string(init.column_axis) +
                                               " is out of range for the shape " + show(shape) + ".");
  const std::int64_t size = numpy::product(shape), columns = shape[static_cast<std::size_t>(axis)];
  if (size == 0) return lax::zeros({dtype, shape});
  const Array q = random::orthogonal(key, size / columns, {}, dtype, columns, where);
  Shape with_columns_last = shape;
  with_columns_last.erase(with_columns_last.begin() + axis);
  with_columns_last.push_back(columns);
  const Array x = lax::reshape(q, with_columns_last);
  return lax::mul(ops::move_axis(x, static_cast<int>(rank) - 1, static_cast<int>(axis)), init.scale);
}

/// An orthogonal matrix in the middle of a convolution's window, zero elsewhere.
Array delta(const Initializer& init, const Key& key, const Shape& shape, Dtype dtype, Where where) {
  const char* name = "initializers::delta_orthogonal";
  if (shape.size() < 3 || shape.size() > 5)
    type_error(name, "three to five axes are required, found the shape " + show(shape) + ".");
  const Shape last(shape.end() - 2, shape.end());
  if (last[1] < last[0])
    type_error(
        name, "as many outputs (the last axis) as inputs are required, found the shape " + show(shape) + ".");
  std::vector<lax::Padding> padding(shape.size());
  Shape middle = last;
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) {
    middle.insert(middle.begin(), 1);
    padding[i] = {(shape[i] - 1) / 2, shape[i] - 1 - (shape[i] - 1) / 2, 0};
  }
  return lax::pad(lax::reshape(orthonormal(init, key, last, dtype, where), middle), lax::zeros({dtype, {}}),
                  padding);
}

Initializer scaling(double scale, Fan fan, Distribution distribution, const Axes& axes) {
  Initializer init;
  init.kind = Initializer::Kind::variance_scaling;
  init.scale = scale;
  init.fan = fan;
  init.distribution = distribution;
  init.in_axis = axes.in_axis;
  init.out_axis = axes.out_axis;
  init.batch_axis = axes.batch_axis;
  return init;
}
Initializer of(Initializer::Kind kind, double scale) {
  Initializer init;
  init.kind = kind;
  init.scale = scale;
  return init;
}

}  // namespace

Array Initializer::operator()(const Key& key, const Shape& shape, Dtype dtype, Where where) const {
  const Frame frame(where);
  switch (kind) {
    case Kind::constant:
      return lax::full(shape, Operand(scale).array(dtype));
    case Kind::uniform:
      return lax::mul(random::uniform(key, shape, dtype, 0.0, 1.0, where), scale);
    case Kind::normal:
      return lax::mul(random::normal(key, shape, dtype, where), scale);
    case Kind::truncated_normal:
      return lax::mul(random::truncated_normal(key, Operand(lower, where), upper, shape, dtype), scale);
    case Kind::variance_scaling:
      return scaled(*this, key, shape, dtype, where);
    case Kind::orthogonal:
      return orthonormal(*this, key, shape, dtype, where);
    case Kind::delta_orthogonal:
      break;
  }
  return delta(*this, key, shape, dtype, where);
}

Initializer zeros() { return constant(0); }
Initializer ones() { return constant(1); }
Initializer constant(double value) { return of(Initializer::Kind::constant, value); }
Initializer uniform(double scale) { return of(Initializer::Kind::uniform, scale); }
Initializer normal(double stddev) { return of(Initializer::Kind::normal, stddev); }
Initializer truncated_normal(double stddev, double lower, double upper) {
  Initializer init = of(Initializer::Kind::truncated_normal, stddev);
  init.lower = lower;
  init.upper = upper;
  return init;
}
Initializer variance_scaling(double scale, Fan fan, Distribution distribution, const Axes& axes) {
  return scaling(scale, fan, distribution, axes);
}
Initializer glorot_uniform(const Axes& axes) { return scaling(1, Fan::average, Distribution::uniform, axes); }
Initializer glorot_normal(const Axes& axes) {
  return scaling(1, Fan::average, Distribution::truncated_normal, axes);
}
Initializer lecun_uniform(const Axes& axes) { return scaling(1, Fan::in, Distribution::uniform, axes); }
Initializer lecun_normal(const Axes& axes) {
  return scaling(1, Fan::in, Distribution::truncated_normal, axes);
}
Initializer he_uniform(const Axes& axes) { return scaling(2, Fan::in, Distribution::uniform, axes); }
Initializer he_normal(const Axes& axes) { return scaling(2, Fan::in, Distribution::truncated_normal, axes); }
Initializer orthogonal(double scale, int column_axis) {
  Initializer init = of(Initializer::Kind::orthogonal, scale);
  init.column_axis = column_axis;
  return init;
}
Initializer delta_orthogonal(double scale, int column_axis) {
  Initializer init = of(Initializer::Kind::delta_orthogonal, scale);
  init.column_axis = column_axis;
  return init;
}

}  // namespace baton::initializers
