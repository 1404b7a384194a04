// transforms: the code of docs/transforms.md, compiled and run. tools/check_docs.py compares the two.
#include "transforms/transforms.h"

#include <gtest/gtest.h>

#include "baton/baton.h"
#include "pages.h"

namespace baton {
namespace {

struct Line {
  Array slope, offset;
};
Array squared_error(const Line& line, const Array& x, const Array& y) {
  return mean(square(line.slope * x + line.offset - y));
}

TEST(Transforms, Gradients) {
  const Output output;
  {
    const Line line{Array(1.f), Array(0.f)};
    const Array x({0.f, 1.f, 2.f}), y({1.f, 3.f, 5.f});
    const auto [value, gradient] = value_and_grad(squared_error)(line, x, y);
    std::cout << value << ' ' << gradient.slope << ' ' << gradient.offset << '\n';
  }
  EXPECT_EQ(output.text(), R"(4.6666665 -5.3333335 -4.0
)");
  const auto no_loss = [](const Array& v) { return v * v; };
  const std::string message = error_of([&] { grad(no_loss)(Array({1.f, 2.f})); });
  EXPECT_EQ(without_lines(message),
            R"(value_and_grad: the function must return a real floating scalar, found f32[2].
  called at transforms_test.cc:LINE
  Reduce the loss with mean or sum, or use jacrev for the gradient of every element.)");
}

TEST(Transforms, TangentsAndCotangents) {
  const Output output;
  const auto f = [](const Array& v) { return sum(v * v * v); };
  const Array at({1.f, 2.f}), along({1.f, 0.f});
  const auto [out, tangent] = jvp(f, at, along);  // forward mode: how `out` moves
  const auto [same, pullback] = vjp(f, at);       // reverse mode, to be called as often as you like
  std::cout << tangent << ' ' << pullback(Array(1.f)) << '\n' << hessian(f)(at) << '\n';
  EXPECT_EQ(output.text(), R"(3.0 [ 3. 12.]
[[ 6.  0.]
 [ 0. 12.]]
)");
  EXPECT_EQ(out.item(), same.item());
}

TEST(Transforms, GradientsOfEachExample) {
  const Output output;
  const auto loss_of_one = [](const Array& w, const Array& x) { return square(sum(w * x)); };
  const auto of_each = vmap(grad(loss_of_one), {.in = {whole, axis(0)}});
  std::cout << of_each(Array({1.f, 2.f}), Array({1.f, 0.f, 0.f, 1.f}, {2, 2})) << '\n';
  EXPECT_EQ(output.text(), R"([[2. 0.]
 [0. 4.]]
)");
}

TEST(Transforms, StepByStep) {
  const auto f = [](const Array& x) { return lax::mul(lax::sin(x), x); };
  const Program before = trace(f, abstract({f32, {}}));
  EXPECT_EQ(before.text(), R"({ a:f32[] ->
  b:f32[] = sin a
  c:f32[] = mul b a
  return c })");
  const JvpProgram derivative = jvp(before, {true}, {true});
  EXPECT_EQ(derivative.program.text(), R"({ a:f32[], b:f32[] ->
  c:f32[] = sin a
  d:f32[] = cos a
  e:f32[] = mul b d
  f:f32[] = mul c a
  g:f32[] = mul e a
  h:f32[] = mul c b
  i:f32[] = add g h
  return f, i })");
  const PartialProgram cut = partial(derivative.program, {false, true}, {false, true}, {});
  EXPECT_EQ(cut.known.text(), R"({ a:f32[] ->
  b:f32[] = sin a
  c:f32[] = cos a
  d:f32[] = mul b a
  return d, c, a, b })");
  EXPECT_EQ(cut.unknown.text(), R"({ a:f32[], b:f32[], c:f32[], d:f32[] ->
  e:f32[] = mul a b
  f:f32[] = mul e c
  g:f32[] = mul d a
  h:f32[] = add f g
  return h })");
  const Mask tangent = {true, false, false, false};
  EXPECT_EQ(transpose(cut.unknown, tangent, {true}, tangent).program.text(),
            R"({ a:f32[], b:f32[], c:f32[], d:f32[] ->
  e:f32[] = mul c d
  f:f32[] = mul d b
  g:f32[] = mul f a
  h:f32[] = add e g
  return h })");
  const Program gradient_of_f = trace(grad(f), abstract({f32, {}}));
  EXPECT_EQ(gradient_of_f.text(), R"({ a:f32[] ->
  b:f32[] = sin a
  c:f32[] = cos a
  d:f32[] = mul b 1.0:f32
  e:f32[] = mul 1.0:f32 a
  f:f32[] = mul e c
  g:f32[] = add d f
  return g })");
}

TEST(Transforms, Lanes) {
  const auto g = [](const Array& x, const Array& w) { return lax::reduce_sum(lax::mul(x, w), {0}); };
  const auto lanes = vmap(g, {.in = {axis(0), whole}});
  const Program over_lanes = trace(lanes, abstract({f32, {3, 2}}), abstract({f32, {2}}));
  EXPECT_EQ(over_lanes.text(), R"({ a:f32[3,2], b:f32[2] ->
  c:f32[3,2] = broadcast_in_dim b {shape=[3,2], dimensions=[1]}
  d:f32[3,2] = mul a c
  e:f32[3] = reduce_sum d {axes=[1]}
  return e })");
}

TEST(Transforms, Checkpoint) {
  const auto twice = [](const Array& x) { return lax::sin(lax::sin(x)); };
  const Program recomputed = trace(grad(checkpoint(twice)), abstract({f32, {}}));
  EXPECT_EQ(recomputed.text(), R"({ a:f32[] ->
  b:f32[], c:f32[] = optimization_barrier a 1.0:f32
  d:f32[] = checkpoint b c {body={ a:f32[], b:f32[] ->
    c:f32[] = cos a
    d:f32[] = sin a
    e:f32[] = cos d
    f:f32[] = mul b e
    g:f32[] = mul f c
    return g }, save=nothing, names=[]}
  return d })");
}

struct Kept {
  Array out, residual;
};

TEST(Transforms, Loops) {
  const Output output;
  const auto halving = [](const Array& height) {
    return scan([](Array h, Nothing) { return Step{h * 0.5, h}; }, height, Nothing{}, {.length = 4});
  };
  const auto [last, heights] = halving(Array(8.f));  // the carry in the end, and all that the steps gave
  const auto cube = [](const Array& w) {
    return fori_loop(
        0, 3, [w](const Array&, const Array& c) { return c * w; }, Array(1.f));
  };
  std::cout << last << ' ' << heights << ' ' << grad(cube)(Array(2.f)) << '\n';  // 3 w^2
  EXPECT_EQ(output.text(), R"(0.5 [8. 4. 2. 1.] 12.0
)");
}

TEST(Transforms, Rules) {
  const Output output;
  const auto clipped = custom_vjp([](const Array& x) { return x; },  // the identity,
                                  [](const Array& x) {
                                    return Kept{x, Array()};
                                  },  // nothing to keep,
                                  [](const Array&, const Array& ct) { return clip(ct, -1, 1); });
  std::cout << grad([clipped](const Array& x) { return 7 * clipped(x); })(Array(2.f)) << '\n';
  EXPECT_EQ(output.text(), "1.0\n");
  EXPECT_NE(error_of([&] { jvp(clipped, Array(1.f), Array(1.f)); }), "no error");
  EXPECT_NE(error_of([&] { jacfwd(clipped)(Array(1.f)); }), "no error");
  EXPECT_EQ(hessian(clipped)(Array(1.f)).item(), 0.f);
  EXPECT_EQ(grad(grad([clipped](const Array& x) { return clipped(x) * clipped(x); }))(Array(.25f)).item(),
            2.f);
}

}  // namespace
}  // namespace baton
