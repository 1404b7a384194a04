// circle: a network learns which points lie in a circle. docs/from_jax.md shows the same program in JAX.
#include <baton/baton.h>

#include <iostream>

using namespace baton;

struct Dense {
  Array weight, bias;
  Array operator()(const Array& x) const { return matmul(x, weight) + bias; }
};

struct Model {
  Dense hidden, out;
  Array operator()(const Array& x) const { return out(tanh(hidden(x))); }
};

struct State {
  Model model, momentum;
};

Dense dense(const random::Key& key, int inputs, int outputs) {
  return {initializers::glorot_uniform()(key, {inputs, outputs}), zeros({outputs})};
}

State init(const random::Key& key) {
  const auto [first, second] = random::split<2>(key);
  const Model model = {dense(first, 2, 16), dense(second, 16, 1)};
  return {model, tree_map([](Array a) { return zeros_like(a); }, model)};
}

Array loss(const Model& model, const Array& x, const Array& y) {
  const Array logit = model(x);
  return mean(softplus(logit) - y * logit);
}

std::pair<State, Array> train(const State& state, const Array& x, const Array& y) {
  const auto [value, gradient] = value_and_grad(loss)(state.model, x, y);
  const Model momentum = tree_map([](Array m, Array g) { return 0.9 * m + g; }, state.momentum, gradient);
  const Model model = tree_map([](Array p, Array m) { return p - 0.1 * m; }, state.model, momentum);
  return {{model, momentum}, value};
}

Array accuracy(const Model& model, const Array& x, const Array& y) {
  return mean(equal(model(x) > 0, y > 0));
}

int main() {
  const auto [weights, points] = random::split<2>(random::key(0));
  const Array x = random::uniform(points, {256, 2}, f32, -1.0, 1.0);
  const Array y = astype(sum(x * x, 1, {.keepdims = true}) < 0.5, f32);
  State state = init(weights);
  const auto step = jit(train);
  for (int i = 0; i <= 300; ++i) {
    const Array value = step.update(state, x, y);
    if (i % 100 == 0) std::cout << "step " << i << " loss " << value << "\n";
  }
  std::cout << "accuracy " << jit(accuracy)(state.model, x, y) << "\n";
}
