// foreign: a user's program: computes, and catches an exception that libbaton throws.
#include <baton/error.h>
#include <baton/lax.h>

#include <iostream>

int main() {
  namespace lax = baton::lax;
  const baton::Array x({1.f, 2.f, 3.f});
  const float sum = lax::reduce_sum(lax::mul(x, 2.0), {0}).item<float>();
  if (sum != 12.f) {
    std::cerr << "2 * (1 + 2 + 3) is 12, found " << sum << '\n';
    return 1;
  }
  try {
    lax::add(x, baton::Array({1.f, 2.f}));
  } catch (const baton::UsageError& error) {
    std::cout << "caught, as it must be:\n" << error.what() << '\n';
    return 0;
  }
  std::cerr << "adding f32[3] and f32[2] threw no UsageError\n";
  return 1;
}
