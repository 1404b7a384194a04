// passes: what docs/passes.md says of a Program before and after.
#include "passes/passes.h"

#include <gtest/gtest.h>

#include "engines/cpu/loop_judge.h"

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

TEST(Passes, FuseBeforeAndAfter) {
  const Program before = Program::parse(R"(
{ a:f32[4,10], b:f32[10] ->
  c:f32[4,10] = broadcast_in_dim b {shape=[4,10], dimensions=[1]}
  d:f32[4,10] = add a c
  e:f32[4,10] = exp d
  return e }
)");
  cpu::LoopJudge judge;
  EXPECT_EQ("\n" + fuse(before, judge).text() + "\n", R"(
{ a:f32[4,10], b:f32[10] ->
  c:f32[4,10] = fused a b {body={ a:f32[4,10], b:f32[10] ->
    c:f32[4,10] = broadcast_in_dim b {shape=[4,10], dimensions=[1]}
    d:f32[4,10] = add a c
    e:f32[4,10] = exp d
    return e }}
  return c }
)");
}

}  // namespace
}  // namespace baton
