// discrete: integers, choices and permutations, step by step as jax.random makes them.
#include "ops/indexing.h"
#include "ops/order.h"
#include "random/draw.h"

namespace baton::random {

Array bernoulli(const Key& key, Operand p, const Shape& shape) {
  const Frame frame(p.where());
  const Array chance = p.is_array() ? p.array() : p.array(f32);
  if (chance.empty() || !is_real_floating(chance.dtype()))
    type_error("random::bernoulli", "the probability must be floating, found " +
                                        (chance.empty() ? "an empty array" : show(chance.type())) + ".");
  const Shape out = shape_of("random::bernoulli", shape, {chance.shape()});
  return lax::lt(uniform(key, out, chance.dtype(), 0.0, 1.0, p.where()), broadcast(chance, out));
}

Array rademacher(const Key& key, const Shape& shape, Dtype dtype, Where where) {
  const Frame frame(where);
  if (dtype == boolean)
    type_error("random::rademacher", "a dtype that holds -1 and 1 is required, found bool.");
  const Array up = lax::convert_element_type(bernoulli(key, Operand(0.5, where), shape), dtype);
  return lax::sub(lax::mul(up, 2), 1);
}

namespace {

/// lowest (or highest) number that both integer dtypes hold, as `of`.
Array common_bound(Dtype of, Dtype other, bool lowest) {
  auto bound = [&](Dtype d) -> std::pair<std::int64_t, std::uint64_t> {
    const int width = static_cast<int>(8 * size_of(d));
    if (is_signed(d)) return {-(std::int64_t{1} << (width - 2)) * 2, (std::uint64_t{1} << (width - 1)) - 1};
    return {0, ~std::uint64_t{0} >> (64 - width)};
  };
  const auto [low_a, high_a] = bound(of);
  const auto [low_b, high_b] = bound(other);
  if (lowest) return lax::convert_element_type(Array(std::max(low_a, low_b)), of);
  return lax::convert_element_type(Array(std::min(high_a, high_b)), of);
}
/// The integers as another dtype, those that it does not hold as its nearest.
Array clipped(const Array& x, Dtype dtype) {
  if (x.dtype() == dtype) return x;
  const Array low = common_bound(x.dtype(), dtype, true), high = common_bound(x.dtype(), dtype, false);
  return lax::convert_element_type(lax::clamp(low, x, high), dtype);
}
Array integers(std::string_view name, Operand x) {
  const Array a = x.integer() ? x.array(s64) : x.array();
  if (a.empty() || !is_integer(a.dtype()))
    type_error(name,
               "bounds must be integers, found " + (a.empty() ? "an empty array" : show(a.type())) + ".");
  return a;
}

}  // namespace

Array randint(const Key& key, const Shape& shape, Operand low, Operand high, Dtype dtype) {
  const Frame frame(low.where());
  const char* name = "random::randint";
  require_integer(name, dtype);
  Array from = integers(name, low), to = integers(name, high);
  if (shape_of(name, shape, {from.shape(), to.shape()}) != shape)
    type_error(name, "bounds of shapes " + show(from.shape()) + " and " + show(to.shape()) +
                         " must broadcast to the shape " + show(shape) + ".");
  Dtype drawn = dtype;
  if (size_of(dtype) <
      4) {  // small ones are drawn as s32, whose range holds their highest number and one more
    drawn = s32;
    const std::int64_t width = static_cast<std::int64_t>(8 * size_of(dtype)) - (is_signed(dtype) ? 1 : 0);
    const std::int64_t most = (std::int64_t{1} << width) - 1, least = is_signed(dtype) ? -most - 1 : 0;
    auto within = [&](const Array& x, std::int64_t above) {
      return lax::clamp(Array(static_cast<std::int32_t>(least)), lax::convert_element_type(x, s32),
                        Array(static_cast<std::int32_t>(most + above)));
    };
    from = within(from, 0);
    to = within(to, 1);
  }
  const Array past_end =
      broadcast(lax::gt(to, broadcast(common_bound(to.dtype(), drawn, false), to.shape())), shape);
  from = broadcast(clipped(from, drawn), shape);
  to = broadcast(clipped(to, drawn), shape);
  const auto [key_high, key_low] = split<2>(key, low.where());
  const Dtype word = size_of(drawn) == 8 ? u64 : u32;
  const Array higher = bits(key_high, shape, word, low.where()),
              lower = bits(key_low, shape, word, low.where());
  // Two words for one number: their value modulo the span is nearly unbiased.
  const Array nothing = lax::le(to, from);
  Array span = lax::convert_element_type(lax::sub(to, from), word);
  span = lax::select(nothing, lax::full_like(span, 1), span);
  span = lax::select(lax::bitwise_and(past_end, lax::bitwise_not(nothing)), lax::add(span, 1), span);
  const std::int64_t half = std::int64_t{1} << (4 * size_of(word));
  Array factor = lax::rem(lax::full_like(span, half), span);
  factor = lax::rem(lax::mul(factor, factor), span);
  Array offset = lax::add(lax::mul(lax::rem(higher, span), factor), lax::rem(lower, span));
  offset = lax::rem(offset, span);
  const Array drawn_number = lax::add(from, lax::convert_element_type(offset, drawn));
  return drawn == dtype ? drawn_number : lax::convert_element_type(drawn_number, dtype);
}

Array categorical(const Key& key, Operand logits, const CategoricalOptions& options) {
  const Frame frame(logits.where());
  const char* name = "random::categorical";
  const Array x = logits.array();
  if (x.empty() || !is_real_floating(x.dtype()) || x.rank() == 0)
    type_error(name, "logits must be floating, with an axis, found " +
                         (x.empty() ? "an empty array" : show(x.type())) + ".");
  const auto axis = ops::canonical_axis(options.axis, x.rank());
  if (axis < 0 || axis >= x.rank())
    type_error(name, "axis " + std::to_string(options.axis) + " is out of range for " + show(x.type()) + ".");
  Shape batch = x.shape();
  batch.erase(batch.begin() + axis);
  const Shape shape = options.shape.value_or(batch);
  if (shape.size() < batch.size() || !std::equal(batch.rbegin(), batch.rend(), shape.rbegin()))
    type_error(name, "the shape must end in that of the logits without the axis, " + show(batch) +
                         ", found " + show(shape) + ".");
  const Shape prefix(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(batch.size()));
  if (options.replace) {
    Shape all = prefix;
    all.insert(all.end(), x.shape().begin(), x.shape().end());
    const Array noise = gumbel(key, all, x.dtype(), logits.where());
    return lax::argmax(lax::add(noise, broadcast(x, all)),
                       static_cast<int>(axis + static_cast<std::int64_t>(prefix.size())));
  }
  const std::int64_t k = product(prefix), n = x.shape()[static_cast<std::size_t>(axis)];
  if (k > n)
    type_error(name, std::to_string(k) + " samples without replacement are more than the " +
                         std::to_string(n) + " categories.");
  const Array scores = lax::add(x, gumbel(key, x.shape(), x.dtype(), logits.where()));
  const Array chosen = lax::top_k(ops::move_axis(scores, static_cast<int>(axis), x.rank() - 1), k).second;
  return lax::reshape(ops::move_axis(chosen, chosen.rank() - 1, 0), shape);
}

namespace {

/// Sorts by random keys, in so many rounds that equal keys leave no trace.
Array shuffled(Key key, Array x, int axis, Where where) {
  const double size = static_cast<double>(std::max<std::int64_t>(1, x.size()));
  const int rounds = static_cast<int>(std::ceil(3 * std::log(size) / std::log(4294967295.0)));
  for (int i = 0; i < rounds; ++i) {
    const auto [next, round] = split<2>(key, where);
    x = lax::sort({bits(round, x.shape(), u32, where), x}, {.dimension = axis})[1];
    key = next;
  }
  return x;
}
/// The numbers from 0 to n - 1 are s32.
void require_s32(std::string_view name, std::int64_t n) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  if (n > most)
    type_error(name, "the numbers below n must be s32, so n is at most " + std::to_string(most) + ", found " +
                         std::to_string(n) + ".\n  Draw wider numbers: randint(key, shape, 0, n, s64).");
}
Array count_to(std::string_view name, std::int64_t n) {
  if (n < 0) type_error(name, "a number of at least 0 is required, found " + std::to_string(n) + ".");
  require_s32(name, n);
  return lax::iota({s32, {n}}, 0);
}
int checked_axis(std::string_view name, const Array& x, int axis) {
  if (x.empty() || axis < -x.rank() || axis >= x.rank())
    type_error(name, "axis " + std::to_string(axis) + " is out of range for " +
                         (x.empty() ? "an empty array" : show(x.type())) + ".");
  return static_cast<int>(ops::canonical_axis(axis, x.rank()));
}
/// The numbers that choice takes.
Array chosen(const Key& key, std::int64_t n, const Shape& shape, const ChoiceOptions& o, Where where) {
  const char* name = "random::choice";
  const std::int64_t draws = product(shape);
  if (n <= 0 && draws > 0) type_error(name, "there is nothing to choose from.");
  require_s32(name, n);
  if (!o.replace && draws > n)
    type_error(name, std::to_string(draws) + " draws without replacement are more than the " +
                         std::to_string(n) + " elements.");
  if (o.p.empty()) {
    if (o.replace) return randint(key, shape, Operand(0, where), n);
    return lax::reshape(lax::slice_in_dim(permutation(key, n, where), 0, draws), shape);
  }
  if (!is_real_floating(o.p.dtype()) || o.p.shape() != Shape{n})
    type_error(name, "p must hold one floating probability for each of the " + std::to_string(n) +
                         " elements, found " + show(o.p.type()) + ".");
  if (!o.replace) {
    const Array scores = lax::add(gumbel(key, {n}, o.p.dtype(), where), lax::log(o.p));
    return lax::reshape(lax::top_k(scores, draws).second, shape);
  }
  const Array sums = lax::cumsum(o.p);
  const Array total = lax::broadcast_in_dim(lax::reshape(lax::slice_in_dim(sums, n - 1, n), {}), shape, {});
  const Array at = lax::mul(total, lax::sub(lax::full(shape, Operand(1.0).array(o.p.dtype())),
                                            uniform(key, shape, o.p.dtype(), 0.0, 1.0, where)));
  return ops::count_before(sums, at, false);
}

}  // namespace

Array permutation(const Key& key, std::int64_t n, Where where) {
  const Frame frame(where);
  return shuffled(key, count_to("random::permutation", n), 0, where);
}

Array permutation(const Key& key, const Array& x, int axis, bool independent, Where where) {
  const Frame frame(where);
  axis = checked_axis("random::permutation", x, axis);
  if (independent || x.rank() == 1) return shuffled(key, x, axis, where);
  return ops::take("random::permutation", x, permutation(key, x.dim(axis), where), axis);
}

Array choice(const Key& key, std::int64_t n, const Shape& shape, const ChoiceOptions& options, Where where) {
  const Frame frame(where);
  if (product(shape) == 0) return lax::zeros({s32, shape});
  return chosen(key, n, shape, options, where);
}

Array choice(const Key& key, const Array& x, const Shape& shape, const ChoiceOptions& options, Where where) {
  const Frame frame(where);
  const int axis = checked_axis("random::choice", x, options.axis);
  if (!options.replace && options.p.empty()) {  // JAX shuffles the array itself, not its numbers
    if (product(shape) > x.dim(axis))
      return ops::take("random::choice", x, chosen(key, x.dim(axis), shape, options, where), axis);
    const Array some = lax::slice_in_dim(permutation(key, x, axis, false, where), 0, product(shape), 1, axis);
    Shape out = x.shape();
    out.erase(out.begin() + axis);
    out.insert(out.begin() + axis, shape.begin(), shape.end());
    return lax::reshape(some, out);
  }
  return ops::take("random::choice", x, chosen(key, x.dim(axis), shape, options, where), axis);
}

}  // namespace baton::random
