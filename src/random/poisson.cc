// poisson: counts of events. Below a rate of 10, uniforms are multiplied until the product is under
// exp(-rate) (Knuth); above, Hoermann's transformed rejection. Both loops draw for all elements at once until
// the last one is done.
#include "random/draw.h"

namespace baton::random {
namespace {

Array all_of(const Array& like, double value) { return lax::full_like(like, value); }
Array any(const Array& x) {
  std::vector<std::int64_t> axes(x.shape().size());
  std::iota(axes.begin(), axes.end(), 0);
  return lax::reduce_or(x, axes);
}
/// Whether the round is below the highest number of the dtype, far above any that is needed.
Array below_limit(const Array& round, Dtype dtype) {
  const double limit = std::ldexp(1.0, static_cast<int>(8 * size_of(dtype)) - (is_signed(dtype) ? 1 : 0)) - 1;
  return lax::lt(round, std::min(limit, 2147483647.0) == limit ? static_cast<std::int64_t>(limit)
                                                               : std::int64_t{2147483647});
}

/// log of the gamma function for x >= 0.5 by Lanczos's sum in f32, as XLA computes it. At a rate of 1e5 its
/// rounding decides which candidates are taken, and the counts are to be those of jax.random.
Array lgamma_as_jax(const Array& x) {
  constexpr double sum_start = 0.99999999999980993227684700473478;
  constexpr double sum_terms[] = {676.520368121885098567009190444019, -1259.13921672240287047156078755283,
                                  771.3234287776530788486528258894,   -176.61502916214059906584551354,
                                  12.507343278686904814458936853,     -0.13857109526572011689554707,
                                  9.984369578019570859563e-6,         1.50563273514931155834e-7};
  const Array z = lax::sub(x, 1.0);
  Array sum = all_of(x, sum_start);
  for (int i = 0; i < 8; ++i) sum = lax::add(sum, lax::div(all_of(x, sum_terms[i]), lax::add(z, i + 1.0)));
  const Array t = lax::add(z, 7.5);
  const Array log_t = lax::add(lax::log1p(lax::mul(z, 1 / 7.5)), std::log(7.5));
  // XLA rounds the product and the sum once, as f64 does here.
  auto wide = [](const Array& a) { return lax::convert_element_type(a, f64); };
  const Array power = lax::mul(wide(lax::sub(lax::add(z, 0.5), lax::div(t, log_t))), wide(log_t));
  const double half_log_two_pi = static_cast<double>(static_cast<float>(0.5 * std::log(2 * std::acos(-1.0))));
  return lax::add(lax::convert_element_type(lax::add(power, half_log_two_pi), f32), lax::log(sum));
}

Array by_products(const Key& key, const Array& rate, Dtype dtype) {
  const Type& r = rate.type();
  const Type k{dtype, rate.shape()}, round{s32, {}}, words{u32, {2}};
  // rate, round, count, key, log of the product
  const Program more = make_program("poisson", {r, round, k, words, r}, [&](const Arrays& s) -> Arrays {
    return {lax::bitwise_and(any(lax::gt(s[4], lax::neg(s[0]))), below_limit(s[1], dtype))};
  });
  const Program step = make_program("poisson", {r, round, k, words, r}, [&](const Arrays& s) -> Arrays {
    const auto [next, drawn] = split<2>(Key{s[3]}, {});
    const Array count = lax::select(lax::gt(s[4], lax::neg(s[0])), lax::add(s[2], 1), s[2]);
    const Array u = uniform(drawn, r.shape, f32, 0.0, 1.0, {});
    return {lax::add(s[1], 1), count, next.data, lax::add(s[4], lax::log(u))};
  });
  const Arrays end = lax::while_loop(more, {rate}, step, {rate},
                                     {lax::zeros(round), lax::zeros(k), key.data, all_of(rate, 0)});
  return lax::sub(end[1], 1);
}

Array by_rejection(const Key& key, const Array& rate, Dtype dtype) {
  const Type& r = rate.type();
  const Type done{boolean, rate.shape()}, round{s32, {}}, words{u32, {2}};
  // rate, round, count, accepted, key
  const Program more = make_program("poisson", {r, round, r, done, words}, [&](const Arrays& s) -> Arrays {
    return {lax::bitwise_and(any(lax::bitwise_not(s[3])), below_limit(s[1], dtype))};
  });
  const Program step = make_program("poisson", {r, round, r, done, words}, [&](const Arrays& s) -> Arrays {
    const Array& lam = s[0];
    const Array b = lax::add(lax::mul(lax::sqrt(lam), 2.53), 0.931),
                a = lax::add(lax::mul(b, 0.02483), -0.059);
    const Array inverse_alpha = lax::add(lax::div(all_of(b, 1.1328), lax::sub(b, 3.4)), 1.1239);
    const Array v_r = lax::sub(all_of(b, 0.9277), lax::div(all_of(b, 3.6224), lax::sub(b, 2.0)));
    const auto [next, key_u, key_v] = split<3>(Key{s[4]}, {});
    const Array u = lax::sub(uniform(key_u, r.shape, f32, 0.0, 1.0, {}), 0.5);
    const Array v = uniform(key_v, r.shape, f32, 0.0, 1.0, {});
    const Array shifted = lax::sub(all_of(u, 0.5), lax::abs(u));
    const Array slope = lax::add(lax::div(lax::mul(a, 2.0), shifted), b);
    const Array k = lax::floor(lax::add(lax::add(lax::mul(slope, u), lam), 0.43));
    const Array hat = lax::add(lax::div(a, lax::mul(shifted, shifted)), b);
    const Array left = lax::log(lax::div(lax::mul(v, inverse_alpha), hat));
    const Array right =
        lax::sub(lax::add(lax::neg(lam), lax::mul(k, lax::log(lam))), lgamma_as_jax(lax::add(k, 1.0)));
    const Array at_once = lax::bitwise_and(lax::ge(shifted, 0.07), lax::le(v, v_r));
    const Array never =
        lax::bitwise_or(lax::lt(k, 0.0), lax::bitwise_and(lax::lt(shifted, 0.013), lax::gt(v, shifted)));
    const Array accept =
        lax::bitwise_or(at_once, lax::bitwise_and(lax::bitwise_not(never), lax::le(left, right)));
    return {lax::add(s[1], 1), lax::select(accept, k, s[2]), lax::bitwise_or(s[3], accept), next.data};
  });
  const Arrays end = lax::while_loop(more, {rate}, step, {rate},
                                     {lax::zeros(round), all_of(rate, -1), lax::zeros(done), key.data});
  return lax::convert_element_type(end[1], dtype);
}

}  // namespace

Array poisson(const Key& key, Operand rate, const Shape& shape, Dtype dtype) {
  const Frame frame(rate.where());
  require_integer("random::poisson", dtype);
  words(key, {});
  const Array given = as(rate, f32);
  const Array lam = broadcast(given, shape_of("random::poisson", shape, {given.shape()}));
  // A rate that is not finite would never be done: it gives -1.
  const Array finite = lax::is_finite(lam);
  const Array rate_or_none = lax::select(finite, lam, all_of(lam, 0)), small = lax::lt(rate_or_none, 10.0);
  const Array few = by_products(key, lax::select(small, rate_or_none, all_of(lam, 0)), dtype);
  const Array many = by_rejection(key, lax::select(small, all_of(lam, 1e5), rate_or_none), dtype);
  const Array minus_one = lax::sub(lax::full_like(few, 0), 1);
  const Array counts = lax::select(finite, lax::select(small, few, many), minus_one);
  return lax::select(lax::eq(lam, 0.0), lax::full_like(counts, 0), counts);
}

}  // namespace baton::random
