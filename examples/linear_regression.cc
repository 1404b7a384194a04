// linear_regression: fits a line to noisy points by gradient descent; the state is updated in its own memory.
#include <cmath>
#include <iostream>

#include "baton/baton.h"
#include "baton/random.h"

using baton::Array;

struct Line {
  Array slope, offset;
};

Array predict(const Line& line, const Array& x) { return line.slope * x + line.offset; }

Array mean_squared_error(const Line& line, const Array& x, const Array& y) {
  return baton::mean(baton::square(predict(line, x) - y));
}

std::pair<Line, Array> step(const Line& line, const Array& x, const Array& y) {
  const auto [loss, gradient] = baton::value_and_grad(mean_squared_error)(line, x, y);
  const auto descend = [](const Array& p, const Array& g) { return p - 0.1 * g; };
  return {baton::tree_map(descend, line, gradient), loss};
}

int main() {
  const auto [points, noise] = baton::random::split<2>(baton::random::key(0));
  const Array x = baton::random::uniform(points, {100}, baton::f32, -1.0, 1.0);
  const Array y = 3.0 * x + 2.0 + 0.01 * baton::random::normal(noise, {100});
  Line line{Array(0.f), Array(0.f)};
  const auto train = baton::jit(step);
  for (int i = 0; i < 300; ++i) {
    const Array loss = train.update(line, x, y);
    if (i % 100 == 0) std::cout << "step " << i << "  loss " << loss << "\n";
  }
  std::cout << "y = " << line.slope << " x + " << line.offset << "\n" << train.donation().text();
  return std::abs(line.slope.item() - 3) < 0.05 && std::abs(line.offset.item() - 2) < 0.05 ? 0 : 1;
}
