// pack: judged by looking at every pair.
#include "plan/pack.h"

#include <gtest/gtest.h>

#include <random>

namespace baton {
namespace {

void expect_valid(std::span<const Lifetime> l, const Packing& p) {
  ASSERT_EQ(p.offsets.size(), l.size());
  for (std::size_t i = 0; i < l.size(); ++i) {
    EXPECT_GE(p.offsets[i], 0);
    EXPECT_LE(p.offsets[i] + l[i].size, p.capacity);
    for (std::size_t j = 0; j < i; ++j) {
      const bool in_time = l[i].lower < l[j].upper && l[j].lower < l[i].upper;
      const bool in_space =
          p.offsets[i] < p.offsets[j] + l[j].size && p.offsets[j] < p.offsets[i] + l[i].size;
      EXPECT_FALSE(in_time && in_space) << i << " and " << j;
    }
  }
}

TEST(Pack, NothingTakesNothing) {
  EXPECT_EQ(pack({}).capacity, 0);
  EXPECT_EQ(peak_of({}), 0);
}

TEST(Pack, WhatNeverMeetsSharesMemory) {
  const std::vector<Lifetime> l = {{0, 1, 64}, {1, 2, 64}, {2, 3, 128}};
  EXPECT_EQ(pack(l).capacity, 128);
  expect_valid(l, pack(l));
}

TEST(Pack, AGapInTheMiddleIsFilled) {
  const std::vector<Lifetime> l = {{0, 4, 64}, {0, 2, 64}, {0, 4, 64}, {2, 4, 64}};
  EXPECT_EQ(pack(l).capacity, 192);
  expect_valid(l, pack(l));
}

/// The order of beginnings would need 16 here; the lower bound is 12.
TEST(Pack, FindsABetterOrderThanTheFirst) {
  const std::vector<Lifetime> l = {{0, 3, 4}, {3, 9, 4}, {0, 9, 4}, {9, 21, 4}, {0, 21, 4}};
  EXPECT_EQ(peak_of(l), 12);
  EXPECT_EQ(pack(l).capacity, 12);
  expect_valid(l, pack(l));
}

TEST(Pack, RandomLifetimesNeverMeetTwice) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Lifetime> l;
    for (std::size_t n = random() % 40; l.size() < n;) {
      const int lower = static_cast<int>(random() % 50);
      l.push_back(
          {lower, lower + static_cast<int>(random() % 20), 64 * static_cast<std::int64_t>(random() % 9)});
    }
    const Packing p = pack(l);
    expect_valid(l, p);
    EXPECT_GE(p.capacity, peak_of(l));
    EXPECT_EQ(pack(l).offsets, p.offsets) << "not the same twice";
  }
}

}  // namespace
}  // namespace baton
