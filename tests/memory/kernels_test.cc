// kernels: a function of each kind of kernel that has run before takes nothing of the allocator, whatever
// libraries it calls, and its first run no more than its Plan says.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "baton/random.h"
#include "engines/cpu/blas.h"
#include "memory/checks.h"
#include "on_cpu.h"

namespace baton {
namespace {

struct Kind {
  const char* name;
  Shape shape;  // of x, between -1 and 1
  Array (*f)(const Array& x);
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

Array total(const Array& x) { return sum(astype(x, f32)); }

/// Symmetric, with eigenvalues apart from each other and above 0.
Array positive(const Array& x) {
  const int n = static_cast<int>(x.dim(-1));
  return matmul(x, swapaxes(x, -1, -2)) + eye(n) * (1.f + astype(arange(n), f32));
}
Array rows_of(const Array& x) { return remainder(arange(x.dim(0)) * 7, static_cast<int>(x.dim(0))); }

Array scan_of(const Array& x) {
  const Array first = x.at(0);
  const auto [last, all] = scan(
      [](const Array& c, const Array& row) {
        const Array next = tanh(c * 0.5f + row);
        return Step{next, sum(c)};
      },
      first, x);
  return total(last) + total(all);
}
Array while_of(const Array& x) {
  return total(while_loop([](const Array& c) { return sum(abs(c)) < 1e4f; },
                          [x](const Array& c) { return c * 1.5f + abs(x); }, x));
}
Array cond_of(const Array& x) {
  const auto sorted = [](const Array& v) { return sort(v, 0); };
  const auto summed = [](const Array& v) { return cumsum(v, 0); };
  return total(cond(x.at(0, 0) > 0.f, sorted, summed, x)) + total(cond(x.at(0, 0) > 0.f, summed, sorted, x));
}
Array branches_of(const Array& x) {
  using Branch = Array (*)(const Array&);
  const std::vector<Branch> branches = {[](const Array& v) { return sin(v); },
                                        [](const Array& v) { return matmul(v, v); },
                                        [](const Array& v) { return lax::rev(v, {0}); }};
  Array all = total(switch_case(0, branches, x));
  for (int i = 1; i < 3; ++i) all = all + total(switch_case(i, branches, all + x));
  return all;
}
Array loop_of_loops(const Array& x) {
  return total(fori_loop(
      0, 3, [](const Array&, const Array& c) { return c + scan_of(c) * 0.01f; }, x));
}
Array sort_of(const Array& x) {
  const Arrays pairs = lax::sort({x, lax::iota({s32, x.shape()}, 0)}, {.dimension = 0});
  return total(pairs[0].at(range(0, 3))) + total(pairs[1]);
}
Array sort_by_of(const Array& x) {
  const Program falling = Program::parse("{ a:f32[], b:f32[] ->\n c:bool[] = gt a b\n return c }");
  return total(lax::sort_by({x}, falling, 0, true)[0].at(range(0, 3)));
}
Array top_k_of(const Array& x) {
  const auto [values, indices] = lax::top_k(x, 5);
  return total(values) + total(indices);
}
Array fft_of(const Array& x) {
  const Array z = lax::complex(x, lax::rev(x, {0}));
  const Array there = lax::fft(z, lax::FftType::fft, {x.dim(-1)});
  const Array half = lax::fft(x, lax::FftType::rfft, {x.dim(-1)});
  return total(lax::real(lax::fft(there, lax::FftType::ifft, {x.dim(-1)}))) +
         total(lax::fft(half, lax::FftType::irfft, {x.dim(-1)}));
}
Array cholesky_of(const Array& x) {
  const Array l = lax::cholesky(positive(x));
  return total(lax::triangular_solve(l, x, {.lower = true}));
}
Array eigh_of(const Array& x) {
  const lax::Eigh e = lax::eigh(positive(x));
  return total(e.values) + total(e.vectors);
}
Array qr_of(const Array& x) {
  const auto [q, r] = lax::qr(x);
  return total(q) + total(r);
}
Array svd_of(const Array& x) {
  const lax::Svd s = lax::svd(x);
  return total(s.u) + total(s.s) + total(s.vt);
}
Array lu_of(const Array& x) {
  const lax::Lu l = lax::lu(x);
  return total(l.lu) + total(l.pivots);
}
Array scatter_of(const Array& x) {
  const Array rows = rows_of(x);
  return total(x.at(rows).add(x).at(rows).set(sin(x)).at(rows).max(x));
}
Array slices_of(const Array& x) {
  Array y = lax::dynamic_update_slice(x, x.at(range(0, 2)) * 2.f, {Array(3), Array(0)});
  return total(y.at(rows_of(x)) * x) + total(lax::dynamic_slice(y, {Array(1), Array(1)}, {2, 2}));
}
Array cumulative_of(const Array& x) {
  return total(lax::cumsum(x, 0)) + total(lax::cumprod(x, 1)) + total(lax::cummax(x, 0, true)) +
         total(lax::cumlogsumexp(x, 1));
}
Array convolution_of(const Array& x) {
  const auto loss = [](const Array& image) {
    return total(
        square(lax::conv_general_dilated(image, image.at(range(0, 2)), {.padding = {{1, 1}, {2, 0}}})));
  };
  return loss(x) + total(grad(loss)(x));
}
Array windows_of(const Array& x) {
  const auto loss = [](const Array& v) {
    return total(lax::reduce_window_max(v, {.dimensions = {2, 3}, .strides = {2, 1}}));
  };
  return loss(x) + total(grad(loss)(x)) + total(lax::reduce_window_sum(x, {.dimensions = {3, 3}}));
}
Array products_of(const Array& x) {
  const Array halves = astype(x, bf16);
  return total(matmul(x, x)) + total(matmul(halves, halves)) + total(matmul(astype(x, s32), astype(x, s32)));
}
Array combined_of(const Array& x) {
  const Program larger = Program::parse("{ a:f32[], b:f32[] ->\n c:f32[] = max a b\n return c }");
  return total(lax::reduce({x}, {Array(-9.f)}, larger, {1})[0]);
}
Array drawn_of(const Array& x) {
  return total(random::normal(random::key(1), x.shape()) * x) + total(random::permutation(random::key(2), x));
}

const Kind kinds[] = {{"scan", {40, 64}, scan_of},
                      {"while", {300}, while_of},
                      {"cond", {200, 50}, cond_of},
                      {"branches", {160, 160}, branches_of},
                      {"loop_of_loops", {30, 20}, loop_of_loops},
                      {"sort", {20000}, sort_of},
                      {"sort_by", {3000}, sort_by_of},
                      {"top_k", {50, 1000}, top_k_of},
                      {"fft_of_1024", {8, 1024}, fft_of},
                      {"fft_of_1000", {8, 1000}, fft_of},
                      {"fft_of_a_prime", {8, 997}, fft_of},
                      {"cholesky", {2, 96, 96}, cholesky_of},
                      {"eigh", {2, 96, 96}, eigh_of},
                      {"qr", {2, 96, 64}, qr_of},
                      {"svd", {2, 96, 64}, svd_of},
                      {"lu", {2, 96, 96}, lu_of},
                      {"scatter", {300, 40}, scatter_of},
                      {"slices", {300, 40}, slices_of},
                      {"cumulative", {300, 40}, cumulative_of},
                      {"convolution", {4, 3, 12, 14}, convolution_of},
                      {"windows", {60, 70}, windows_of},
                      {"products", {160, 160}, products_of},
                      {"combined", {300, 40}, combined_of},
                      {"drawn", {300, 40}, drawn_of}};

class Kernels : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (!testing::counts_allocations()) GTEST_SKIP() << "a sanitizer has its own allocator";
    set_default_engine(Engine::cpu);
    cpu::blas();  // which is opened once in a process
  }
  void TearDown() override { set_default_engine(before_); }

 private:
  const Engine before_ = default_engine();
};
INSTANTIATE_TEST_SUITE_P(Of, Kernels, ::testing::ValuesIn(kinds),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(Kernels, AllocateNothingAndTakeWhatTheirPlanSays) {
  const Array x = random::uniform(random::key(7), GetParam().shape) * 2.f - 1.f;
  for (int threads : {1, 2}) {
    const auto f = jit(GetParam().f, {.threads = threads});
    const PlanReport plan = f.plan(x);
    EXPECT_EQ(plan.evaluated, std::vector<std::string>());
    EXPECT_EQ(testing::beyond_plan(plan, [&] { f(x); }), "") << threads << " threads";
    Array y;
    for (int i = 0; i < 30; ++i) y = f(x);  // until all threads have come by
    EXPECT_EQ(testing::taken_when_steady([&] { y = f(x); }, 100), "") << threads << " threads";
    EXPECT_TRUE(isfinite(y).item<bool>());
  }
}

}  // namespace
}  // namespace baton
