// limits: numbers at the ends of their types, where sums and products of them are not numbers of that type.
#include <gtest/gtest.h>

#include <climits>

#include "baton/baton.h"

namespace baton {
namespace {

constexpr std::int64_t most = INT64_MAX, least = INT64_MIN;
using Floats = std::vector<float>;

Array vector() { return Array({1.f, 2.f, 3.f}); }
Array matrix() { return Array({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {2, 3}); }
Floats values(const Array& a) { return a.read<float>().vector(); }

TEST(NumpyLimits, StepsAndEndsOfRanges) {
  EXPECT_EQ(values(vector().at(range({}, {}, most))), Floats{1});
  EXPECT_EQ(values(vector().at(range({}, {}, least))), Floats{3});
  EXPECT_EQ(values(vector().at(range(least, most))), (Floats{1, 2, 3}));
  EXPECT_EQ(values(vector().at(range(most, least, -1))), (Floats{3, 2, 1}));
  EXPECT_EQ(lax::zeros({f32, {0}}).at(range({}, {}, most)).get().size(), 0);
}

TEST(NumpyLimits, DiagonalsFarOutside) {
  EXPECT_EQ(values(tril(matrix(), INT_MAX)), values(matrix()));
  EXPECT_EQ(values(triu(matrix(), INT_MIN)), values(matrix()));
  EXPECT_EQ(values(tril(matrix(), INT_MIN)), Floats(6));
  EXPECT_EQ(values(triu(matrix(), INT_MAX)), Floats(6));
  EXPECT_EQ(values(tril(matrix(), 0)), (Floats{1, 0, 0, 4, 5, 0}));
  EXPECT_EQ(values(triu(matrix(), 1)), (Floats{0, 2, 3, 0, 0, 6}));
  for (int far : {INT_MAX, INT_MIN, 3, -2}) EXPECT_EQ(diagonal(matrix(), far).size(), 0);
  EXPECT_EQ(values(diagonal(matrix(), 1)), (Floats{2, 6}));
  EXPECT_EQ(values(diagonal(matrix(), -1)), Floats{4});
  for (int far : {INT_MAX, INT_MIN}) EXPECT_THROW(diag(vector(), far), UsageError);
  EXPECT_EQ(values(diag(Array({7.f}), -1)), (Floats{0, 0, 7, 0}));
  EXPECT_EQ(values(eye(2, 2, INT_MIN)), Floats(4));
}

TEST(NumpyLimits, ShapesThatOverflowAreRefused) {
  EXPECT_THROW(reshape(vector(), {-1, most, most}), UsageError);
  EXPECT_THROW(reshape(vector(), {-1, 0}), UsageError);
  EXPECT_THROW(reshape(vector(), {-1, -3}), UsageError);
  EXPECT_THROW(tile(vector(), {most}), UsageError);
  EXPECT_THROW(repeat(vector(), most), UsageError);
  EXPECT_THROW(pad(vector(), {{most, most}}), UsageError);
  for (int axes : {-1, 3, INT_MAX}) EXPECT_THROW(tensordot(matrix(), matrix(), axes), UsageError);
}

TEST(NumpyLimits, ShiftsAndPowers) {
  EXPECT_EQ(values(roll(vector(), least)), values(roll(vector(), least % 3)));
  EXPECT_EQ(values(roll(vector(), 1)), (Floats{3, 1, 2}));
  EXPECT_EQ(values(roll(vector(), -1)), (Floats{2, 3, 1}));
  EXPECT_EQ(values(linalg::matrix_power(eye(2), INT_MIN)), (Floats{1, 0, 0, 1}));
}

}  // namespace
}  // namespace baton
