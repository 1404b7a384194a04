// from_jax: every line of docs/from_jax.md, run. tools/check_docs.py compares the two; the numbers are tested
// elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "baton/baton.h"

namespace {

using namespace baton;

struct Model {
  Array weight;
  Stat mean;
};
struct Kept {
  Array out, residuals;
};

/// The values of the page, and silence for what prints.
struct FromJax : ::testing::Test {
  const Array x = reshape(arange(6.0), {2, 3}) / 3 - 0.7, y = x * 2 + 0.5,
              w = reshape(cos(arange(12)), {3, 4});
  const Array v = Array({0.5f, 1.f, 2.f}), b = ones({4}), t = reshape(sin(arange(24)), {2, 3, 4});
  const Array m = eye(3) * 2 + 0.25, s = Array(1.5f), k = Array(1),
              q = reshape(sin(arange(48)), {2, 4, 3, 2});
  const Array ids = Array({1, 0}), order = Array({2, 0, 1, 0, 1, 2}, {2, 3}), mask = x > 0;
  Array z = x, donated = x * 1;
  Model model = {x, {y}};

  FromJax() : before_(std::cout.rdbuf(text_.rdbuf())) {}
  ~FromJax() override { std::cout.rdbuf(before_); }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

Array f(const Array& a) { return sum(sin(a)); }
Array g(const Array& a, const Array& c) { return sum(a * c); }
Array h(const Array& a) { return a * a; }
Array forward(const Array& a) { return a * a; }
Kept keeping(const Array& a) { return {a * a, a}; }
Array backward(const Array& a, const Array& ct) { return clip(2 * a * ct, -1, 1); }

Array total(const Array& a) { return lax::psum(sum(a), "batch"); }
Array linear(const Array& a) { return a * 2; }
WithAux<Array> with_aux(const Array& a) { return {sum(a * a), a}; }
Array of_model(const Model& model) { return sum(model.weight * model.weight); }
Jvp<Array> rule(const std::tuple<Array>& x, const std::tuple<Array>& dx) {
  return {std::get<0>(x) * std::get<0>(x), 2 * std::get<0>(x) * std::get<0>(dx)};
}
struct Stepped {
  Model model;
  Array loss;
};
Stepped train(Model model, const Array& x) {
  model.weight = model.weight - 0.1 * x;
  return {model, sum(model.weight)};
}

// Static arguments.
Array raised(const Array& a, int n) { return power(a, n); }
Array scaled(const Array& a, const Array& rate) { return a * rate; }
Array relu_of(const Array& a) { return relu(a); }
Array apply(Array (*activation)(const Array&), const Array& a) { return activation(a) + 1; }

/// Results that are arrays are asked for, so that x.at(...) reads.
template <class T>
void keep(const T& value) {
  if constexpr (std::is_convertible_v<const T&, const Array&>) {
    const Array& array = value;
    EXPECT_FALSE(array.empty());
  }
}

TEST_F(FromJax, Arrays) {
  keep(Array({1.f, 2.f, 3.f}));
  keep(Array({1, 2, 3, 4}, {2, 2}));
  keep(Array(2.f));
  keep(x.shape());
  keep(x.dtype());
  keep(x.rank());
  keep(x.size());
  keep(x.dim(-1));
  keep(astype(x, bf16));
  keep(s.item());
  keep(x.read<float>());
  keep(zeros({2, 3}));
  keep(ones({3}));
  keep(full({2, 2}, 7.0));
  keep(zeros({2, 3}, s32));
  keep(zeros_like(x));
  keep(full_like(x, 2));
  keep(eye(3));
  keep(arange(5));
  keep(arange(2, 9, 3));
  keep(arange(4.0));
  keep(linspace(0, 1, 11));
  keep(meshgrid({v, v}, {.ij = true}));
}

TEST_F(FromJax, Elementwise) {
  keep(2 * x + y / v - 1);
  z += 1;
  keep(floor_divide(x, y));
  keep(remainder(x, y));
  keep(power(x, 3));
  keep(power(x, y));
  keep(x > 0);
  keep(x <= y);
  keep(equal(x, y));
  keep(not_equal(x, y));
  keep(logical_and(x > 0, logical_not(y > 0)));
  keep(maximum(x, 0));
  keep(minimum(x, y));
  keep(exp(x));
  keep(log1p(x));
  keep(sqrt(x));
  keep(tanh(x));
  keep(abs(x));
  keep(sign(x));
  keep(floor(x));
  keep(round(x, 2));
  keep(erf(x));
  keep(where(x > 0, x, 0));
  keep(clip(x, -1, 1));
  keep(clip(x, {}, 1));
  keep(isnan(x));
  keep(nan_to_num(x, {.nan = 1}));
  keep(allclose(x, y));
}

TEST_F(FromJax, Reductions) {
  keep(sum(x));
  keep(sum(x, 0));
  keep(sum(x, {0, -1}));
  keep(mean(x, -1, {.keepdims = true}));
  keep(sum(x, {}, {.where = mask}));
  keep(var(x, 0, {.ddof = 1}));
  keep(stddev(x));
  keep(max(x, 1));
  keep(min(x));
  keep(any(mask));
  keep(all(mask, 0));
  keep(argmax(x, 1));
  keep(argmin(x));
  keep(cumsum(x, 0));
  keep(diff(v));
  keep(segment_sum(x, ids, 4));
}

TEST_F(FromJax, Shapes) {
  keep(reshape(x, {3, -1}));
  keep(ravel(x));
  keep(transpose(x));
  keep(transpose(t, {1, 0, 2}));
  keep(swapaxes(t, 0, -1));
  keep(moveaxis(t, 0, 2));
  keep(expand_dims(x, 1));
  keep(squeeze(t));
  keep(broadcast_to(v, {2, 3}));
  keep(concatenate({x, y}, 1));
  keep(stack({x, y}));
  const Arrays parts = split(w, 2, 1);
  keep(tile(x, {2, 1}));
  keep(repeat(x, 2, 1));
  keep(flip(x, 0));
  keep(roll(x, 1, 1));
  keep(pad(x, {{1, 0}, {0, 2}}));
  keep(tril(m));
  keep(triu(m, 1));
  keep(diag(v));
}

TEST_F(FromJax, ProductsAndLinearAlgebra) {
  keep(matmul(x, w) + b);
  keep(dot(v, v));
  keep(outer(v, v));
  keep(vecdot(x, y));
  keep(tensordot(x, y, {.x = {0, 1}, .y = {0, 1}}));
  keep(einsum("ij,jk->ik", {x, w}));
  keep(einsum("...i->...", {t}));
  keep(linalg::norm(x));
  keep(linalg::norm(x, {}, 1));
  keep(linalg::solve(m, v));
  keep(linalg::inv(m));
  keep(linalg::det(m));
  keep(linalg::cholesky(m));
  keep(linalg::qr(m));
  keep(linalg::eigh(m));
  auto [sign_of_det, logdet] = linalg::slogdet(m);
  auto [u, singular, vt] = linalg::svd(x);
  keep(linalg::trace(m));
}

TEST_F(FromJax, Indexing) {
  keep(x.at(0));
  keep(x.at(-1));
  keep(x.at(0, 1));
  keep(x.at(all, range(1, {})));
  keep(x.at(all, range(-1)));
  keep(x.at(range({}, {}, 2)));
  keep(x.at(range({}, {}, -1)));
  keep(x.at(all, newaxis));
  keep(t.at(ellipsis, 0));
  keep(x.at(ids));
  keep(x.at(ids, 0));
  keep(t.at(all, ids, ids));
  keep(x.at(ids).get({.mode = IndexMode::fill, .fill_value = 0}));
  keep(x.at(0).set(v));
  keep(x.at(all, 1).add(2));
  keep(x.at(ids).mul(2));
  keep(x.at(ids).max(0));
  keep(x.at(ids).set(1, {.mode = IndexMode::clip, .unique_indices = true}));
  keep(take(x, ids, 0));
  keep(take_along_axis(x, order, 1));
  keep(sort(x, 0));
  keep(argsort(v, -1, {.descending = true}));
  keep(searchsorted(v, x));
  keep(interp(x, v, v));
}

TEST_F(FromJax, JaxNn) {
  keep(relu(x));
  keep(gelu(x));
  keep(gelu(x, {.approximate = false}));
  keep(silu(x));
  keep(sigmoid(x));
  keep(softplus(x));
  keep(leaky_relu(x, 0.2));
  keep(elu(x));
  keep(softmax(x));
  keep(log_softmax(x, 0));
  keep(logsumexp(x, 1, {.keepdims = true}));
  keep(one_hot(ids, 10));
  keep(standardize(x));
  keep(dot_product_attention(q, q, q, {.is_causal = true}));
}

TEST_F(FromJax, JaxLax) {
  keep(lax::add(x, y));
  keep(lax::mul(x, 2.0));
  keep(stop_gradient(x));
  keep(lax::dynamic_slice(v, {k}, {2}));
  keep(lax::top_k(v, 2));
  keep(scan([](Array c, Array a) { return Step{c + a, c}; }, s, v));
  keep(fori_loop(
      0, 5, [](Array, Array c) { return c * 2; }, s));
  keep(while_loop([](Array c) { return c < 100; }, [](Array c) { return c * 2; }, s));
  keep(cond(
      s > 0, [](Array a) { return a; }, [](Array a) { return -a; }, x));
  keep(vmap([](Array x) { return lax::psum(x, "batch"); }, {.axis_name = "batch"})(x));
  keep(switch_case(k, std::vector{forward, h}, x));
  const auto matvec = [this](const Array& a) { return matmul(m, a); };
  const auto solver = [this](const Array& b) { return linalg::solve(m, b); };
  keep(custom_linear_solve(matvec, v, solver, solver));
  keep(lax::cumsum(x, 1));
  keep(lax::cumlogsumexp(x));
  keep(lax::sort({v, v}));
  keep(lax::reduce_window_sum(x, {.dimensions = {1, 2}}));
  const Array kernel = ones({5, 4, 3, 3});
  keep(lax::conv_general_dilated(q, kernel, {.padding = {{1, 1}, {1, 1}}}));
  keep(lax::triangular_solve(m, w, {.lower = true}));
  keep(lax::fft(v, lax::FftType::rfft, {3}));
  keep(lax::lgamma(y));
  keep(lax::population_count(ids));
  keep(lax::nextafter(x, y));
}

TEST_F(FromJax, Transforms) {
  keep(jit(f)(x));
  keep(grad(f)(x));
  auto [loss_of_x, aux, slope_of_x] = value_and_grad(with_aux)(x);
  keep(grad(of_model, {.trainable = {"weight"}})(model));
  keep(grad<1>(g)(x, y));
  auto [value, slope] = value_and_grad(f)(x);
  auto [out, pullback] = vjp(g, x, y);
  keep(jvp(f, x, y));
  keep(vmap(f)(x));
  keep(vmap(g, {.in = {axis(0), whole}})(x, v));
  keep(vmap(h, {.in = {axis(1)}, .out = axis(-1)})(x));
  keep(vmap(total, {.out = whole, .axis_name = "batch"})(x));
  keep(jacfwd(h)(v));
  keep(jacrev(h)(v));
  keep(hessian(f)(v));
  keep(checkpoint(f, {.save = save::dots}));
  for (const SavePolicy& policy : {save::everything, save::dots_with_no_batch_dims})
    keep(checkpoint(f, {.save = policy}));
  keep(checkpoint(f, {.save = save::names({"hidden"})}));
  keep(lax::checkpoint_name(x, "hidden"));
  keep(vjp(f, x).pullback.residuals());
  keep(linearize(f, x));
  keep(linear_transpose(linear, x));
  keep(custom_jvp(h, rule));
  keep(eval_shape(f, x));
  keep(trace(f, x));
  keep(custom_vjp(forward, keeping, backward));
}

TEST_F(FromJax, StaticArguments) {
  keep(jit(raised)(x, 3));
  keep(jit(scaled)(x, 0.1f));
  keep(jit([](const Array& a) { return apply(relu_of, a); })(x));
  struct Attention {
    Array weight;
    int heads = 2;
  };
  const auto split_heads = jit([](const Attention& a) { return reshape(a.weight, {a.heads, -1}); });
  const Attention two{x}, three{x, 3};
  EXPECT_EQ(split_heads(two).shape(), (Shape{2, 3}));
  EXPECT_EQ(split_heads(three).shape(), (Shape{3, 2}));
  clear_caches();
}

/// What the page says of static arguments: traces are counted.
TEST(FromJaxLaws, NumbersAreStaticAndArraysAreNot) {
  const Array x({1.f, 2.f});
  const auto traces = [before = counters().traces] { return counters().traces - before; };
  const auto raise = jit(raised);
  for (int n : {2, 3, 2, 3}) raise(x, n);
  EXPECT_EQ(traces(), 2);
  const auto scale = jit(scaled);
  for (float rate : {0.1f, 0.2f, 0.3f}) scale(x, rate);
  EXPECT_EQ(traces(), 3);
  int captured = 2;
  const auto reads = jit([&captured](const Array& a) { return a * captured; });
  reads(x);
  captured = 5;  // not seen
  EXPECT_EQ(reads(x).read<float>()[0], 2.f);
  EXPECT_EQ(traces(), 4);
}

TEST_F(FromJax, Donation) {
  Array first = x * 1, second = x * 2;
  keep(jit(f)(std::move(donated)));
  keep(jit(g)(std::move(first), std::move(second)));
  EXPECT_TRUE(donated.empty() && first.empty() && second.empty());
  auto step = jit(train);
  Model state = clone(model), published = clone(model);
  const Array loss = step.update(state, x);
  keep(step.donation().text());
  copy_into(published, model);
}

TEST_F(FromJax, Trees) {
  const Model gradient = model;
  const Arrays fresh = {y, x};
  Array norm(0.f);
  keep(tree_map([](Array a) { return a * 2; }, model));
  keep(tree_map([](Array p, Array g) { return p - 0.1 * g; }, model, gradient));
  keep(tree_map([](Array a) { return zeros_like(a); }, model));
  keep(leaves(model));
  for (const Array& a : leaves(model)) norm += sum(a * a);
  EXPECT_EQ(leaf_paths(model), (std::vector<std::string>{"weight", "mean"}));
  EXPECT_TRUE(allclose(with_leaves(model, fresh).weight, y).item<bool>());
  keep(clone(model));
  auto [flat, unravel] = ravel(model);
  EXPECT_EQ(unravel(flat).weight.shape(), x.shape());
  EXPECT_GT(norm.item(), 0.f);
}

TEST_F(FromJax, Printing) {
  const auto on_host = [](std::span<const HostArray> in, std::span<const HostArray> out) {
    std::ranges::copy(in[0].as<float>(), out[0].as<float>().begin());
  };
  const NameScope scope("block");
  std::cout << x;
  keep(show(x));
  EXPECT_EQ(show(x.type()), "f32[2,3]");
  std::cout << trace(f, x);
  keep(trace(f, abstract({f32, {2, 3}})));
  keep(jit(f).listing(x));
  keep(host_function(on_host, {x.type()}, {x})[0]);
}

/// host_print prints whenever the Program runs; std::cout once, a type.
TEST(FromJaxLaws, WhatPrintsWhen) {
  const auto watched = [](const Array& a) {
    std::cout << "tracing " << a << std::endl;
    return sin(host_print(a, "a"));
  };
  testing::internal::CaptureStdout();
  const auto run = jit(watched);
  run(Array(1.f));
  run(Array(2.f));
  grad(watched)(Array(3.f));
  vmap(watched)(Array({4.f, 5.f}));
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), R"(tracing traced f32[]
a: 1.0
a: 2.0
tracing traced f32[]
a: 3.0
tracing traced f32[]
a: 4.0
a: 5.0
)");
}

TEST_F(FromJax, RandomNumbers) {
  const random::Key key = random::key(0);
  auto [key_a, key_b] = random::split<2>(key);
  keep(random::fold_in(key, 7));
  keep(random::normal(key, {2, 3}));
  keep(random::uniform(key, {3}, f32, -1.0, 1.0));
  keep(random::bernoulli(key, 0.9, {2, 3}));
  keep(random::truncated_normal(key, -2.0, 2.0, {3}));
  keep(random::gumbel(key, {3}));
  keep(random::exponential(key, {3}));
  keep(random::choice(key, 5, {3}, {.replace = false}));
  keep(random::choice(key, v, {2}));
  keep(random::bits(key, {3}, u32));
  keep(random::randint(key, {4}, 0, 10));
  keep(random::permutation(key, 8));
  keep(random::categorical(key, x));
  keep(initializers::he_normal()(key, {784, 128}));
}

}  // namespace
