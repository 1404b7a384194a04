// continuous: distributions of real numbers, each made of uniforms, step by step as jax.random makes them.
#include "ops/random_gamma.h"
#include "random/draw.h"

namespace baton::random {

Array uniform(const Key& key, const Shape& shape, Dtype dtype, Operand low, Operand high, Where where) {
  const Frame frame(where);
  require_floating("random::uniform", dtype);
  // Random bits as the mantissa of a number on [1, 2). bf16 needs only 8.
  const Dtype drawn = dtype == f64 ? u64 : dtype == f32 ? u32 : dtype == f16 ? u16 : u8;
  const Dtype held = dtype == f64 ? u64 : dtype == f32 ? u32 : u16;
  const int width = static_cast<int>(8 * size_of(drawn)), mantissa = mantissa_bits(dtype);
  Array word = bits(key, shape, drawn, where);
  if (held != drawn) word = lax::convert_element_type(word, held);
  const Array one = lax::bitcast_convert_type(Operand(1.0).array(dtype), held);
  word = lax::bitwise_or(lax::shift_right_logical(word, width - mantissa),
                         lax::broadcast_in_dim(one, shape, {}));
  const Array unit = lax::sub(lax::bitcast_convert_type(word, dtype), 1.0);
  const Array from = as(low, dtype), to = as(high, dtype);
  if (shape_of("random::uniform", shape, {from.shape(), to.shape()}) != shape)
    type_error("random::uniform", "bounds of shapes " + show(from.shape()) + " and " + show(to.shape()) +
                                      " must broadcast to the shape " + show(shape) + ".");
  const Array a = broadcast(from, shape), b = broadcast(to, shape);
  return lax::max(a, lax::add(lax::mul(unit, lax::sub(b, a)), a));
}

namespace {

/// The polynomial of Giles, 2010, in f32. lax::erf_inv is exact to the last bit, but jax.random's normals
/// carry the rounding of u^2 near 1: 30 units in the last place at 4 standard deviations. Here they are to be
/// the same numbers.
Array erf_inv_as_jax(const Array& u) {
  constexpr double central[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                -0.00417768164,  0.246640727,    1.50140941};
  constexpr double tail[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                             -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
  const Array w = lax::neg(lax::log1p(lax::neg(lax::mul(u, u))));
  const Array near = lax::lt(w, 5.0);
  const Array v = lax::select(near, lax::sub(w, 2.5), lax::sub(lax::sqrt(w), 3.0));
  Array p;
  for (int i = 0; i < 9; ++i) {
    const Array c = lax::select(near, lax::full_like(v, central[i]), lax::full_like(v, tail[i]));
    p = i == 0 ? c : lax::add(lax::mul(p, v), c);
  }
  return lax::mul(p, u);
}

}  // namespace

Array normal(const Key& key, const Shape& shape, Dtype dtype, Where where) {
  const Frame frame(where);
  if (is_complex(dtype)) {
    const auto [re, im] = split<2>(key, where);
    auto part = [&](const Key& k) {
      return lax::div(normal(k, shape, real_of(dtype), where), std::sqrt(2.0));
    };
    return lax::complex(part(re), part(im));
  }
  require_floating("random::normal", dtype);
  const double low = epsilon(dtype) / 2 - 1;  // the number after -1
  const Array u = uniform(key, shape, dtype, low, 1.0, where);
  return lax::mul(dtype == f32 ? erf_inv_as_jax(u) : lax::erf_inv(u), std::sqrt(2.0));
}

Array truncated_normal(const Key& key, Operand lower, Operand upper, const Shape& shape, Dtype dtype) {
  const Frame frame(lower.where());
  require_floating("random::truncated_normal", dtype);
  const Array low = as(lower, dtype), high = as(upper, dtype);
  const Shape out = shape_of("random::truncated_normal", shape, {low.shape(), high.shape()});
  auto quantile = [](const Array& x) { return lax::erf(lax::div(x, std::sqrt(2.0))); };
  const Array u = uniform(key, out, dtype, quantile(low), quantile(high), lower.where());
  const Array x = lax::mul(lax::erf_inv(u), std::sqrt(2.0));
  auto inside = [&](const Array& bound, double towards) {
    const Array fixed = lax::stop_gradient(bound);
    return broadcast(lax::nextafter(fixed, lax::full_like(fixed, towards)), out);
  };
  const double inf = std::numeric_limits<double>::infinity();
  return lax::min(lax::max(x, inside(low, inf)), inside(high, -inf));
}

Array exponential(const Key& key, const Shape& shape, Dtype dtype, Where where) {
  const Frame frame(where);
  require_floating("random::exponential", dtype);
  return lax::neg(lax::log1p(lax::neg(uniform(key, shape, dtype, 0.0, 1.0, where))));
}

Array gumbel(const Key& key, const Shape& shape, Dtype dtype, Where where) {
  const Frame frame(where);
  require_floating("random::gumbel", dtype);
  return lax::neg(lax::log(lax::neg(lax::log(uniform(key, shape, dtype, smallest(dtype), 1.0, where)))));
}

Array laplace(const Key& key, const Shape& shape, Dtype dtype, Where where) {
  const Frame frame(where);
  require_floating("random::laplace", dtype);
  const Array u = uniform(key, shape, dtype, epsilon(dtype) / 2 - 1, 1.0, where);
  return lax::mul(lax::sign(u), lax::log1p(lax::neg(lax::abs(u))));
}

Array logistic(const Key& key, const Shape& shape, Dtype dtype, Where where) {
  const Frame frame(where);
  require_floating("random::logistic", dtype);
  const Array u = uniform(key, shape, dtype, smallest(dtype), 1.0, where);
  return lax::sub(lax::log(u), lax::log1p(lax::neg(u)));
}

Array cauchy(const Key& key, const Shape& shape, Dtype dtype, Where where) {
  const Frame frame(where);
  require_floating("random::cauchy", dtype);
  const Array u = uniform(key, shape, dtype, epsilon(dtype), 1.0, where);
  return lax::tan(lax::mul(lax::sub(u, 0.5), std::acos(-1.0)));
}

namespace {

Array any_gamma(std::string_view name, const Key& key, Operand a, const Shape& shape, Dtype dtype,
                bool log_space) {
  const Frame frame(a.where());
  require_floating(name, dtype);
  const Array alpha = as(a, dtype);
  const Shape out = shape_of(name, shape, {alpha.shape()});
  const auto [word0, word1] = blocks(key, out);  // a key for each element
  return ops::draw_gamma(word0, word1, broadcast(alpha, out), log_space, a.where());
}

}  // namespace

Array gamma(const Key& key, Operand a, const Shape& shape, Dtype dtype) {
  return any_gamma("random::gamma", key, a, shape, dtype, false);
}
Array loggamma(const Key& key, Operand a, const Shape& shape, Dtype dtype) {
  return any_gamma("random::loggamma", key, a, shape, dtype, true);
}

Array beta(const Key& key, Operand a, Operand b, const Shape& shape, Dtype dtype) {
  const Frame frame(a.where());
  require_floating("random::beta", dtype);
  const Array first = as(a, dtype), second = as(b, dtype);
  const Shape out = shape_of("random::beta", shape, {first.shape(), second.shape()});
  const auto [key_a, key_b] = split<2>(key, a.where());
  const Array log_a = loggamma(key_a, broadcast(first, out), {}, dtype);
  const Array log_b = loggamma(key_b, broadcast(second, out), {}, dtype);
  const Array most = lax::max(log_a, log_b);
  const Array share_a = lax::exp(lax::sub(log_a, most)), share_b = lax::exp(lax::sub(log_b, most));
  return lax::div(share_a, lax::add(share_a, share_b));
}

Array dirichlet(const Key& key, Operand alpha, const Shape& shape, Dtype dtype) {
  const Frame frame(alpha.where());
  require_floating("random::dirichlet", dtype);
  const Array a = as(alpha, dtype);
  if (a.rank() == 0)
    type_error("random::dirichlet", "alpha must have an axis, found " + show(a.type()) + ".");
  Shape out = shape_of("random::dirichlet", shape, {Shape(a.shape().begin(), a.shape().end() - 1)});
  out.push_back(a.shape().back());
  const Array log_gamma = loggamma(key, a, out, dtype);
  const int last = log_gamma.rank() - 1;
  std::vector<std::int64_t> leading(static_cast<std::size_t>(last));
  std::iota(leading.begin(), leading.end(), 0);
  auto spread = [&](const Array& x) { return lax::broadcast_in_dim(x, out, leading); };
  const Array most = lax::stop_gradient(lax::reduce_max(log_gamma, {last}));
  const Array shares = lax::exp(lax::sub(log_gamma, spread(most)));
  return lax::div(shares, spread(lax::reduce_sum(shares, {last})));
}

Array orthogonal(const Key& key, std::int64_t n, const Shape& shape, Dtype dtype, std::int64_t m,
                 Where where) {
  const Frame frame(where);
  if (m < 0) m = n;
  Shape tall = shape;
  tall.push_back(std::max(n, m));
  tall.push_back(std::min(n, m));
  const auto [q, r] = lax::qr(normal(key, tall, dtype, where));
  // The signs of r's diagonal are moved to q: then q is uniform among orthogonal matrices.
  const int rank = r.rank();
  const Array on = lax::eq(lax::iota({s32, r.shape()}, rank - 2), lax::iota({s32, r.shape()}, rank - 1));
  const Array diagonal = lax::reduce_sum(lax::select(on, r, lax::full_like(r, 0)), {rank - 2});
  std::vector<std::int64_t> dims(static_cast<std::size_t>(rank) - 1);
  std::iota(dims.begin(), dims.end(), 0);
  dims.back() = rank - 1;
  const Array x = lax::mul(q, lax::broadcast_in_dim(lax::sign(diagonal), q.shape(), dims));
  if (n >= m) return x;
  std::vector<std::int64_t> swapped(static_cast<std::size_t>(rank));
  std::iota(swapped.begin(), swapped.end(), 0);
  std::swap(swapped[swapped.size() - 1], swapped[swapped.size() - 2]);
  return lax::transpose(x, swapped);
}

}  // namespace baton::random
