// foreign: a user's program: computes, also with what lies beside libbaton, and catches an exception that
// libbaton throws.
#include <baton/engine.h>
#include <baton/error.h>
#include <baton/jit.h>
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
  baton::set_default_engine(baton::Engine::cpu);
  const auto square = baton::jit([](const baton::Array& a) {
    return lax::dot_general(a, a, {.lhs_contract = {1}, .rhs_contract = {0}});
  });
  const baton::Array twos = lax::full({300, 300}, 2.f);
  const float last = lax::real(square(lax::complex(twos, lax::mul(twos, 0.f)))).read<float>().vector().back();
  if (last != 1200.f) {
    std::cerr << "300 * 2 * 2 is 1200, found " << last << '\n';
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
