// rng_bit_generator: random bits and the state after them, with the algorithms and the order of XLA's
// generator. The first word of the state is the key, the rest a counter of blocks: 64 bits for threefry, 64
// or 128 for philox.
#include "ops/combiner.h"
#include "ops/threefry.h"

namespace baton {
namespace ops {
inline constexpr std::string_view rng_names[] = {"default", "three_fry", "philox"};
}
template <>
inline constexpr std::span<const std::string_view> enum_names<lax::RngAlgorithm> = ops::rng_names;

namespace ops {
extern const Primitive rng_bit_generator;
namespace {
struct RngBitGenerator {
  Type type;
  lax::RngAlgorithm algorithm = lax::RngAlgorithm::default_;  // philox, as on XLA's CPU
  BATON_FIELDS(type, algorithm)
};
Types type(std::span<const Type> in, const Params& params) {
  const char* name = "rng_bit_generator";
  require_count(name, in, 1);
  const auto& p = params.as<RngBitGenerator>();
  const bool threefry = p.algorithm == lax::RngAlgorithm::three_fry;
  if (in[0] != Type{u64, {2}} && (threefry || in[0] != Type{u64, {3}}))
    type_error(name, std::string("the state must be ") +
                         (threefry ? "u64[2] for three_fry" : "u64[2] or u64[3]") + ", found " + show(in[0]) +
                         ".");
  if (p.type.dtype == boolean || is_complex(p.type.dtype))
    type_error(name, "bits can be integers or floating, not " + show(p.type) + ".");
  for (std::int64_t extent : p.type.shape)
    if (extent < 0) type_error(name, "an extent of the shape " + show(p.type.shape) + " is negative.");
  return {in[0], p.type};
}
void put(const View& out, std::int64_t i, std::uint64_t bits) {  // the low bytes, as many as an element has
  std::memcpy(static_cast<char*>(out.data) + static_cast<std::size_t>(i) * size_of(out.dtype()), &bits,
              size_of(out.dtype()));
}
std::uint64_t join(std::uint32_t low, std::uint32_t high) {
  return low | static_cast<std::uint64_t>(high) << 32;
}

/// Element by element for 64 bits. For fewer, both words of a block are used: they are neighbours along the
/// first axis of even extent, or where there is none along the longest.
std::uint64_t threefry_bits(std::uint64_t key, std::uint64_t counter, const View& out) {
  const Shape& shape = out.shape();
  auto block = [&](std::int64_t i) {
    const std::uint64_t at = counter + static_cast<std::uint64_t>(i);
    return threefry_block(static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32),
                          static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at >> 32));
  };
  if (size_of(out.dtype()) == 8) {
    for (std::int64_t i = 0; i < out.type->size(); ++i) {
      const auto [low, high] = block(i);
      put(out, i, join(low, high));
    }
    return counter + static_cast<std::uint64_t>(out.type->size());
  }
  if (shape.empty()) {
    put(out, 0, block(0).first);
    return counter + 1;
  }
  auto split = std::find_if(shape.begin(), shape.end(), [](std::int64_t n) { return n % 2 == 0; });
  if (split == shape.end()) split = std::max_element(shape.begin(), shape.end());
  const auto axis = static_cast<std::size_t>(split - shape.begin());
  Shape half = shape;
  half[axis] = (shape[axis] + 1) / 2;
  const auto strides = strides_of(half);
  std::int64_t to = 0;
  for (Counter c(shape); !c.done(); c.next(), ++to) {
    std::vector<std::int64_t> index = c.index();
    index[axis] /= 2;
    const auto [first, second] = block(offset_of(index, strides));
    put(out, to, c[axis] % 2 == 0 ? first : second);
  }
  return counter + static_cast<std::uint64_t>(Type{u32, half}.size());
}

struct Counter128 {
  std::uint64_t low = 0, high = 0;
  Counter128 operator+(std::uint64_t n) const { return {low + n, low + n < low ? high + 1 : high}; }
};
std::array<std::uint32_t, 4> philox_block(std::uint64_t key, Counter128 counter) {
  std::uint32_t x[4] = {
      static_cast<std::uint32_t>(counter.low), static_cast<std::uint32_t>(counter.low >> 32),
      static_cast<std::uint32_t>(counter.high), static_cast<std::uint32_t>(counter.high >> 32)};
  std::uint32_t key0 = static_cast<std::uint32_t>(key), key1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round, key0 += 0x9E3779B9u, key1 += 0xBB67AE85u) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * x[0], b = std::uint64_t{0xCD9E8D57u} * x[2];
    const std::uint32_t y[4] = {
        static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ key0, static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ key1, static_cast<std::uint32_t>(a)};
    std::copy(y, y + 4, x);
  }
  return {x[0], x[1], x[2], x[3]};
}
/// Blocks of four words; an element takes one, or two where it has 64 bits.
Counter128 philox_bits(std::uint64_t key, Counter128 counter, const View& out) {
  const std::int64_t words = size_of(out.dtype()) == 8 ? 2 : 1, in_block = 4 / words, n = out.type->size();
  for (std::int64_t i = 0; i < n; ++i) {
    const auto block = philox_block(key, counter + static_cast<std::uint64_t>(i / in_block));
    const auto k = static_cast<std::size_t>(i % in_block * words);
    put(out, i, words == 2 ? join(block[k], block[k + 1]) : block[k]);
  }
  return counter + static_cast<std::uint64_t>((n + in_block - 1) / in_block);
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto state = in[0].as<std::uint64_t>(), next = out[0].as<std::uint64_t>();
  next[0] = state[0];
  if (params.as<RngBitGenerator>().algorithm == lax::RngAlgorithm::three_fry) {
    next[1] = threefry_bits(state[0], state[1], out[1]);
    return;
  }
  // Of a short state the key is the upper half of the counter as well.
  const bool shorter = state.size() == 2;
  const Counter128 after = philox_bits(
      state[0], shorter ? Counter128{state[1], state[0]} : Counter128{state[1], state[2]}, out[1]);
  next[1] = after.low;
  if (!shorter) next[2] = after.high;
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return batch_by_lanes(axis, in,
                        [&](const Arrays& lane) { return bind(rng_bit_generator, lane, params, {}); });
}
std::vector<Example> examples() {
  std::vector<Example> rows;
  for (const Type& type :
       {Type{u32, {}}, Type{u32, {3, 5}}, Type{u64, {2, 3}}, Type{u16, {3, 4}}, Type{u8, {0}}})
    for (auto algorithm :
         {lax::RngAlgorithm::three_fry, lax::RngAlgorithm::philox, lax::RngAlgorithm::default_})
      rows.push_back({.inputs = {{u64, {2}}},
                      .params = RngBitGenerator{type, algorithm},
                      .low = 0,
                      .high = 1e9,
                      .order = 0});
  rows.push_back({.inputs = {{u64, {3}}},
                  .params = RngBitGenerator{{u32, {7}}, lax::RngAlgorithm::philox},
                  .low = 0,
                  .high = 1e9,
                  .order = 0});
  return rows;
}
}  // namespace
const Primitive rng_bit_generator = {.name = "rng_bit_generator",
                                     .params = RngBitGenerator{},
                                     .type = type,
                                     .evaluate = evaluate,
                                     .batch = batch,
                                     .examples = examples()};
}  // namespace ops
std::pair<Array, Array> lax::rng_bit_generator(Operand state, const Type& type, RngAlgorithm algorithm) {
  const Arrays outs =
      bind(ops::rng_bit_generator, {state.array()}, ops::RngBitGenerator{type, algorithm}, state.where());
  return {outs[0], outs[1]};
}
}  // namespace baton
