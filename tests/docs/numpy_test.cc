// numpy: the code of docs/numpy.md and docs/random.md, compiled and run.
#include <gtest/gtest.h>

#include <iostream>

#include "baton/baton.h"

namespace baton {
namespace {

TEST(Numpy, PromotesAndIndexes) {
  testing::internal::CaptureStdout();
  const Array x({1, 2, 3, 4}, {2, 2});
  const Array y = x / 2 + Array({0.5f, 1.f});  // true division: f32
  std::cout << y << '\n' << mean(y, 0, {.keepdims = true}) << '\n';
  std::cout << x.at(all, range(1, {})) << '\n' << x.at(0, 0).set(9) << '\n';
  EXPECT_EQ(testing::internal::GetCapturedStdout(), R"([[1. 2.]
 [2. 3.]]
[[1.5 2.5]]
[[2]
 [4]]
[[9 2]
 [3 4]]
)");
  const Dtype mixed[] = {promote(s32, f16), promote(u8, s8), promote(f16, bf16), promote(f32, c64),
                         promote(u64, s64)};
  const Dtype expected[] = {f16, s16, f32, c64, f64};
  for (std::size_t i = 0; i < std::size(mixed); ++i) EXPECT_EQ(mixed[i], expected[i]) << i;
  EXPECT_EQ((astype(x, f16) * 2.0).dtype(), f16);
  EXPECT_EQ((x * 2.0).dtype(), f32);
  EXPECT_EQ(mean(astype(x, s64)).dtype(), f64);
  EXPECT_THROW(astype(x, u8) + 300, UsageError);
}

TEST(Random, KeysAreValues) {
  testing::internal::CaptureStdout();
  const auto [weights, noise] = random::split<2>(random::key(0));
  const Array kernel = initializers::he_normal()(weights, {16, 8});
  const Array mask = random::bernoulli(random::fold_in(noise, 7), 0.9, {8});
  std::cout << random::uniform(random::key(0), {3}) << '\n';
  EXPECT_EQ(testing::internal::GetCapturedStdout(), R"([0.947667   0.9785799  0.33229148]
)");
  EXPECT_EQ(kernel.type(), (Type{f32, {16, 8}}));
  EXPECT_EQ(mask.type(), (Type{boolean, {8}}));
  const random::Key keys{random::split_array(random::key(1), {4})};
  const Array rows = vmap([](const random::Key& key) { return random::normal(key, {3}); })(keys);
  EXPECT_EQ(rows.type(), (Type{f32, {4, 3}}));
}

}  // namespace
}  // namespace baton
