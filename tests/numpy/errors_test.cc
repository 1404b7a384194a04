// errors: the exact text for common mistakes.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "error_of.h"

namespace baton {
namespace {

/// The message without the line of the call, which must be there.
std::string lined(FunctionRef<void()> f) {
  const std::string text = error_of(f), rest = without_line(text);
  return text == rest ? "no line: " + text : rest;
}

const Array x = zeros({2, 3}), y = zeros({4, 5}), v = zeros({3}), i = Array({0, 1});

#define SAYS(expression, text) EXPECT_EQ(lined([] { (void)Array(expression); }), text)

TEST(Errors, OfOperators) {
  SAYS(x + y,
       "add: shapes must broadcast, found (2,3) and (4,5).\n"
       "  Counted from the last axis, extents must be equal or 1.");
  SAYS((x > 0) - (x > 1),
       "subtract: numbers are required, found bool[2,3].\n  Use logical_xor, or convert with astype.");
  SAYS(power(i, -1),
       "power: integers take no negative exponents, found s32[2] and -1.\n"
       "  Use a floating base: astype(x, f32).");
  SAYS(where(x > 0, v, zeros({4})),
       "where: shapes must broadcast, found (2,3) and (3) and (4).\n"
       "  Counted from the last axis, extents must be equal or 1.");
}

TEST(Errors, OfReductions) {
  SAYS(sum(x, 2), "sum: axis 2 is out of range for f32[2,3].");
  SAYS(mean(x, {0, -2}), "mean: axis -2 is given twice for f32[2,3].");
  SAYS(max(zeros({0, 3}), 0),
       "max: an axis with elements is required, found f32[0,3] axis 0.\n"
       "  Give the result for no elements: {.initial = ...}.");
  SAYS(sum(x, {}, {.where = x}),
       "sum: a mask must be bool, found f32[2,3].\n  Compare first: greater(mask, 0).");
  SAYS(segment_sum(x, v, 4),
       "segment_sum: indices must be integers, found f32[3].\n  Convert them with astype(i, s32).");
}

TEST(Errors, OfShapes) {
  SAYS(reshape(x, {4, -1}), "reshape: the 6 elements of f32[2,3] do not fill the shape (4,-1).");
  SAYS(concatenate({x, y}), "concatenate: shapes may differ along axis 0 only, found f32[2,3] and f32[4,5].");
  SAYS(stack({x, y}), "stack: one shape is required, found f32[2,3] and f32[4,5].");
  SAYS(split(x, 2, 1)[0],
       "split: axis 1 of f32[2,3] cannot be cut into 2 equal parts.\n  Say where to cut: split(x, {2, 5}).");
  SAYS(broadcast_to(x, {3, 3}),
       "broadcast_to: the shape (3,3) cannot be reached from f32[2,3].\n"
       "  Counted from the last axis, extents must be equal or 1 in the operand.");
  SAYS(squeeze(x, 0), "squeeze: only axes of extent 1 can go, found axis 0 of f32[2,3].");
}

TEST(Errors, OfProducts) {
  SAYS(matmul(x, y),
       "matmul: the last axis of the first operand must match the second-to-last of the second, found "
       "f32[2,3] and "
       "f32[4,5].");
  SAYS(matmul(x, Array(1.f)), "matmul: operands with axes are required, found f32[].\n  Scale with `*`.");
  SAYS(einsum("ij,jk", {x, y}),
       "einsum: \"ij,jk\": the letter `j` must have one extent, found 3 in f32[2,3] and 4 in f32[4,5].");
  SAYS(einsum("ijk->i", {x}),
       "einsum: \"ijk->i\": operand 0 needs one letter for each axis, found \"ijk\" for f32[2,3].");
  SAYS(einsum("ij->k", {x}), "einsum: \"ij->k\": no operand has the letter `k` of the result.");
  SAYS(einsum("ij->ii", {x}), "einsum: \"ij->ii\": the result has the letter `i` twice.");
  SAYS(einsum("ij,jk->ik", {x}), "einsum: \"ij,jk->ik\": 2 operands are required, found 1.");
  SAYS(einsum("i1->i", {x}), "einsum: \"i1->i\": letters are required, found `1`.");
  SAYS(linalg::inv(x), "linalg::inv: square matrices are required, found f32[2,3].");
  SAYS(linalg::solve(eye(2), v),
       "linalg::solve: as many rows as in the matrix are required, found f32[2,2] and f32[3].");
}

TEST(Errors, OfIndices) {
  SAYS(x.at(0, 1, 2).get(), "at: too many indices: found 3 for f32[2,3].");
  SAYS(x.at(ellipsis, 0, ellipsis).get(), "at: one ellipsis at most, found 2.");
  SAYS(x.at(x > 0).get(),
       "at: indices must be integers, found bool[2,3].\n"
       "  A mask has no fixed number of elements; use where(mask, x, y), or sum(x, {}, {.where = mask}).");
  SAYS(x.at(range(0, 2, 0)).get(), "at: the step of a range must not be 0.");
  SAYS(x.at(0).set(zeros({2})), "at().set: the value f32[2] must broadcast to the part (3).");
  SAYS(i.at(0).set(1.5), "at().set: the value must fit into s32, found f32[].\n  Convert one with astype.");
  SAYS(x.at(0).add(1, {.mode = IndexMode::wrap}),
       "at().add: updates have the modes drop, clip and promise_in_bounds, and no fill_value.");
  SAYS(zeros({0}).at(0).get(), "at: axis 0 of f32[0] has no elements to read.");
  SAYS(take(x, 0, {}, {.mode = IndexMode::clip, .fill_value = 0}),
       "take: a fill_value needs mode fill.\n  Say {.mode = IndexMode::fill, .fill_value = ...}.");
  SAYS(x.at(i, Array({0, 1, 2})).get(),
       "at: shapes must broadcast, found (2) and (3).\n  Counted from the last axis, extents must be equal "
       "or 1.");
}

TEST(Errors, OfAttention) {
  const auto attend = [](const Shape& q, const Shape& k, const Attention& o) {
    return lined([&] { dot_product_attention(zeros(q), zeros(k), zeros(k), o); });
  };
  EXPECT_EQ(attend({2, 3}, {2, 5, 2, 8}, {}),
            "dot_product_attention: query [B, T, N, H], key and value [B, S, K, H] are required, found query "
            "f32[2,3], key f32[2,5,2,8] and value f32[2,5,2,8].");
  EXPECT_EQ(attend({2, 3, 3, 8}, {2, 5, 2, 8}, {}),
            "dot_product_attention: the N heads of the query must be a multiple of the K heads of key and "
            "value, found "
            "query f32[2,3,3,8], key f32[2,5,2,8] and value f32[2,5,2,8].");
  EXPECT_EQ(attend({2, 3, 4, 8}, {2, 5, 2, 8}, {.mask = ones({3, 5})}),
            "dot_product_attention: the mask must be bool, found f32[3,5].\n  Numbers to add are the bias.");
  EXPECT_EQ(attend({2, 3, 4, 8}, {2, 5, 2, 8}, {.bias = ones({3, 2, 3, 5})}),
            "dot_product_attention: the bias must broadcast to [B, N, T, S], found f32[3,2,3,5].");
}

}  // namespace
}  // namespace baton
