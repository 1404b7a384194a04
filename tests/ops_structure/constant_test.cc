// constant: an array written into a Program gives its own elements, in one run and under vmap.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "ops_structure/numbers.h"
#include "trace/executor.h"

namespace baton {
namespace {

TEST(Constant, GivesTheElementsThatWereWritten) {
  const Program p = Program::parse(
      "{ ->\n"
      "  a:f32[3] = constant {type=f32[3], bytes=0x000000000000803f000000c0}\n"
      "  b:s16[2] = constant {type=s16[2], bytes=0x0100feff}\n"
      "  c:bool[2] = constant {type=bool[2], bytes=0x0001}\n"
      "  return a, b, c }");
  const Arrays out = execute(p, {}, {});
  EXPECT_EQ(numbers(out[0]), (Numbers{0, 1, -2}));
  EXPECT_EQ(numbers(out[1]), (Numbers{1, -2}));
  EXPECT_EQ(numbers(out[2]), (Numbers{0, 1}));
}

TEST(Constant, IsTheSameInEveryLane) {
  const float values[] = {1, -2};
  const auto f = [&](const Array& x) { return lax::mul(x, constant({f32, {2}}, values, {})); };
  EXPECT_EQ(numbers(vmap(jit(f))(ramp({3, 2}))), (Numbers{0, -2, 2, -6, 4, -10}));
}

}  // namespace
}  // namespace baton
