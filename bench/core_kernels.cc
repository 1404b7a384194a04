// core_kernels: one operation over much memory, and matrix products.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "bare_blas.h"
#include "baselines.h"
#include "baton/baton.h"
#include "core.h"
#include "models.h"

namespace bench {
namespace {

using namespace baton;

Array random_array(const Shape& shape) { return random::normal(random::key(0), shape); }

struct Moments {
  Array weights, mean, square, count;
};

Moments adam(Moments s, const Array& g) {
  constexpr double rate = 1e-3, b1 = 0.9, b2 = 0.999, epsilon = 1e-8;
  s.count = s.count + 1;
  const Array t = astype(s.count, f32), c1 = 1 - power(b1, t), c2 = 1 - power(b2, t);
  s.mean = b1 * s.mean + (1 - b1) * g;
  s.square = b2 * s.square + (1 - b2) * g * g;
  s.weights = s.weights - rate * (s.mean / c1) / (sqrt(s.square / c2) + epsilon);
  return s;
}

/// y = f(x) in the memory of the old y, beside a copy of x to y.
template <class F>
void beside_memcpy(const std::string& workload, F f, const Array& x, const Effort& effort) {
  const auto compiled = jit([f](const Array&, const Array& in) { return f(in); });
  Array y = zeros_like(x);
  std::vector<char> copy(x.type().bytes());
  const double gigabytes = 1e-9 * 2 * static_cast<double>(copy.size());
  contest(workload,
          {{"baton", [&] { compiled.update(y, x); }},
           {"memcpy", [&] { by_hand::copy(copy.data(), x.data(), copy.size(), effort.threads); }}},
          effort.seconds, {gigabytes, "GB"});
}

}  // namespace

void measure_adam(const Effort& effort) {
  const std::int64_t count = 10'000'000;
  const auto n = static_cast<std::size_t>(count);
  const auto compiled = jit(adam, {.name = "adam"});
  Moments state = {zeros({count}), zeros({count}), zeros({count}), Array(0)};
  const Array gradient = full({count}, 0.01f);
  std::vector<float> weights(n), mean(n), square(n), g(n, 0.01f);
  float t = 0;
  const auto loop = [&] {
    ++t;
    by_hand::adam(weights.data(), mean.data(), square.data(), g.data(), n,
                  {.rate = 1e-3f,
                   .b1 = 0.9f,
                   .b2 = 0.999f,
                   .epsilon = 1e-8f,
                   .c1 = 1 - std::pow(0.9f, t),
                   .c2 = 1 - std::pow(0.999f, t)});
  };
  const double gigabytes = 1e-9 * 7 * 4 * static_cast<double>(count);  // four arrays are read, three written
  contest("adam f32[10000000]", {{"baton", [&] { compiled.update(state, gradient); }}, {"loop", loop}},
          effort.seconds, {gigabytes, "GB"});
}

void measure_softmax(const Effort& effort) {
  beside_memcpy(
      "softmax f32[4096,1024]", [](const Array& x) { return softmax(x); }, random_array({4096, 1024}),
      effort);
}

void measure_layer_norm(const Effort& effort) {
  beside_memcpy("layer norm f32[4096,1024]", LayerNorm{ones({1024}), zeros({1024})},
                random_array({4096, 1024}), effort);
}

void measure_matmul(const Effort& effort) {
  const auto product = jit([](const Array&, const Array& a, const Array& b) { return matmul(a, b); });
  double last = 0;  // seconds of the product before, of half the size
  for (const std::int64_t n : {64, 256, 512, 1024, 2048}) {
    const std::string workload = "matmul " + show(Type{f32, {n, n}});
    if (8 * last > 10 * effort.seconds + 1) {
      std::fprintf(stderr, "bench_core: %s would take too long.\n", workload.c_str());
      break;
    }
    const Array a = random_array({n, n}), b = random_array({n, n});
    Array c = zeros({n, n});
    const double flop = 2.0 * static_cast<double>(n * n * n);
    std::vector<float> bare(static_cast<std::size_t>(n * n));
    const auto sgemm = [&] {
      bare_sgemm(static_cast<int>(n), a.read<float>().data(), b.read<float>().data(), bare.data());
    };
    last = contest(workload, {{"baton", [&] { product.update(c, a, b); }}, {"openblas", sgemm}},
                   effort.seconds, {1e-9 * flop, "GFLOP"});
  }
}

}  // namespace bench
