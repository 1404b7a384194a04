// random_gamma: a sample of Gamma(alpha, 1), or its logarithm, for each element, from a threefry key of its
// own. Marsaglia and Tsang, 2000: v = (1 + c x)^3 for normal x, accepted against a uniform u; alpha < 1 is
// boosted to alpha + 1. The derivative moves a sample along its quantile: dx/dalpha = -(dP/dalpha) / p(x).
#include "ops/random_gamma.h"

#include "ops/special.h"
#include "ops/threefry.h"

namespace baton {
namespace ops {
namespace {
struct RandomGamma {
  bool log_space = false;
  BATON_FIELDS(log_space)
};
Types type(std::span<const Type> in, const Params&) {
  const char* name = "random_gamma";
  require_count(name, in, 3);
  require_dtype(name, in, 2, Domain::real_floating);
  for (std::size_t i = 0; i < 2; ++i)
    if (in[i] != Type{u32, in[2].shape})
      type_error(name, "a key of two words is required for each element of " + show(in[2]) + ", found " +
                           show(in[i]) + ".");
  return {in[2]};
}

struct Key {
  std::uint32_t word0, word1;
  Key part(std::uint32_t i) const {  // of a split
    const auto [a, b] = threefry_block<std::uint32_t>(word0, word1, 0, i);
    return {a, b};
  }
};
/// Bits of the mantissa, and how many random bits they are taken from.
template <class T>
struct Mantissa {
  static constexpr int bits = std::is_same_v<T, float16>    ? 10
                              : std::is_same_v<T, bfloat16> ? 7
                              : std::is_same_v<T, float>    ? 23
                                                            : 52;
  static constexpr int drawn = std::is_same_v<T, float16>    ? 16
                               : std::is_same_v<T, bfloat16> ? 8
                               : std::is_same_v<T, float>    ? 32
                                                             : 64;
};
/// Uniform on [0, 1) with steps of the mantissa's last bit.
template <class T>
wide_t<T> uniform(Key key) {
  const Key block = key.part(0);
  constexpr int bits = Mantissa<T>::bits, drawn = Mantissa<T>::drawn;
  const std::uint64_t word = drawn == 64 ? static_cast<std::uint64_t>(block.word0) << 32 | block.word1
                                         : (block.word0 ^ block.word1) & (~std::uint64_t{0} >> (64 - drawn));
  return std::ldexp(static_cast<wide_t<T>>(word >> (drawn - bits)), -bits);
}
template <class T>
wide_t<T> normal(Key key) {
  using W = wide_t<T>;
  const W low = std::ldexp(W(1), -Mantissa<T>::bits - 1) - 1;
  const W u = std::max(low, widen(narrow<T>(2 * uniform<T>(key) + low)));
  return widen(narrow<T>(static_cast<W>(std::sqrt(2.0L) * special::erf_inv(static_cast<long double>(u)))));
}
template <class T>
wide_t<T> sample(Key key, wide_t<T> alpha, bool log_space) {
  using W = wide_t<T>;
  const bool boosted = !(alpha >= 1);
  const W d = (boosted ? alpha + 1 : alpha) - W(1) / 3, c = W(1) / 3 / std::sqrt(d);
  W x2 = 0, v3 = 1, u = 2;
  const Key boost_key = key.part(1);
  key = key.part(0);
  while (u >= 1 - W(0.0331L) * x2 * x2 && std::log(u) >= x2 / 2 + d * (1 - v3 + std::log(v3))) {
    Key x_key = key.part(1);
    const Key u_key = key.part(2);
    key = key.part(0);
    W x = 0, v = -1;
    while (v <= 0) {
      x = normal<T>(x_key.part(1));
      x_key = x_key.part(0);
      v = 1 + x * c;
    }
    x2 = x * x;
    v3 = v * v * v;
    u = uniform<T>(u_key);
  }
  if (log_space) {
    const W log_sample = std::log1p(-uniform<T>(boost_key));
    return std::log(d) + std::log(v3) + (boosted && log_sample != 0 ? log_sample / alpha : 0);
  }
  return d * v3 * (boosted ? std::pow(1 - uniform<T>(boost_key), 1 / alpha) : 1);
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto word0 = in[0].as<std::uint32_t>(), word1 = in[1].as<std::uint32_t>();
  with_type(in[2].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (is_real_v<T>) {
      const auto alpha = in[2].as<T>(), y = out[0].as<T>();
      for (std::size_t i = 0; i < y.size(); ++i)
        y[i] =
            narrow<T>(sample<T>({word0[i], word1[i]}, widen(alpha[i]), params.as<RandomGamma>().log_space));
    }
  });
}
Arrays jvp(const Arrays& primals, const Arrays& outs, const Arrays& tangents, const Params& params) {
  const bool log_space = params.as<RandomGamma>().log_space;
  const Array &alpha = primals[2], &y = outs[0];
  const Array x = log_space ? lax::exp(y) : y, log_x = log_space ? y : lax::log(y);
  // The density p(x), or x p(x), which is that of log x.
  const Array power = log_space ? alpha : lax::sub(alpha, 1.0);
  const Array log_density = lax::sub(lax::sub(lax::mul(power, log_x), x), lax::lgamma(alpha));
  const Array slope = lax::neg(lax::mul(lax::igamma_grad_a(alpha, x), lax::exp(lax::neg(log_density))));
  return {lax::mul(tangents[2], slope)};
}
std::vector<Example> examples() {
  auto row = [](Shape shape, bool log_space) {
    const Type word{u32, shape}, alpha{f32, shape};
    return Example{
        .inputs = {word, word, alpha}, .params = RandomGamma{log_space}, .low = 0.4, .high = 4, .order = 0};
  };
  return {row({}, false), row({2, 3}, true), row({0}, false), row({5}, false)};
}
}  // namespace
extern const Primitive random_gamma = {.name = "random_gamma",
                                       .cost = Cost::compute_bound,
                                       .params = RandomGamma{},
                                       .type = type,
                                       .evaluate = evaluate,
                                       .jvp = jvp,
                                       .batch = batch_at_front<random_gamma>,
                                       .examples = examples()};
Array draw_gamma(const Array& word0, const Array& word1, const Array& alpha, bool log_space, Where where) {
  return bind_one(random_gamma, {word0, word1, alpha}, RandomGamma{log_space}, where);
}
}  // namespace ops
}  // namespace baton
