// activations: the elementwise functions of jax.nn.
#include "baton/activations.h"

#include "numpy/common.h"

namespace baton {
namespace {

using namespace numpy;

/// Opens the frame of the call and makes x floating.
template <class F>
Array on_floating(std::string_view name, Operand x, F f) {
  const Frame frame(x.where());
  const Array a = floating(x);
  if (is_complex(a.dtype())) type_error(name, "real operands are required, found " + show(a.type()) + ".");
  return f(a);
}
Array constant(const Array& like, double value) { return lax::full_like(like, value); }
Array positive(const Array& x) { return lax::gt(x, constant(x, 0)); }

}  // namespace

Array relu(Operand x) {
  const Frame frame(x.where());
  const Array a = x.array();  // integers stay integers
  if (is_complex(a.dtype())) type_error("relu", "real operands are required, found " + show(a.type()) + ".");
  const Array zero = lax::full_like(a, 0);
  return lax::select(lax::le(a, zero), zero, a);  // by select: its derivative at 0 is 0, and NaN stays NaN
}
Array relu6(Operand x) {
  return on_floating("relu6", x, [](const Array& a) { return lax::clamp(0.0, a, 6.0); });
}
Array leaky_relu(Operand x, Operand slope) {
  return on_floating("leaky_relu", x, [&](const Array& a) {
    const Array negative = multiply(a, slope);
    return where(lax::ge(a, constant(a, 0)), a, negative);
  });
}
Array elu(Operand x, Operand alpha) {
  return on_floating("elu", x, [&](const Array& a) {
    const Array up = positive(a);
    const Array safe = lax::select(up, constant(a, 0), a);  // no overflow in the branch that is not taken
    const Array down = multiply(alpha, lax::expm1(safe));
    return where(up, a, down);
  });
}
Array selu(Operand x) {
  return on_floating("selu", x, [](const Array& a) {
    return lax::mul(elu(a, 1.6732632423543772848), 1.0507009873554804934);
  });
}
Array celu(Operand x, Operand alpha) {
  return on_floating("celu", x, [&](const Array& a) {
    const Array up = lax::max(a, 0.0), low = lax::min(a, 0.0);
    const Array down = multiply(alpha, lax::expm1(divide(low, alpha)));
    return add(up, down);
  });
}
Array gelu(Operand x, const GeluOptions& options) {
  return on_floating("gelu", x, [&](const Array& a) {
    if (!options.approximate) {
      const Array tail = lax::erfc(lax::mul(a, -0.70710678118654752440));
      return lax::mul(lax::mul(a, 0.5), tail);
    }
    const Array cubed = lax::mul(lax::integer_pow(a, 3), 0.044715);
    const Array inner = lax::mul(lax::add(a, cubed), 0.79788456080286535588);  // sqrt(2 / pi)
    const Array half = lax::mul(lax::add(lax::tanh(inner), 1.0), 0.5);
    return lax::mul(a, half);
  });
}
Array silu(Operand x) {
  return on_floating("silu", x, [](const Array& a) { return lax::mul(a, lax::logistic(a)); });
}
Array swish(Operand x) { return silu(x); }
Array mish(Operand x) {
  return on_floating("mish", x, [](const Array& a) { return lax::mul(a, lax::tanh(softplus(a))); });
}
Array softplus(Operand x) {
  return on_floating("softplus", x, [](const Array& a) { return logaddexp(a, 0.0); });
}
Array soft_sign(Operand x) {
  return on_floating("soft_sign", x, [](const Array& a) { return lax::div(a, lax::add(lax::abs(a), 1.0)); });
}
Array sigmoid(Operand x) {
  return on_floating("sigmoid", x, [](const Array& a) { return lax::logistic(a); });
}
Array log_sigmoid(Operand x) {
  return on_floating("log_sigmoid", x, [](const Array& a) { return lax::neg(softplus(lax::neg(a))); });
}
Array hard_tanh(Operand x) {
  return on_floating("hard_tanh", x, [](const Array& a) {
    const Array one = constant(a, 1), minus = constant(a, -1);
    const Array above = lax::gt(a, one), below = lax::lt(a, minus);
    return lax::select(above, one, lax::select(below, minus, a));
  });
}
Array hard_sigmoid(Operand x) {
  return on_floating("hard_sigmoid", x,
                     [](const Array& a) { return lax::div(relu6(lax::add(a, 3.0)), 6.0); });
}
Array hard_silu(Operand x) {
  return on_floating("hard_silu", x, [](const Array& a) { return lax::mul(a, hard_sigmoid(a)); });
}
Array hard_swish(Operand x) { return hard_silu(x); }
Array squareplus(Operand x, Operand b) {
  return on_floating("squareplus", x, [&](const Array& a) {
    const Array root = sqrt(add(lax::square(a), b));
    return multiply(add(a, root), 0.5);
  });
}
Array sparse_plus(Operand x) {
  return on_floating("sparse_plus", x, [](const Array& a) {
    const Array parabola = lax::mul(lax::square(lax::add(a, 1.0)), 0.25);
    const Array low = lax::le(a, constant(a, -1)), high = lax::ge(a, constant(a, 1));
    const Array above = lax::select(high, a, parabola);
    return lax::select(low, constant(a, 0), above);
  });
}
Array sparse_sigmoid(Operand x) {
  return on_floating("sparse_sigmoid", x,
                     [](const Array& a) { return lax::mul(clip(lax::add(a, 1.0), 0.0, 2.0), 0.5); });
}
Array log1mexp(Operand x) {
  return on_floating("log1mexp", x, [](const Array& a) {
    // log(1 - e^-x): near 0 by expm1, far away by log1p, each fed with numbers from its own half.
    const Array one = constant(a, 1), small = lax::lt(a, constant(a, 0.69314718055994530942));
    const Array near = lax::log(lax::neg(lax::expm1(lax::neg(lax::select(small, a, one)))));
    const Array far = lax::log1p(lax::neg(lax::exp(lax::neg(lax::select(small, one, a)))));
    return lax::select(small, near, far);
  });
}
Array glu(Operand x, int axis) {
  return on_floating("glu", x, [&](const Array& a) {
    const auto k = static_cast<int>(axis_of("glu", axis, a.type()));
    if (a.dim(k) % 2 != 0)
      type_error("glu", "an axis of even extent is required, found axis " + std::to_string(k) + " of " +
                            show(a.type()) + ".");
    const std::int64_t half = a.dim(k) / 2;
    const Array value = lax::slice_in_dim(a, 0, half, 1, k),
                gate = lax::slice_in_dim(a, half, 2 * half, 1, k);
    return lax::mul(value, lax::logistic(gate));
  });
}

Array one_hot(Operand x, std::int64_t classes, Dtype dtype, int axis) {
  const Frame frame(x.where());
  const Array a = x.array();
  if (classes < 0)
    type_error("one_hot", "0 or more classes are required, found " + std::to_string(classes) + ".");
  Type result = a.type();
  result.shape.push_back(classes);
  const std::int64_t k = axis_of("one_hot", axis, result);
  Shape shape = a.shape();
  shape.insert(shape.begin() + k, classes);
  const Array label = spread(a, shape, {k});
  // Compared in the labels' own dtype where it holds every class.
  const bool narrow = !is_integer(a.dtype()) || size_of(a.dtype()) < 4;
  const Dtype d = narrow ? (is_inexact(a.dtype()) ? promote(a.dtype(), f32) : s32) : a.dtype();
  return to(lax::eq(to(label, d), positions(shape, k, d)), dtype);
}

}  // namespace baton
