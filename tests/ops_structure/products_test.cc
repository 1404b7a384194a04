// products: dot_general, with numbers worked out by hand.
#include <gtest/gtest.h>

#include "ops_structure/numbers.h"

namespace baton {
namespace {

TEST(Dot, ContractsAndBatches) {
  EXPECT_EQ(numbers(lax::dot_general(ramp({2, 3}), ramp({3, 2}), {{1}, {0}, {}, {}})),
            (Numbers{10, 13, 28, 40}));
  const Array batched = lax::dot_general(ramp({2, 1, 2}), ramp({2, 2, 1}), {{2}, {1}, {0}, {0}});
  EXPECT_EQ(batched.shape(), (Shape{2, 1, 1}));
  EXPECT_EQ(numbers(batched), (Numbers{1, 13}));
  const Array both = lax::dot_general(ramp({2, 3}), ramp({3, 2}), {{0, 1}, {1, 0}, {}, {}});
  EXPECT_EQ(numbers(both), (Numbers{0 * 0 + 1 * 2 + 2 * 4 + 3 * 1 + 4 * 3 + 5 * 5}));
}

TEST(Dot, IntegersWrapAndWiden) {
  const Array x({std::int8_t{100}, std::int8_t{-100}});
  EXPECT_EQ(numbers(lax::dot_general(x, x, {{0}, {0}, {}, {}})), (Numbers{32}));  // 20000 mod 256
  EXPECT_EQ(numbers(lax::dot_general(x, x, {{0}, {0}, {}, {}}, s32)), (Numbers{20000}));
  EXPECT_EQ(numbers(lax::dot_general(x, Array({std::int8_t{1}, std::int8_t{2}}), {{0}, {0}, {}, {}}, f32)),
            (Numbers{-100}));
}

TEST(Dot, HalvesAreSummedWideAndRoundedOnce) {
  const Array ones = lax::full({300}, Array(bfloat16(1.f)));
  EXPECT_EQ(numbers(lax::dot_general(ones, ones, {{0}, {0}, {}, {}})),
            (Numbers{300}));  // adding one by one stops at 256
}

TEST(Dot, ErrorsNameTheAxes) {
  EXPECT_EQ(error([] {
              lax::dot_general(ramp({2, 3}), ramp({4, 2}), {{1}, {0}, {}, {}});
            }),
            "dot_general: contracted axes differ: lhs f32[2,3] axis 1 has 3, rhs f32[4,2] axis 0 has 4.");
  EXPECT_EQ(
      error([] {
        lax::dot_general(ramp({2, 3}), Array({1, 2}), {{0}, {0}, {}, {}});
      }),
      "dot_general: operands must have one dtype, found f32[2,3] and s32[2].\n  Convert one with astype.");
  EXPECT_EQ(error([] { lax::dot_general(Array(true), Array(true), {}); }),
            "dot_general: operand 0 must be a number, not bool, found bool[].");
  EXPECT_EQ(error([] {
              lax::dot_general(ramp({2}), ramp({2}), {{0}, {}, {}, {}});
            }),
            "dot_general: as many contracted axes of lhs as of rhs are required, found (0) and ().");
  EXPECT_EQ(error([] {
              lax::dot_general(ramp({2}), ramp({2}), {{0}, {0}, {0}, {0}});
            }),
            "dot_general: axis 0 of lhs f32[2] must not be both batch and contracted.");
  EXPECT_EQ(error([] {
              lax::dot_general(ramp({2}), ramp({2}), {{0}, {0}, {}, {}}, s32);
            }),
            "dot_general: a product of f32[2] and f32[2] cannot be s32: integers give integers or floats, "
            "floats give "
            "floats, complex gives complex.");
}

}  // namespace
}  // namespace baton
