// random_bits: threefry and XLA's generators, bit for bit. The numbers come from jax 0.10.2 on CPU.
#include "ops_reduce/helpers.h"

namespace baton {
namespace {

using Words = std::vector<std::uint32_t>;
using Longs = std::vector<std::uint64_t>;

TEST(RandomBits, Threefry) {  // the vectors of Random123
  auto block = [](std::uint32_t k0, std::uint32_t k1, std::uint32_t c0, std::uint32_t c1) {
    const auto [a, b] = lax::threefry2x32(Array(k0), Array(k1), Array(c0), Array(c1));
    return Words{a.item<std::uint32_t>(), b.item<std::uint32_t>()};
  };
  EXPECT_EQ(block(0, 0, 0, 0), (Words{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(block(~0u, ~0u, ~0u, ~0u), (Words{0x1cb996fc, 0xbb002be7}));
  EXPECT_EQ(block(0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3), (Words{0xc4923a9c, 0x483df7a0}));
}

TEST(RandomBits, GeneratorWithThreefry) {
  const Array state({std::uint64_t{3}, std::uint64_t{3}});
  auto generate = [&](const Type& type) {
    return lax::rng_bit_generator(state, type, lax::RngAlgorithm::three_fry);
  };
  EXPECT_EQ(generate({u32, {}}).second.item<std::uint32_t>(), 0x46aac5cfu);
  const auto [next, bits] = generate({u32, {3, 5}});
  EXPECT_EQ(values<std::uint64_t>(next), (Longs{3, 12}));
  EXPECT_EQ(values<std::uint32_t>(bits), (Words{0x46aac5cf, 0x2e7d6052, 0x2114e542, 0xde37f8ba, 0x4221bc63,
                                                0xe29f56f9, 0xbcbf4833, 0x32a4647c, 0x3ed6577a, 0xf4219466,
                                                0x86f1339f, 0x3c98904e, 0x9f93bf0, 0x54ebf3f7, 0x1a96130e}));
  const auto [after, longs] = generate({u64, {2, 3}});
  EXPECT_EQ(values<std::uint64_t>(after), (Longs{3, 9}));
  EXPECT_EQ(values<std::uint64_t>(longs),
            (Longs{0x2e7d605246aac5cf, 0xde37f8ba2114e542, 0xd6dc537b4221bc63, 0xbcbf4833e29f56f9,
                   0x3ed6577a32a4647c, 0x745719b6f4219466}));
  EXPECT_EQ(values<std::uint16_t>(generate({u16, {3, 4}}).second),
            (std::vector<std::uint16_t>{0xc5cf, 0x6052, 0xe542, 0xf8ba, 0xbc63, 0x537b, 0x56f9, 0x4833,
                                        0x647c, 0x577a, 0x9466, 0x19b6}));
}

TEST(RandomBits, GeneratorWithPhilox) {
  const Array state({std::uint64_t{3}, std::uint64_t{3}});
  for (auto algorithm : {lax::RngAlgorithm::philox, lax::RngAlgorithm::default_}) {
    const auto [next, bits] = lax::rng_bit_generator(state, {u32, {3, 5}}, algorithm);
    EXPECT_EQ(values<std::uint64_t>(next), (Longs{3, 7}));
    EXPECT_EQ(
        values<std::uint32_t>(bits),
        (Words{0xe30973d9, 0xa478f84a, 0x3f952fcd, 0x89aa81fe, 0xbb669018, 0x64f22e6a, 0x8ac3fd12, 0xc1c25eaf,
               0x1ea4039c, 0x4253cbd5, 0x19d5a4f8, 0x7084e066, 0x72bed71e, 0xd65fb54, 0x1e701339}));
  }
  const auto [next, longs] = lax::rng_bit_generator(state, {u64, {2, 3}}, lax::RngAlgorithm::philox);
  EXPECT_EQ(values<std::uint64_t>(next), (Longs{3, 6}));
  EXPECT_EQ(values<std::uint64_t>(longs),
            (Longs{0xa478f84ae30973d9, 0x89aa81fe3f952fcd, 0x64f22e6abb669018, 0xc1c25eaf8ac3fd12,
                   0x4253cbd51ea4039c, 0x7084e06619d5a4f8}));
  // The upper half of the counter takes the carry.
  const Array full({std::uint64_t{3}, ~std::uint64_t{0}, std::uint64_t{8}});
  const Array carried = lax::rng_bit_generator(full, {u32, {1}}, lax::RngAlgorithm::philox).first;
  EXPECT_EQ(values<std::uint64_t>(carried), (Longs{3, 0, 9}));
}

TEST(RandomBits, Errors) {
  EXPECT_EQ(message([] {
              lax::rng_bit_generator(lax::zeros({u32, {4}}), {u32, {}}, lax::RngAlgorithm::three_fry);
            }),
            "rng_bit_generator: the state must be u64[2] for three_fry, found u32[4].");
  EXPECT_EQ(message([] {
              lax::rng_bit_generator(lax::zeros({u64, {2}}), {c64, {2}}, lax::RngAlgorithm::philox);
            }),
            "rng_bit_generator: bits can be integers or floating, not c64[2].");
  const Array x = lax::zeros({s32, {}});
  EXPECT_EQ(message([&] { lax::threefry2x32(x, x, x, x); }),
            "threefry2x32: operands must be u32, found s32[].\n  Convert them with astype.");
}

}  // namespace
}  // namespace baton
