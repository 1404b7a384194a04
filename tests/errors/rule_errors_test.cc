// rule_errors: mistakes in the rules of custom functions, one test each, with the exact message.
#include "errors.h"

namespace baton {
namespace {

Array twice(const Array& x) { return lax::mul(x, 2.f); }
struct Kept {
  Array out, residuals;
};

TEST(Errors, CustomJvpTangentOfAnotherType) {
  auto f = custom_jvp(
      twice,
      [](const std::tuple<Array>& x, const std::tuple<Array>& dx) {
        return Jvp<Array>{twice(std::get<0>(x)), lax::reduce_sum(std::get<0>(dx), {0})};
      },
      train);
  EXPECT_MESSAGE(f(Array({1.f, 2.f})),
                 R"(custom_jvp: the rule's tangent of result must be f32[2], found f32[].
  called at train.cc:41)");
}

TEST(Errors, CustomJvpOutOfAnotherType) {
  auto f = custom_jvp(
      twice,
      [](const std::tuple<Array>& x, const std::tuple<Array>& dx) {
        return Jvp<Array>{lax::reduce_sum(std::get<0>(x), {0}), std::get<0>(dx)};
      },
      train);
  EXPECT_MESSAGE(f(Array({1.f, 2.f})),
                 R"(custom_jvp: the rule's result must be f32[2], found f32[].
  called at train.cc:41)");
}

TEST(Errors, CustomJvpRuleIsNotLinear) {
  auto f = custom_jvp(
      twice,
      [](const std::tuple<Array>& x, const std::tuple<Array>& dx) {
        return Jvp<Array>{twice(std::get<0>(x)), lax::mul(std::get<0>(dx), std::get<0>(dx))};
      },
      train);
  EXPECT_MESSAGE(
      grad(f, {}, train)(Array(1.f)),
      R"(mul: reverse mode needs an operation that is linear in the tangents that reach it; this one needs their values.
  called at train.cc:41, for the operation at rule_errors_test.cc:LINE
  What the rule of a custom_jvp does to its tangents must be linear: multiply them with values, and not with each other.)");
}

TEST(Errors, MatvecIsNotLinear) {
  const auto solve = [](const Array& b) { return lax::sqrt(b); };
  const auto f = [solve](const Array& b) {
    return custom_linear_solve([](const Array& x) { return lax::mul(x, x); }, b, solve, solve, train);
  };
  EXPECT_MESSAGE(
      grad(f, {}, train)(Array(4.f)),
      R"(custom_linear_solve: matvec must be linear in its argument; the operation `mul` at rule_errors_test.cc:LINE needs the argument's value.
  called at train.cc:41)");
}

TEST(Errors, CustomVjpForwardOfAnotherType) {
  auto f = custom_vjp(
      twice,
      [](const Array& x) {
        return Kept{lax::reduce_sum(x, {0}), x};
      },
      [](const Array& x, const Array&) { return x; }, train);
  EXPECT_MESSAGE(f(Array({1.f, 2.f})),
                 R"(custom_vjp: forward's result must be f32[2], found f32[].
  called at train.cc:41)");
}

TEST(Errors, CustomVjpCotangentOfAnotherType) {
  auto f = custom_vjp(
      twice,
      [](const Array& x) {
        return Kept{twice(x), x};
      },
      [](const Array&, const Array& ct) { return lax::reduce_sum(ct, {0}); }, train);
  EXPECT_MESSAGE(f(Array({1.f, 2.f})),
                 R"(custom_vjp: backward's cotangent of args[0] must be f32[2], found f32[].
  called at train.cc:41)");
}

TEST(Errors, CustomVjpForwardMode) {
  auto f = custom_vjp(
      twice,
      [](const Array& x) {
        return Kept{twice(x), x};
      },
      [](const Array&, const Array& ct) { return ct; }, train);
  EXPECT_MESSAGE(
      jvp(f, Array(1.f), Array(1.f), train),
      R"(jvp: forward mode was asked of a function whose custom_vjp is a rule for reverse mode only.
  called at train.cc:41
  Use grad or vjp, or give the function a rule with custom_jvp.)");
}

}  // namespace
}  // namespace baton
