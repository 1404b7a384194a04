// function_errors: mistakes with jit, transforms and control flow, one test each, with the exact message.
#include "errors.h"

namespace baton {
namespace {

struct State {
  Array w, step;
};
State next(const State& s) { return {lax::mul(s.w, 2.f), lax::add(s.step, 1)}; }
State fresh() { return {Array({1.f, 2.f}), Array(0)}; }
struct Counted {
  Array w;
  int steps = 0;
};
Array twice(const Array& x) { return lax::mul(x, 2.f); }

TEST(Errors, CallWithAnotherBatch) {
  const Array weights({1.f, 2.f, 3.f});
  auto step =
      jit([weights](const Array& batch) { return lax::mul(batch, weights); }, {.name = "step"}, train);
  step(Array({1.f, 2.f, 3.f}));
  EXPECT_MESSAGE(step(Array({1.f, 2.f})),
                 R"(mul: operands must have one shape, found f32[2] and f32[3].
  called at function_errors_test.cc:LINE, while tracing for the call at function_errors_test.cc:LINE
  Broadcast or reshape one of them.)");
}

TEST(Errors, LeafWasDonated) {
  auto step = jit(next, {.name = "step"}, train);
  State s = fresh();
  step(std::move(s));
  EXPECT_MESSAGE(
      step(s),
      R"(`step` (jit at train.cc:41): leaf args[0].w is empty: it was donated at function_errors_test.cc:LINE and not replaced.
  called at function_errors_test.cc:LINE
  Go on with what that call returned, or give the state to `update`, which puts it back.)");  // NOLINT
}

TEST(Errors, GradOfADonatedLeaf) {
  State s = fresh();
  jit(next)(std::move(s));
  EXPECT_MESSAGE(
      grad([](const State& x) { return lax::reduce_sum(x.w, {0}); }, {}, train)(s),
      R"(value_and_grad: leaf w is empty: it was donated at function_errors_test.cc:LINE and not replaced.
  called at train.cc:41
  Go on with what that call returned, or give the state to `update`, which puts it back.)");  // NOLINT
}

TEST(Errors, SecondSignature) {
  auto f = jit([](const State& s) { return s.w; }, {.allow_retrace = false, .name = "predict"}, train);
  f(fresh());
  EXPECT_MESSAGE(f(State{Array({1.f, 2.f, 3.f}), Array(0)}),
                 R"(`predict` (jit at train.cc:41): a second signature, and retracing is not allowed.
  called at function_errors_test.cc:LINE
  It differs from the closest earlier call in:
  args[0].w    f32[2] -> f32[3]
  Keep the types and constants of the arguments as they were, or allow_retrace.)");
}

TEST(Errors, SecondSignatureByAConstant) {
  struct Model {
    Array w;
    float rate = 0.5f;
  };
  auto f = jit([](const Model& m) { return lax::mul(m.w, m.rate); }, {.allow_retrace = false}, train);
  f(Model{Array(1.f), 0.5f});
  const Model other{Array(1.f), 0.25f};
  EXPECT_MESSAGE(f(other),
                 R"(jit at train.cc:41: a second signature, and retracing is not allowed.
  called at function_errors_test.cc:LINE
  It differs from the closest earlier call in:
  args[0].rate    0.5 -> 0.25
  Keep the types and constants of the arguments as they were, or allow_retrace.)");
}

TEST(Errors, DonationRequiredAndNoResultOfTheType) {
  auto f = jit([](const Array& x) { return lax::reduce_sum(x, {0}); },
               {.donation = Donation::required, .name = "f"}, train);
  Array x({1.f, 2.f});
  EXPECT_MESSAGE(
      f(std::move(x)),
      R"(`f` (jit at train.cc:41): donation is required, and args[0] f32[2] cannot be donated: no output of type f32[2].
  called at function_errors_test.cc:LINE
  Pass it as an lvalue, or drop the requirement.)");
}

TEST(Errors, DonationRequiredAndLeavesAreShared) {
  auto f = jit(twice, {.donation = Donation::required, .name = "f"}, train);
  Array x({1.f, 2.f});
  const Array held = x;
  EXPECT_MESSAGE(
      f(std::move(x)),
      R"(`f` (jit at train.cc:41): donation is required, and args[0] f32[2] cannot be donated: it shares its memory with a copy of the array outside of the call.
  called at function_errors_test.cc:LINE
  Give it memory of its own with clone, pass it as an lvalue, or drop the requirement.)");
  auto g = jit(
      [](const State& s) {
        return State{lax::neg(s.w), lax::neg(s.step)};
      },
      {.donation = Donation::required, .name = "g"}, train);
  State same{Array(1.f), {}};
  same.step = same.w;
  EXPECT_MESSAGE(
      g(std::move(same)),
      R"(`g` (jit at train.cc:41): donation is required, and args[0].w f32[] cannot be donated: it shares its memory with args[0].step.
  called at function_errors_test.cc:LINE
  Give it memory of its own with clone, pass it as an lvalue, or drop the requirement.)");
}

TEST(Errors, DonationRequiredOfAConstObject) {
  auto f = jit(twice, {.donation = Donation::required, .name = "f"}, train);
  const Array x({1.f, 2.f});
  EXPECT_MESSAGE(
      f(std::move(x)),
      R"(`f` (jit at train.cc:41): donation is required, and args[0] f32[2] cannot be donated: std::move of a const object.
  called at function_errors_test.cc:LINE
  Pass it as an lvalue, or drop the requirement.)");
}

TEST(Errors, UpdateChangesTheState) {
  auto step = jit(
      [](const State& s) {
        return State{lax::reduce_sum(s.w, {0}), s.step};
      },
      {.name = "step"}, train);
  State s = fresh();
  EXPECT_MESSAGE(
      step.update(s),
      R"(`step` (jit at train.cc:41): update must get back the state that it gave; args[0].w was f32[2] and became f32[].
  called at function_errors_test.cc:LINE
  Keep its shape, or give the shape that comes back from the start.)");
  EXPECT_EQ(s.w.size(), 2);
}

TEST(Errors, ArrayReadThroughAReference) {
  Array outside(2.f);
  auto f = jit([&outside](const Array& x) { return lax::mul(x, outside); }, {.name = "f"}, train);
  f(Array(1.f));
  EXPECT_MESSAGE(
      f(Array(1.f)),
      R"(`f` (jit at train.cc:41): the function reads an array f32[] at function_errors_test.cc:LINE through a reference or a global, so a later value would never be seen.
  called at function_errors_test.cc:LINE
  Pass the array as an argument, capture it by value, or say {.captures = Captures::frozen}.)");
}

TEST(Errors, LossIsNotAScalar) {
  EXPECT_MESSAGE(grad(twice, {}, train)(Array({1.f, 2.f})),
                 R"(value_and_grad: the function must return a real floating scalar, found f32[2].
  called at train.cc:41
  Reduce the loss with mean or sum, or use jacrev for the gradient of every element.)");
}

TEST(Errors, LossIsAnInteger) {
  EXPECT_MESSAGE(
      grad([](const Array& x) { return lax::convert_element_type(x, s32); }, {}, train)(Array(1.f)),
      R"(value_and_grad: the function must return a real floating scalar, found s32[].
  called at train.cc:41
  Convert the loss with astype, or return one that is computed in a floating dtype.)");
}

TEST(Errors, LossIsComplex) {
  EXPECT_MESSAGE(grad(twice, {}, train)(Array(std::complex(1.f, 2.f))),
                 R"(value_and_grad: the function must return a real floating scalar, found c64[].
  called at train.cc:41
  Take the real part or the absolute value of the loss.)");
}

TEST(Errors, NothingToDifferentiate) {
  EXPECT_MESSAGE(
      grad([](const Array& x) { return lax::convert_element_type(x, f32); }, {}, train)(Array(1)),
      R"(value_and_grad: the argument has no leaf to differentiate: floating, trainable, and named by the options.
  called at train.cc:41)");
}

TEST(Errors, PatternMatchesNoLeaf) {
  EXPECT_MESSAGE(grad([](const State& s) { return lax::reduce_sum(s.w, {0}); }, {.trainable = {"head.*"}},
                      train)(fresh()),
                 R"(value_and_grad: the pattern `head.*` matches no leaf.
  called at train.cc:41
  The leaves are w, step.)");
}

TEST(Errors, TangentOfAnotherType) {
  EXPECT_MESSAGE(jvp(twice, Array({1.f, 2.f}), Array(1.f), train),
                 R"(jvp: the tangent of args[0] must be f32[2], found f32[].
  called at train.cc:41)");
}

TEST(Errors, TangentsOfAnotherTree) {
  const std::vector<Array> two(2, Array(1.f)), three(3, Array(1.f));
  EXPECT_MESSAGE(
      jvp([](const std::vector<Array>& v) { return v[0]; }, two, three, train),
      R"(jvp: the trees must have the same structure; leaf 2 is nothing in the first and `[0][2]` in another.
  called at train.cc:41)");
}

TEST(Errors, CotangentOfAnotherType) {
  auto [y, pull] = vjp(twice, Array({1.f, 2.f}));
  EXPECT_MESSAGE(pull(Array(1.f), train),
                 R"(vjp: cotangent must be f32[2], found f32[].
  called at train.cc:41)");
}

TEST(Errors, ResidualsWereGivenBack) {
  auto [y, pull] = vjp([](const Array& x) { return lax::sin(x); }, Array(1.f));
  std::move(pull)(Array(1.f), train);
  EXPECT_MESSAGE(pull(Array(1.f), train),
                 R"(vjp: the residuals of this function were given back at train.cc:41.
  called at train.cc:41
  Call the pullback as an lvalue to keep them.)");  // NOLINT(bugprone-use-after-move): what is tested
}

TEST(Errors, JacobianOfIntegers) {
  EXPECT_MESSAGE(jacrev(twice, train)(Array(1)),
                 R"(jacrev: the argument must be floating, found s32[].
  called at train.cc:41)");
}

TEST(Errors, VmapSizesDiffer) {
  auto f = vmap([](const Array& x, const Array& y) { return lax::add(x, y); }, {}, train);
  EXPECT_MESSAGE(f(Array({1.f, 2.f}), Array({1.f, 2.f, 3.f})),
                 R"(vmap: all mapped axes must have one extent; args[1] f32[3] has 3 on axis 0, args[0] has 2.
  called at train.cc:41)");
}

TEST(Errors, VmapOfAScalar) {
  EXPECT_MESSAGE(vmap(twice, {}, train)(Array(1.f)),
                 R"(vmap: args[0] has no axis 0, found f32[].
  called at train.cc:41
  Say `whole` for arguments that all lanes share: {.in = {axis(0), whole}}.)");
}

TEST(Errors, VmapWithTooFewAxes) {
  auto f = vmap([](const Array& x, const Array& y) { return lax::add(x, y); }, {.in = {axis(0)}}, train);
  EXPECT_MESSAGE(f(Array({1.f}), Array({1.f})),
                 R"(vmap: one axis for each of the 2 arguments is required, found 1.
  called at train.cc:41)");
}

TEST(Errors, VmapOfNothing) {
  EXPECT_MESSAGE(vmap(twice, {.in = {whole}}, train)(Array(1.f)),
                 R"(vmap: at least one argument must be mapped, or axis_size given.
  called at train.cc:41)");
}

TEST(Errors, VmapResultDiffersFromLaneToLane) {
  EXPECT_MESSAGE(vmap(twice, {.out = whole}, train)(Array({1.f, 2.f})),
                 R"(vmap: .out says `whole`, but result differs from lane to lane.
  called at train.cc:41
  Reduce it over the axis name, or let .out be an axis.)");
}

TEST(Errors, VmapResultHasNoSuchAxis) {
  EXPECT_MESSAGE(vmap(twice, {.out = axis(2)}, train)(Array({1.f, 2.f})),
                 R"(vmap: a result f32[2] has no axis 2 for its lanes.
  called at train.cc:41)");
}

TEST(Errors, ScanLengthsDiffer) {
  const std::pair<Array, Array> xs(Array({1.f, 2.f}), Array({1.f, 2.f, 3.f}));
  EXPECT_MESSAGE(scan(
                     [](Array c, std::pair<Array, Array> x) {
                       return Step{c, x.first};
                     },
                     Array(0.f), xs, {}, train),
                 R"(scan: the leading axes of xs must have one extent; xs[1] f32[3] has 3, xs[0] has 2.
  called at train.cc:41)");
}

TEST(Errors, ScanOfAScalar) {
  EXPECT_MESSAGE(scan(
                     [](Array c, Array x) {
                       return Step{c, x};
                     },
                     Array(0.f), Array(1.f), {}, train),
                 R"(scan: every array in xs needs a leading axis, found xs f32[].
  called at train.cc:41)");
}

TEST(Errors, ScanWithoutALength) {
  EXPECT_MESSAGE(scan(
                     [](Array c, Nothing) {
                       return Step{c, Nothing{}};
                     },
                     Array(0.f), Nothing{}, {}, train),
                 R"(scan: a length is required where xs holds no array.
  called at train.cc:41
  Give {.length = n}.)");
}

TEST(Errors, ScanCarryChangesItsDtype) {
  EXPECT_MESSAGE(scan(
                     [](Array c, Array x) {
                       return Step{lax::convert_element_type(c, f32), x};
                     },
                     Array(0), Array({1.f}), {}, train),
                 R"(scan: the body must return the carry as it was given; carry was s32[] and became f32[].
  called at train.cc:41
  Convert it there: astype(x, s32).)");
}

TEST(Errors, ScanCarryChangesItsShape) {
  EXPECT_MESSAGE(scan(
                     [](State c, Array x) {
                       c.w = lax::reduce_sum(c.w, {0});
                       return Step{c, x};
                     },
                     fresh(), Array({1.f}), {}, train),
                 R"(scan: the body must return the carry as it was given; carry.w was f32[2] and became f32[].
  called at train.cc:41
  Keep its shape, or give the shape that comes back from the start.)");
}

TEST(Errors, WhilePredicateIsNotABoolScalar) {
  EXPECT_MESSAGE(
      while_loop([](const Array& x) { return lax::lt(x, 1.f); }, twice, Array({1.f, 2.f}), {}, train),
      R"(while_loop: the condition must return bool[], found bool[2].
  called at train.cc:41
  Compare there, and reduce the result with any or all.)");
}

TEST(Errors, WhileWithANegativeBound) {
  EXPECT_MESSAGE(
      while_loop([](const Array& x) { return lax::lt(x, 1.f); }, twice, Array(0.f), {.max_steps = -1}, train),
      R"(while_loop: .max_steps must not be negative, found -1.
  called at train.cc:41
  Leave it out for a loop without a bound.)");
}

TEST(Errors, ReverseModeOfAnUnboundedWhile) {
  const auto f = [](const Array& x) {
    return while_loop([](const Array& v) { return lax::lt(v, 1.f); }, twice, x, {}, train);
  };
  EXPECT_MESSAGE(grad(f, {}, train)(Array(0.5f)),
                 R"(while: reverse mode is not possible through this operation.
  called at train.cc:41
  Give while_loop a bound with {.max_steps = n}, or use scan or fori_loop; in a program of a file, a loop of fixed length.)");
}

TEST(Errors, ForiBoundsAreNotIntegers) {
  EXPECT_MESSAGE(fori_loop(
                     0, Array(3.f), [](const Array&, Array c) { return c; }, Array(0.f), train),
                 R"(fori_loop: the bounds must be integer scalars, found f32[].
  called at train.cc:41)");
}

TEST(Errors, CondPredicateIsNotAScalar) {
  EXPECT_MESSAGE(
      cond(Array({true, false}), twice, twice, Array(1.f)),
      R"(cond: the predicate must be a bool scalar, or an integer scalar for switch_case, found bool[2].
  called at function_errors_test.cc:LINE
  Compare it first, as in x > 0, or reduce it with any or all.)");
}

TEST(Errors, CondPredicateIsFloating) {
  EXPECT_MESSAGE(
      cond(Array(1.f), twice, twice, Array(1.f)),
      R"(cond: the predicate must be a bool scalar, or an integer scalar for switch_case, found f32[].
  called at function_errors_test.cc:LINE
  Compare it first, as in x > 0, or reduce it with any or all.)");
}

TEST(Errors, CondBranchesDiffer) {
  EXPECT_MESSAGE(
      cond(
          Array(true), twice, [](const Array& x) { return lax::convert_element_type(x, s32); }, Array(1.f)),
      R"(cond: all branches must return the same types; result is f32[] when true and s32[] when false.
  called at function_errors_test.cc:LINE
  Convert the results of one branch with astype or reshape.)");
}

TEST(Errors, SwitchWithoutBranches) {
  const std::vector<Array (*)(const Array&)> none;
  EXPECT_MESSAGE(switch_case(Array(0), none, Array(1.f)),
                 R"(switch_case: at least one branch is required.
  called at function_errors_test.cc:LINE)");
}

TEST(Errors, TreesOfDifferentStructure) {
  std::vector<Array> two(2, Array(1.f)), three(3, Array(1.f));
  EXPECT_MESSAGE(
      copy_into(two, three, train),
      R"(copy_into: the trees must have the same structure; leaf 2 is nothing in the first and `[2]` in another.
  called at train.cc:41)");
  EXPECT_MESSAGE(copy_into(two, std::vector<Array>{Array(1.f), Array(1)}, train),
                 R"(copy_into: leaf `[1]` must be f32[], found s32[].
  called at train.cc:41)");
}

TEST(Errors, UpdateChangesAConstant) {
  auto step = jit(
      [](Counted c) {
        c.w = twice(c.w);
        c.steps += 1;
        return c;
      },
      {.name = "step"}, train);
  Counted c{Array(1.f)};
  EXPECT_MESSAGE(
      step.update(c),
      R"(`step` (jit at train.cc:41): update must get back the state that it gave; args[0].steps was 0 and became 1.
  called at function_errors_test.cc:LINE
  A number, enum or string in a tree is a constant of the Program: make it an Array to let it change.)");
}

TEST(Errors, ScanCarryChangesAConstant) {
  EXPECT_MESSAGE(scan(
                     [](Counted c, Array x) {
                       c.steps += 1;
                       return Step{c, x};
                     },
                     Counted{Array(0.f)}, Array({1.f}), {}, train),
                 R"(scan: the body must return the carry as it was given; carry.steps was 0 and became 1.
  called at train.cc:41
  A number, enum or string in a tree is a constant of the Program: make it an Array to let it change.)");
}

TEST(Errors, ScanCarryGrows) {
  EXPECT_MESSAGE(scan(
                     [](std::vector<Array> c, Array x) {
                       c.push_back(x);
                       return Step{c, x};
                     },
                     std::vector<Array>(), Array({1.f}), {}, train),
                 R"(scan: the body must return the carry as it was given; carry (size) was 0 and became 1.
  called at train.cc:41
  What a container holds is a constant of the Program: give it all of its leaves before.)");
}

TEST(Errors, ForiBoundsOfDifferentSign) {
  EXPECT_MESSAGE(fori_loop(
                     Array(std::int64_t{0}), Array(std::uint64_t{3}), [](const Array&, Array c) { return c; },
                     Array(0.f), train),
                 R"(fori_loop: no integer dtype holds both bounds, found s64[] and u64[].
  called at train.cc:41
  Convert one of them with astype.)");
}

TEST(Errors, CondBranchesGiveOtherConstants) {
  const auto with = [](int steps) { return [steps](const Array& x) { return Counted{x, steps}; }; };
  EXPECT_MESSAGE(
      cond(Array(true), with(1), with(2), Array(1.f)),
      R"(cond: all branches must return the same constants; result.steps is 1 when true and 2 when false.
  called at function_errors_test.cc:LINE
  A number, enum or string in a tree is a constant of the Program: make it an Array to let it change.)");
}

TEST(Errors, JacobianOfRealAndComplex) {
  const auto phase = [](const Array& x) { return lax::complex(lax::cos(x), lax::sin(x)); };
  EXPECT_MESSAGE(jacrev(phase, train)(Array(1.f)),
                 R"(jacrev: the derivative of c64[] in f32[] has a real and an imaginary part of its own.
  called at train.cc:41
  Let the function return its two parts as real arrays, with real and imag.)");
  const auto length = [](const Array& z) { return lax::abs(z); };
  EXPECT_MESSAGE(jacfwd(length, train)(Array(std::complex(1.f, 2.f))),
                 R"(jacfwd: the derivative of f32[] in c64[] has a real and an imaginary part of its own.
  called at train.cc:41
  Let the function take the two parts as real arrays, and join them with lax::complex.)");
}

TEST(Errors, JacobianOfNothing) {
  EXPECT_MESSAGE(jacrev([](const Array&) { return Array(); }, train)(Array(1.f)),
                 R"(jacrev: the function must return a floating array, found an empty array.
  called at train.cc:41)");
}

TEST(Errors, CopyIntoOfOtherConstants) {
  Counted published{Array(1.f), 0};
  const Counted learned{Array(2.f), 3};
  EXPECT_MESSAGE(copy_into(published, learned, train),
                 R"(copy_into: only arrays are copied; `steps` is 0 in the destination and 3 in the source.
  called at train.cc:41
  Make it an Array, or replace the destination: destination = clone(source).)");
  EXPECT_EQ(published.w.item(), 1.f);
}

TEST(Errors, CopyIntoInATrace) {
  Array published({1.f, 2.f});
  const Array fresh({3.f, 4.f});
  auto publish = jit(
      [&](const Array& x) {
        copy_into(published, fresh, train);
        return x;
      },
      {.name = "publish"}, train);
  EXPECT_MESSAGE(
      publish(fresh),
      R"(copy_into: it would fill the arrays once, while `publish` is traced, and not when its Program runs.
  called at train.cc:41, while tracing for the call at function_errors_test.cc:LINE
  Return the new values, and copy them where the function is called.)");
}

}  // namespace
}  // namespace baton
