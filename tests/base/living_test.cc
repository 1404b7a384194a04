// living: values are found as long as somebody holds them.
#include "base/living.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

Hash key(std::uint64_t i) { return {i, ~i}; }

TEST(Living, FindsWhatSomebodyHolds) {
  Living<int> living;
  EXPECT_EQ(living.find(key(1)), nullptr);
  auto value = std::make_shared<int>(5);
  living.show(key(1), value);
  EXPECT_EQ(living.find(key(1)), value);
  EXPECT_EQ(value.use_count(), 1);  // it holds nothing
  value = nullptr;
  EXPECT_EQ(living.find(key(1)), nullptr);
}

TEST(Living, TheFirstOfEqualValuesIsFound) {
  Living<int> living;
  auto first = std::make_shared<int>(1), second = std::make_shared<int>(1);
  living.show(key(1), first);
  living.show(key(1), second);
  EXPECT_EQ(living.find(key(1)), first);
  first = nullptr;
  living.show(key(1), second);
  EXPECT_EQ(living.find(key(1)), second);
}

TEST(Living, FindsTheLivingAmongManyDead) {
  Living<int> living;
  std::vector<std::shared_ptr<int>> held;
  for (int i = 0; i < 10000; ++i) {
    auto value = std::make_shared<int>(i);
    living.show(key(static_cast<std::uint64_t>(i)), value);
    if (i % 100 == 0) held.push_back(value);
  }
  for (const auto& value : held) EXPECT_EQ(living.find(key(static_cast<std::uint64_t>(*value))), value);
  EXPECT_EQ(living.find(key(1)), nullptr);
  EXPECT_LT(living.size(), 1000u);  // the dead are looked for now and then
}

TEST(Living, WhatIsForgottenLives) {
  Living<int> living;
  const auto value = std::make_shared<int>(1);
  living.show(key(1), value);
  living.clear();
  EXPECT_EQ(living.find(key(1)), nullptr);
  EXPECT_EQ(*value, 1);
}

}  // namespace
}  // namespace baton
