#pragma once
// optimizers: a training step of Adam and of gradient descent, for any model that has a loss.
#include "models.h"

namespace bench {

template <class State>
struct Out {
  State state;
  Array loss;
};

template <class Model>
Array loss(const Model& model, const Batch& batch) {
  return model.loss(batch);
}

template <class Model>
struct Sgd {
  Model model;
  static Sgd init(Model model) { return {std::move(model)}; }
};

template <class Model>
Out<Sgd<Model>> step(Sgd<Model> s, const Batch& batch, double rate) {
  const auto [value, grad] = value_and_grad(loss<Model>)(s.model, batch);
  s.model = tree_map([&](Array w, Array g) { return w - rate * g; }, s.model, grad);
  return {s, value};
}

/// Kingma and Ba, 2015, algorithm 1.
template <class Model>
struct Adam {
  Model model;
  Model mean, square;  // running averages of the gradient and of its square
  Array count;
  static Adam init(Model model) {
    const auto zeros_of = [](Array a) { return zeros_like(a); };
    Model mean = tree_map(zeros_of, model), square = tree_map(zeros_of, model);
    // A copy of the model would share its memory, which could not be donated.
    return {std::move(model), std::move(mean), std::move(square), Array(0)};
  }
};

template <class Model>
Out<Adam<Model>> step(Adam<Model> s, const Batch& batch, double rate) {
  constexpr double b1 = 0.9, b2 = 0.999, epsilon = 1e-8;
  const auto [value, grad] = value_and_grad(loss<Model>)(s.model, batch);
  s.count = s.count + 1;
  const Array t = astype(s.count, f32), c1 = 1 - power(b1, t), c2 = 1 - power(b2, t);
  s.mean = tree_map([&](Array m, Array g) { return b1 * m + (1 - b1) * g; }, s.mean, grad);
  s.square = tree_map([&](Array v, Array g) { return b2 * v + (1 - b2) * g * g; }, s.square, grad);
  s.model =
      tree_map([&](Array w, Array m, Array v) { return w - rate * (m / c1) / (sqrt(v / c2) + epsilon); },
               s.model, s.mean, s.square);
  return {s, value};
}

}  // namespace bench
