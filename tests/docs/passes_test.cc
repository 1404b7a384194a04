// passes: what docs/passes.md says of a Program before and after.
#include "passes/passes.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

TEST(Passes, BeforeAndAfter) {
  const Program before = Program::parse(R"(
{ a:f32[2] ->
  b:f32[2] = broadcast_in_dim 1.0:f32 {shape=[2], dimensions=[]}
  c:f32[2] = mul a b
  d:f32[2] = sin c
  e:f32[2] = sin c
  f:f32[2] = mul d e
  return f }
)");
  EXPECT_EQ("\n" + optimize(before).text() + "\n", R"(
{ a:f32[2] ->
  b:f32[2] = sin a
  c:f32[2] = mul b b
  return c }
)");
}

}  // namespace
}  // namespace baton
