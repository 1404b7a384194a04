// transforms: Program before, Program after.
#include "transforms/transforms.h"

#include <gtest/gtest.h>

#include <cmath>

#include "baton/lax.h"
#include "trace/executor.h"
#include "trace/trace.h"

namespace baton {
namespace {

Program sample() {  // sum(sin(x) * x)
  return make_program("f", {{f32, {2}}}, [](const Arrays& in) -> Arrays {
    return {lax::reduce_sum(lax::mul(lax::sin(in[0]), in[0]), {0})};
  });
}

TEST(Transforms, JvpCarriesTangents) {
  const JvpProgram d = jvp(sample(), {true}, {false});
  EXPECT_EQ(d.out, Mask{true});
  EXPECT_EQ(d.program.text(),
            "{ a:f32[2], b:f32[2] ->\n"
            "  c:f32[2] = sin a\n"
            "  d:f32[2] = cos a\n"
            "  e:f32[2] = mul b d\n"
            "  f:f32[2] = mul c a\n"
            "  g:f32[2] = mul e a\n"
            "  h:f32[2] = mul c b\n"
            "  i:f32[2] = add g h\n"
            "  j:f32[] = reduce_sum f {axes=[0]}\n"
            "  k:f32[] = reduce_sum i {axes=[0]}\n"
            "  return j, k }");
}

TEST(Transforms, GradientIsJvpPartialTranspose) {
  const JvpProgram d = jvp(sample(), {true}, {true});
  const PartialProgram cut = partial(d.program, {false, true}, {false, true}, {});
  EXPECT_EQ(cut.out, (Mask{false, true}));
  EXPECT_EQ(cut.unknown.text(),
            "{ a:f32[2], b:f32[2], c:f32[2], d:f32[2] ->\n"
            "  e:f32[2] = mul a b\n"
            "  f:f32[2] = mul e c\n"
            "  g:f32[2] = mul d a\n"
            "  h:f32[2] = add f g\n"
            "  i:f32[] = reduce_sum h {axes=[0]}\n"
            "  return i }");
  const TransposeProgram back =
      transpose(cut.unknown, {true, false, false, false}, {true}, {true, false, false, false});
  const Array x({0.5f, -2.f});
  const Arrays known = execute(cut.known, {x}, {});
  const Array grad = execute(back.program, {known[1], known[2], known[3], Array(1.f)}, {})[0];
  for (std::size_t i = 0; i < 2; ++i) {
    const float v = x.read<float>()[i];
    EXPECT_NEAR(grad.read<float>()[i], std::cos(v) * v + std::sin(v), 1e-6);
  }
}

TEST(Transforms, BatchEqualsLoop) {
  const BatchProgram b = batch(sample(), {3, ""}, {true}, {true});
  const Array x({0.f, 1.f, 2.f, 3.f, 4.f, 5.f}, {3, 2});
  const Array y = execute(b.program, {x}, {})[0];
  EXPECT_EQ(y.shape(), Shape{3});
  EXPECT_NEAR(y.read<float>()[1], std::sin(2.f) * 2 + std::sin(3.f) * 3, 1e-5);
}

TEST(Transforms, AreKeptByContent) {
  clear_transforms();
  transformer().jvp(sample(), {true}, {true});
  const std::size_t n = transform_count();
  transformer().jvp(sample(), {true}, {true});
  EXPECT_EQ(transform_count(), n);
}

}  // namespace
}  // namespace baton
