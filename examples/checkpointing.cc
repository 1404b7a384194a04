// checkpointing: a row of layers whose activations are computed again in the backward pass. The gradients are
// equal to the last bit, as long as no weight is used in two of them; what is held between the two passes is
// not.
#include <iostream>

#include "baton/baton.h"

namespace lax = baton::lax;
using baton::Array;

constexpr int layer_count = 8;

Array layer(const Array& w, const Array& x) {
  return lax::tanh(lax::dot_general(x, w, {.lhs_contract = {1}, .rhs_contract = {0}}));
}
Array loss(const std::vector<Array>& weights, const Array& x, const bool recompute) {
  const auto kept = baton::checkpoint(layer);
  Array h = x;
  for (const Array& w : weights) h = recompute ? kept(w, h) : layer(w, h);
  return lax::reduce_sum(lax::mul(h, h), {0, 1});
}

int main() {
  std::vector<Array> weights;
  for (int i = 0; i < layer_count; ++i)
    weights.push_back(lax::sin(lax::reshape(lax::iota({baton::f32, {64}}, 0), {8, 8})));
  const Array x = lax::full({1024, 8}, 0.5f);
  std::int64_t held[2];
  std::vector<Array> gradients[2];
  for (const bool recompute : {false, true}) {
    const std::int64_t before = baton::counters().live_bytes;
    const auto [value, pullback] =
        baton::vjp([x, recompute](const std::vector<Array>& w) { return loss(w, x, recompute); }, weights);
    held[recompute] = baton::counters().live_bytes - before;
    gradients[recompute] = pullback(Array(1.f));
    std::cout << (recompute ? "recomputed: " : "kept:       ") << held[recompute] << " bytes held\n";
  }
  for (int i = 0; i < layer_count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (gradients[0][at].read<float>().vector() != gradients[1][at].read<float>().vector()) return 1;
  }
  return held[1] < held[0] ? 0 : 1;
}
