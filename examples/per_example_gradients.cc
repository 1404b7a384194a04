// per_example_gradients: vmap of grad gives the gradient of every example in one call, here for its norm; and
// a function with a derivative of its own: custom_vjp clips the gradient that flows through it.
#include <cmath>
#include <iostream>

#include "baton/baton.h"

using baton::Array;

Array loss(const Array& w, const Array& x, const Array& y) { return baton::square(baton::sum(w * x) - y); }

struct Forward {
  Array out;
  baton::Nothing residuals;
};

int main() {
  const Array w({1.f, 2.f}), x({1.f, 0.f, 0.f, 1.f, 1.f, 1.f}, {3, 2}), y({0.f, 0.f, 0.f});
  const auto gradients =
      baton::vmap([](const Array& a, const Array& b, const Array& c) { return baton::grad(loss)(a, b, c); },
                  {.in = {baton::whole, baton::axis(0), baton::axis(0)}});
  const Array g = gradients(w, x, y);
  const Array norms = baton::linalg::norm(g, {}, 1);
  std::cout << "gradients of each example\n" << g << "\nnorms " << norms << "\n";

  const auto clip =
      baton::custom_vjp([](const Array& v) { return v; },
                        [](const Array& v) {
                          return Forward{v, {}};
                        },
                        [](const baton::Nothing&, const Array& ct) { return baton::clip(ct, -1.0, 1.0); });
  const Array clipped = baton::grad([clip](const Array& v) { return 10.0 * clip(v); })(Array(1.f));
  std::cout << "clipped gradient " << clipped << "\n";
  return norms.read<float>()[1] == 4.f && clipped.item() == 1.f ? 0 : 1;
}
