// position: simplified sums beside the plain arithmetic, for every value of the variables.
#include "program/position.h"

#include <gtest/gtest.h>

#include <random>

namespace baton {
namespace {

Position var(int id, std::int64_t extent) { return Position::variable(id, {0, extent - 1}); }
using Shape = std::vector<std::int64_t>;

TEST(Position, SplitAxesNeedNoDivision) {
  const Position i = var(0, 4), j = var(1, 6);
  const Position at = i * 6 + j;
  EXPECT_EQ(at / 6, i);
  EXPECT_EQ(at % 6, j);
  EXPECT_EQ(at / 24, Position(0));
  EXPECT_EQ(at / 3, i * 2 + j / 3);
  EXPECT_EQ((at / 6) * 6 + at % 6, at);
}

TEST(Position, MergedAxesMeetAgain) {
  const Position i = var(0, 24);  // one loop over f32[4,6]
  const std::vector<Position> at = unflat(i, Shape{4, 6});
  EXPECT_EQ(at.size(), 2u);
  EXPECT_FALSE(at[0].is_constant());
  EXPECT_EQ(flat(at, Shape{4, 6}), i);
  EXPECT_EQ(flat(unflat(flat(at, Shape{4, 6}), Shape{2, 2, 6}), Shape{2, 2, 6}), i);
}

TEST(Position, AnExtentOfOneIsNoVariable) {
  EXPECT_TRUE(var(0, 1).is_constant());
  EXPECT_EQ(flat(std::vector<Position>{var(0, 1), var(1, 5)}, Shape{1, 5}), var(1, 5));
}

TEST(Position, NegativeSumsRoundDown) {
  const Position i = var(0, 5) - 3;
  const std::int64_t values[] = {0};
  EXPECT_EQ(value(i / 2, values), -2);
  EXPECT_EQ(value(i % 2, values), 1);
}

TEST(Position, RandomExpressionsMeanTheirArithmetic) {
  std::mt19937 random(3);
  const auto pick = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  const std::int64_t extents[] = {3, 4, 5};
  for (int round = 0; round < 2000; ++round) {
    const std::int64_t start = pick(7) - 3;
    Position x = start;
    std::vector<std::pair<char, std::int64_t>> steps;
    for (int n = 0; n < 6; ++n) {
      const char kind = "+v*/%v"[pick(6)];
      const std::int64_t k = kind == '*'   ? pick(9) - 4
                             : kind == '+' ? pick(21) - 10
                             : kind == 'v' ? pick(3)
                                           : pick(7) + 1;
      steps.emplace_back(kind, k);
      const auto id = static_cast<int>(k);
      x = kind == '+'   ? x + k
          : kind == 'v' ? x + var(id, extents[k]) * 3
          : kind == '*' ? x * k
          : kind == '/' ? x / k
                        : x % k;
    }
    std::int64_t v[3];
    for (v[0] = 0; v[0] < 3; ++v[0])
      for (v[1] = 0; v[1] < 4; ++v[1])
        for (v[2] = 0; v[2] < 5; ++v[2]) {
          std::int64_t want = start;
          for (const auto& [kind, k] : steps) {
            const std::int64_t down = kind == '/' || kind == '%' ? want / k - (want % k < 0) : 0;
            want = kind == '+'   ? want + k
                   : kind == 'v' ? want + v[k] * 3
                   : kind == '*' ? want * k
                   : kind == '/' ? down
                                 : want - down * k;
          }
          const std::int64_t found = value(x, v);
          ASSERT_EQ(found, want);
          EXPECT_GE(found, x.range().low);
          EXPECT_LE(found, x.range().high);
        }
  }
}

}  // namespace
}  // namespace baton
