// function: grows a pool of values by random steps; loops, branches, calls and checkpoints hold smaller
// functions.
#include "fuzz/function.h"

namespace baton::testing {
namespace {

using Pool = std::vector<Array>;

Array squash(const Array& x) { return lax::tanh(lax::mul(x, 0.5)); }

Array unary(SeededNumbers& random, const Array& x) {
  switch (random.below(12)) {
    case 0:
      return lax::sin(x);
    case 1:
      return lax::cos(x);
    case 2:
      return lax::tanh(x);
    case 3:
      return lax::exp(squash(x));
    case 4:
      return lax::logistic(x);
    case 5:
      return lax::log1p(lax::square(x));
    case 6:
      return lax::sqrt(lax::add(lax::square(x), 1.0));
    case 7:
      return lax::erf(x);
    case 8:
      return lax::atan(x);
    case 9:
      return lax::integer_pow(squash(x), 3);
    case 10:
      return lax::neg(x);
    default:
      return lax::mul(x, random.uniform(-1, 1));
  }
}

/// x with the shape, by sums and copies.
Array shaped(const Array& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  std::vector<std::int64_t> axes;
  for (int i = 0; i < x.rank(); ++i) axes.push_back(i);
  return lax::broadcast_in_dim(lax::mul(lax::reduce_sum(x, axes), 0.25), shape, {});
}

Array binary(SeededNumbers& random, const Array& x, const Array& other) {
  const Array y = shaped(other, x.shape());
  switch (random.below(6)) {
    case 0:
      return lax::add(x, y);
    case 1:
      return lax::sub(x, y);
    case 2:
      return lax::mul(x, y);
    case 3:
      return lax::div(x, lax::add(lax::square(y), 1.0));
    case 4:
      return lax::atan2(x, lax::add(lax::square(y), 0.5));
    default:
      return lax::pow(lax::add(lax::square(x), 1.0), squash(y));
  }
}

/// Moves elements of x around; the result may have another shape.
Array moved(SeededNumbers& random, const Array& x) {
  if (x.rank() == 0) return lax::broadcast_in_dim(x, {3}, {});
  const int axis = static_cast<int>(random.below(static_cast<std::size_t>(x.rank())));
  const std::int64_t n = x.dim(axis);
  switch (random.below(9)) {
    case 0:
      return lax::rev(x, {axis});
    case 1:
      return lax::reduce_sum(x, {axis});
    case 2:
      return lax::cumsum(x, axis, random.below(2) == 0);
    case 3:
      return lax::slice_in_dim(x, 0, n, 2, axis);
    case 4:
      return lax::concatenate({x, lax::slice_in_dim(x, 0, 1, 1, axis)}, axis);
    case 5: {
      std::vector<lax::Padding> padding(static_cast<std::size_t>(x.rank()));
      padding[static_cast<std::size_t>(axis)] = {1, -1, static_cast<std::int64_t>(random.below(2))};
      return lax::pad(x, 0.5, padding);
    }
    case 6: {
      std::vector<std::int64_t> order;
      for (int i = x.rank(); i-- > 0;) order.push_back(i);
      return lax::transpose(x, order);
    }
    case 7:
      return lax::reshape(x, {x.size()});
    default:
      return lax::dynamic_index_in_dim(x, static_cast<int>(random.below(static_cast<std::size_t>(n) + 2)),
                                       axis, true);
  }
}

Array product(const Array& x, const Array& other) {
  if (x.rank() == 0) return lax::mul(x, shaped(other, {}));
  const Array y = shaped(other, x.shape());
  return squash(lax::dot_general(x, y, {.lhs_contract = {x.rank() - 1}, .rhs_contract = {y.rank() - 1}}));
}

/// A few steps from the pool; ends with a value of the shape.
Array grown(SeededNumbers random, Pool pool, const Shape& shape, int depth);

/// A value made by a function of its own: one value goes in, and others are captured.
Array structured(SeededNumbers& random, const Pool& pool, const Array& x, int depth) {
  const SeededNumbers inner(random.bits());
  const Shape shape = x.shape();
  auto part = [inner, pool, shape, depth](const Array& v) {
    Pool values = pool;
    values.push_back(v);
    return squash(grown(inner, values, shape, depth - 1));
  };
  switch (random.below(9)) {
    case 0: {  // one step for each row of a captured array
      const Array rows = shaped(pool[0], {3});
      auto [carry, ys] = scan(
          [&](Array c, Array t) {
            const Array next = part(lax::add(c, lax::broadcast_in_dim(t, shape, {})));
            return Step{next, lax::mul(next, 0.5)};
          },
          x, rows, {.reverse = random.below(2) == 0});
      return lax::add(carry, lax::reduce_sum(ys, {0}));
    }
    case 1: {
      const Array size = shaped(x, {});
      return cond(
          lax::gt(size, random.uniform(-1, 1)), part, [](const Array& v) { return lax::sin(v); }, x);
    }
    case 2:
      return jit(part)(x);
    case 3:
      return checkpoint(part)(x);
    case 4:
      return checkpoint(part, {.save = save::dots})(x);
    case 5:
      return fori_loop(
          0, 2,
          [&](const Array& i, const Array& c) {
            return lax::add(part(c), shaped(lax::convert_element_type(i, f64), shape));
          },
          x);
    case 6:
      return while_loop([](const Array& c) { return lax::lt(shaped(lax::square(c), {}), 4.0); },
                        [&](const Array& c) { return lax::mul(lax::add(part(c), c), 1.5); }, x,
                        {.max_steps = 4});
    case 7: {
      auto ruled =
          custom_jvp([](const Array& v) { return lax::mul(v, v); },
                     [](const std::tuple<Array>& v, const std::tuple<Array>& dv) {
                       const Array z = std::get<0>(v);
                       return Jvp<Array>{lax::mul(z, z), lax::mul(lax::mul(z, 2.0), std::get<0>(dv))};
                     });
      return ruled(part(x));
    }
    default: {
      if (x.rank() == 0 || x.dim(0) == 0) return part(x);
      return vmap([&](const Array& row) { return lax::mul(lax::sin(row), shaped(pool[0], row.shape())); })(x);
    }
  }
}

Array grown(SeededNumbers random, Pool pool, const Shape& shape, int depth) {
  const std::size_t steps = 3 + random.below(4);
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t which = random.below(pool.size()), other = random.below(pool.size());
    const Array x = pool[which], y = pool[other];
    const std::size_t kind = random.below(depth > 0 ? 10 : 7);
    const Array next = kind < 2   ? unary(random, x)
                       : kind < 4 ? binary(random, x, y)
                       : kind < 6 ? moved(random, x)
                       : kind < 7 ? product(x, y)
                                  : structured(random, pool, x, depth);
    if (next.size() > 0 && next.size() < 40 && next.rank() < 4) pool.push_back(next);
  }
  Array out = shaped(pool.back(), shape);
  for (std::size_t i = 1; i < std::min<std::size_t>(3, pool.size()); ++i)
    out = lax::add(out, lax::mul(shaped(pool[pool.size() - 1 - i], shape), 0.3));
  return out;
}

}  // namespace

Array random_function(std::uint64_t seed, const Array& x, const Array& y) {
  return lax::sin(grown(SeededNumbers(seed), {x, y}, {3}, 3));
}

}  // namespace baton::testing
