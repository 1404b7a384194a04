// lines: whatever goes wrong inside a function of ours, the message names the user's line.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "baton/random.h"
#include "error_of.h"

namespace baton {
namespace {

/// The expression fails, and the message names this line.
#define NAMES_THIS_LINE(expression)                                                         \
  do {                                                                                      \
    const std::string error = error_of([&] { (void)(expression); });                        \
    const std::string line = "called at lines_test.cc:" + std::to_string(__LINE__);         \
    EXPECT_NE(error.find(line), std::string::npos) << #expression << "\n  says: " << error; \
  } while (false)

const Array none, x = zeros({2, 3}), bytes = zeros({2}, u8);

#define UNARY(f) NAMES_THIS_LINE(f(none))
TEST(Lines, FunctionsOfAnEmptyArray) {
  UNARY(negative);
  UNARY(abs);
  UNARY(sign);
  UNARY(square);
  UNARY(reciprocal);
  UNARY(exp);
  UNARY(exp2);
  UNARY(expm1);

  UNARY(log);
  UNARY(log2);
  UNARY(log10);
  UNARY(log1p);
  UNARY(sqrt);
  UNARY(rsqrt);
  UNARY(cbrt);
  UNARY(sin);
  UNARY(cos);
  UNARY(tan);
  UNARY(asin);
  UNARY(acos);
  UNARY(atan);
  UNARY(sinh);
  UNARY(cosh);
  UNARY(tanh);

  UNARY(asinh);
  UNARY(acosh);
  UNARY(atanh);
  UNARY(erf);
  UNARY(erfc);
  UNARY(erf_inv);
  UNARY(lgamma);

  UNARY(digamma);
  UNARY(floor);
  UNARY(ceil);
  UNARY(trunc);
  UNARY(isnan);
  UNARY(isinf);
  UNARY(isfinite);
  UNARY(real);
  UNARY(imag);
  UNARY(conj);
  UNARY(round);
  UNARY(logical_not);

  UNARY(bitwise_not);
  UNARY(nan_to_num);
  UNARY(sum);
  UNARY(prod);
  UNARY(max);
  UNARY(min);
  UNARY(amax);
  UNARY(amin);
  UNARY(mean);
  UNARY(var);
  UNARY(stddev);
  UNARY(any);

  UNARY(all);
  UNARY(argmax);
  UNARY(argmin);
  UNARY(cumsum);
  UNARY(cumprod);
  UNARY(diff);
  UNARY(ravel);
  UNARY(transpose);

  UNARY(squeeze);
  UNARY(flip);
  UNARY(tril);
  UNARY(triu);
  UNARY(diag);
  UNARY(diagonal);
  UNARY(zeros_like);

  UNARY(ones_like);
  UNARY(sort);
  UNARY(argsort);
  UNARY(relu);
  UNARY(relu6);
  UNARY(leaky_relu);
  UNARY(elu);
  UNARY(selu);
  UNARY(celu);
  UNARY(gelu);
  UNARY(silu);

  UNARY(swish);
  UNARY(mish);
  UNARY(softplus);
  UNARY(soft_sign);
  UNARY(sigmoid);
  UNARY(log_sigmoid);
  UNARY(hard_tanh);
  UNARY(hard_sigmoid);

  UNARY(hard_silu);
  UNARY(hard_swish);
  UNARY(squareplus);
  UNARY(sparse_plus);
  UNARY(sparse_sigmoid);
  UNARY(log1mexp);
  UNARY(glu);

  UNARY(logsumexp);
  UNARY(logmeanexp);
  UNARY(softmax);
  UNARY(log_softmax);
  UNARY(standardize);
  UNARY(-);
  UNARY(linalg::norm);

  UNARY(linalg::inv);
  UNARY(linalg::pinv);
  UNARY(linalg::det);

  UNARY(linalg::slogdet);
  UNARY(linalg::cholesky);

  UNARY(linalg::qr);
  UNARY(linalg::eigh);

  UNARY(linalg::eigvalsh);

  UNARY(linalg::svd);
  UNARY(linalg::svdvals);

  UNARY(linalg::trace);

  UNARY(linalg::matrix_transpose);
}
#define BINARY(f)              \
  NAMES_THIS_LINE(f(x, none)); \
  NAMES_THIS_LINE(f(none, x))
TEST(Lines, FunctionsOfTwoArraysOneEmpty) {
  BINARY(add);

  BINARY(subtract);

  BINARY(multiply);
  BINARY(divide);
  BINARY(floor_divide);
  BINARY(remainder);
  BINARY(mod);
  BINARY(fmod);

  BINARY(power);
  BINARY(maximum);
  BINARY(minimum);
  BINARY(atan2);
  BINARY(hypot);
  BINARY(logaddexp);

  BINARY(copysign);
  BINARY(heaviside);
  BINARY(equal);
  BINARY(not_equal);
  BINARY(less);
  BINARY(less_equal);

  BINARY(greater);
  BINARY(greater_equal);
  BINARY(logical_and);
  BINARY(logical_or);
  BINARY(logical_xor);

  BINARY(bitwise_and);
  BINARY(bitwise_or);
  BINARY(bitwise_xor);
  BINARY(left_shift);

  BINARY(right_shift);
  BINARY(isclose);
  BINARY(allclose);
  BINARY(full_like);
  BINARY(linspace);

  BINARY(matmul);
  BINARY(dot);
  BINARY(vdot);
  BINARY(vecdot);
  BINARY(inner);
  BINARY(outer);

  BINARY(tensordot);
  BINARY(kron);
  BINARY(cross);
  BINARY(take);

  BINARY(take_along_axis);
  BINARY(searchsorted);
  BINARY(linalg::solve);

  NAMES_THIS_LINE(none + x);
  NAMES_THIS_LINE(x * none);
  NAMES_THIS_LINE(none < 1);
}

TEST(Lines, OtherFunctionsOfEmptyArrays) {
  NAMES_THIS_LINE(astype(none, s32));
  NAMES_THIS_LINE(where(none, x, x));
  NAMES_THIS_LINE(where(x > 0, x, none));
  NAMES_THIS_LINE(clip(none, 0, 1));
  NAMES_THIS_LINE(clip(x, none, {}));
  NAMES_THIS_LINE(clip(x, {}, none));
  NAMES_THIS_LINE(reshape(none, {2}));
  NAMES_THIS_LINE(swapaxes(none, 0, 1));
  NAMES_THIS_LINE(moveaxis(none, 0, 1));
  NAMES_THIS_LINE(expand_dims(none, 0));
  NAMES_THIS_LINE(broadcast_to(none, {2}));
  NAMES_THIS_LINE(broadcast_arrays({x, none}));
  NAMES_THIS_LINE(concatenate({x, none}));
  NAMES_THIS_LINE(stack({x, none}));
  NAMES_THIS_LINE(vstack({x, none}));
  NAMES_THIS_LINE(hstack({x, none}));
  NAMES_THIS_LINE(split(none, 2));
  NAMES_THIS_LINE(split(none, {1}));
  NAMES_THIS_LINE(tile(none, {2}));
  NAMES_THIS_LINE(repeat(none, 2));
  NAMES_THIS_LINE(roll(none, 1));
  NAMES_THIS_LINE(pad(none, {{1, 1}}));
  NAMES_THIS_LINE(pad(x, {{1, 1}, {1, 1}}, none));
  NAMES_THIS_LINE(full({2}, none));
  NAMES_THIS_LINE(meshgrid({x, none}));
  NAMES_THIS_LINE(einsum("ij,jk->ik", {x, none}));
  NAMES_THIS_LINE(interp(none, x, x));
  NAMES_THIS_LINE(interp(x, none, x));
  NAMES_THIS_LINE(segment_sum(none, x, 2));
  NAMES_THIS_LINE(segment_prod(x, none, 2));
  NAMES_THIS_LINE(segment_max(none, x, 2));
  NAMES_THIS_LINE(segment_min(x, none, 2));
  NAMES_THIS_LINE(one_hot(none, 3));
  NAMES_THIS_LINE(dot_product_attention(none, x, x));
  NAMES_THIS_LINE(linalg::matrix_power(none, 2));
  NAMES_THIS_LINE(none.at(0).get());
  NAMES_THIS_LINE(x.at(0).set(none));
  NAMES_THIS_LINE(x.at(none).get());
}

TEST(Lines, FunctionsOfWhatHoldsAnArray) {
  const Stat stat;
  NAMES_THIS_LINE(exp(stat));
  NAMES_THIS_LINE(x + stat);
  NAMES_THIS_LINE(stat + x);
  NAMES_THIS_LINE(clip(x, stat, 1));
  NAMES_THIS_LINE(lax::sin(stat));
  NAMES_THIS_LINE(matmul(x.at(0), none));
  NAMES_THIS_LINE(x.at(0) + zeros({7}));
}

TEST(Lines, NumbersThatDoNotFit) {
  NAMES_THIS_LINE(clip(bytes, 0, 300));
  NAMES_THIS_LINE(clip(bytes, -5, {}));
  NAMES_THIS_LINE(clip(zeros({2}, c64), 0, 1));
  NAMES_THIS_LINE(bytes + 300);
  NAMES_THIS_LINE(maximum(bytes, 300));
  NAMES_THIS_LINE(where(bytes > 0, bytes, 300));
  NAMES_THIS_LINE(full({2}, 300, u8));
  NAMES_THIS_LINE(full_like(bytes, 300));
  NAMES_THIS_LINE(pad(bytes, {{1, 1}}, 300));
  NAMES_THIS_LINE(bytes.at(0).set(300));
  NAMES_THIS_LINE(arange(300, 310, 1, s8));
  NAMES_THIS_LINE(arange(0, 4, 300, s8));
  NAMES_THIS_LINE(arange(0, 4, 0));
  NAMES_THIS_LINE(arange(1e300));
  NAMES_THIS_LINE(zeros({-1}));
  NAMES_THIS_LINE(ones({-1}));
  NAMES_THIS_LINE(eye(-1));
}

TEST(Lines, RandomNumbers) {
  const random::Key key = random::key(0), bad{x};
  NAMES_THIS_LINE(random::split(bad, 2));
  NAMES_THIS_LINE(random::split<2>(bad));
  NAMES_THIS_LINE(random::split_array(bad, {2}));
  NAMES_THIS_LINE(random::fold_in(bad, 1));
  NAMES_THIS_LINE(random::bits(bad, {2}));
  NAMES_THIS_LINE(random::uniform(bad, {2}));
  NAMES_THIS_LINE(random::normal(bad, {2}));
  NAMES_THIS_LINE(random::truncated_normal(bad, -1, 1, {2}));
  NAMES_THIS_LINE(random::exponential(bad, {2}));
  NAMES_THIS_LINE(random::gumbel(bad, {2}));
  NAMES_THIS_LINE(random::laplace(bad, {2}));
  NAMES_THIS_LINE(random::logistic(bad, {2}));
  NAMES_THIS_LINE(random::cauchy(bad, {2}));
  NAMES_THIS_LINE(random::gamma(bad, 1.0, {2}));
  NAMES_THIS_LINE(random::loggamma(bad, 1.0, {2}));
  NAMES_THIS_LINE(random::beta(bad, 1.0, 1.0, {2}));
  NAMES_THIS_LINE(random::dirichlet(bad, ones({3})));
  NAMES_THIS_LINE(random::orthogonal(bad, 2));
  NAMES_THIS_LINE(random::bernoulli(bad));
  NAMES_THIS_LINE(random::bernoulli(bad, 0.5, {2}));
  NAMES_THIS_LINE(random::rademacher(bad, {2}));
  NAMES_THIS_LINE(random::randint(bad, {2}, 0, 9));
  NAMES_THIS_LINE(random::poisson(bad, 1.0));
  NAMES_THIS_LINE(random::categorical(bad, x));
  NAMES_THIS_LINE(random::permutation(bad, 3));
  NAMES_THIS_LINE(random::permutation(bad, x));
  NAMES_THIS_LINE(random::choice(bad, 3, {2}));
  NAMES_THIS_LINE(random::choice(bad, x, {2}));
  NAMES_THIS_LINE(random::normal(key, {2}, s32));
  NAMES_THIS_LINE(initializers::he_normal()(bad, {2, 3}));
  NAMES_THIS_LINE(initializers::orthogonal()(key, {2}));
}

TEST(Lines, OfTransforms) {
  Array escaped;
  trace([&](const Array& y) { return escaped = lax::sin(y); }, x);
  NAMES_THIS_LINE(stop_gradient(escaped));
  // The equations that a function makes have the line too.
  constexpr int line = __LINE__ + 1;
  const std::string listing = jit([](const Array& y) { return stop_gradient(y); }).listing(x);
  EXPECT_NE(listing.find("lines_test.cc:" + std::to_string(line)), std::string::npos) << listing;
}

}  // namespace
}  // namespace baton
