// recently_used: the order in which values go.
#include "base/recently_used.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace baton {
namespace {

Hash key(std::uint64_t i) { return {i, ~i}; }

TEST(RecentlyUsed, FindsWhatItKeeps) {
  RecentlyUsed<int> list;
  EXPECT_EQ(list.find(key(1)), nullptr);
  list.keep(key(1), 10, 100);
  list.keep(key(2), 20, 50);
  ASSERT_NE(list.find(key(1)), nullptr);
  EXPECT_EQ(*list.find(key(1)), 10);
  EXPECT_EQ(*list.find(key(2)), 20);
  EXPECT_EQ(list.find(key(3)), nullptr);
  EXPECT_EQ(list.size(), 2u);
  EXPECT_EQ(list.bytes(), 150u);
}

TEST(RecentlyUsed, TheOldestUseGoesFirst) {
  RecentlyUsed<int> list;
  for (int i = 0; i < 4; ++i) list.keep(key(static_cast<std::uint64_t>(i)), i, 10);
  list.find(key(0));  // used again
  EXPECT_EQ(list.take_oldest(), 1);
  EXPECT_EQ(list.bytes(), 30u);
  EXPECT_EQ(list.find(key(1)), nullptr);
  list.find(key(2));
  EXPECT_EQ(list.take_oldest(), 3);
  EXPECT_EQ(list.take_oldest(), 0);
  EXPECT_EQ(list.take_oldest(), 2);
  EXPECT_EQ(list.take_oldest(), std::nullopt);
  EXPECT_EQ(list.size(), 0u);
  EXPECT_EQ(list.bytes(), 0u);
}

TEST(RecentlyUsed, WhatMustStayIsPassedOver) {
  RecentlyUsed<int> list;
  for (int i = 0; i < 5; ++i) list.keep(key(static_cast<std::uint64_t>(i)), i);
  const auto odd = [](const int& i) { return i % 2 != 0; };
  EXPECT_EQ(list.take_oldest(odd), 1);
  EXPECT_EQ(list.take_oldest(odd), 3);
  EXPECT_EQ(list.take_oldest(odd), std::nullopt);
  EXPECT_EQ(list.size(), 3u);
  std::vector<int> left;
  list.for_each([&](const int& i) { left.push_back(i); });
  EXPECT_EQ(left, (std::vector<int>{4, 2, 0}));  // in their order
}

TEST(RecentlyUsed, AKeyCanComeAgain) {
  RecentlyUsed<int> list;
  list.keep(key(1), 1, 5);
  list.take_oldest();
  list.keep(key(1), 2, 7);
  EXPECT_EQ(*list.find(key(1)), 2);
  EXPECT_EQ(list.bytes(), 7u);
}

TEST(RecentlyUsed, ClearFreesValues) {
  RecentlyUsed<std::shared_ptr<int>> list;
  const auto value = std::make_shared<int>(1);
  list.keep(key(1), value, 5);
  EXPECT_EQ(value.use_count(), 2);
  list.clear();
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_EQ(list.find(key(1)), nullptr);
  EXPECT_EQ(list.bytes(), 0u);
}

/// A list that is moved is whole, and a value that goes is handed out, not copied.
TEST(RecentlyUsed, CanBeMoved) {
  RecentlyUsed<std::unique_ptr<int>> list, other;
  list.keep(key(1), std::make_unique<int>(1), 5);
  list.keep(key(2), std::make_unique<int>(2), 5);
  std::swap(list, other);
  EXPECT_EQ(list.size(), 0u);
  EXPECT_EQ(**other.find(key(1)), 1);
  EXPECT_EQ(**other.take_oldest(), 2);
  EXPECT_EQ(other.bytes(), 5u);
}

}  // namespace
}  // namespace baton
