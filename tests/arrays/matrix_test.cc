// matrix: nested lists, and what a function may return or take.
#include <gtest/gtest.h>

#include "baton/baton.h"

namespace baton {
namespace {

TEST(Matrix, NestedListsAreRows) {
  const Array a({{1, 2}, {3, 4}, {5, 6}});
  EXPECT_EQ(a.type(), (Type{s32, {3, 2}}));
  EXPECT_EQ(a.at(2, 0).item<int>(), 5);
  EXPECT_EQ(Array({{1, 2}, {1, 2}}).at(1, 1).item<int>(), 2);
  EXPECT_EQ(Array({{true, false}}).type(), (Type{boolean, {1, 2}}));
  EXPECT_EQ(Array({{1.5f}}).type(), (Type{f32, {1, 1}}));
  try {
    Array({{1.f, 2.f}, {3.f}}, Where{"train.cc", 41});
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(
        e.what(),
        "Array: every row must have as many values as the first, 2, found 1.\n  called at train.cc:41");
  }
}

TEST(Matrix, AReadMayBeReturned) {
  const Array x({{1.f, 2.f}, {3.f, 4.f}});
  EXPECT_EQ(vmap([](const Array& row) { return row.at(1); })(x).read<float>()[1], 4.f);
  EXPECT_EQ(jit([](const Array& a) { return a.at(0, 1); })(x).item(), 2.f);
  EXPECT_EQ(grad([](const Array& a) { return a.at(0, 1); })(x).read<float>()[1], 1.f);
}

TEST(Matrix, AnArrayThatWasNeverSetNamesTheLine) {
  struct {
    Array weight, bias;
  } layer;
  const Array x({{1.f, 2.f}});
  try {
    matmul(Operand(x, Where{"train.cc", 41}), layer.weight);
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find(
                  "is empty: it was never set, or its value was moved away.\n  called at train.cc:41"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace baton
