// Equations that transforms make keep the line and the scope of the equation they come from.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "error_of.h"

namespace baton {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}
std::string here(int line) { return "origin_test.cc:" + std::to_string(line); }

constexpr int wave_line = __LINE__ + 4;
struct Wave {
  Array operator()(const Array& x) const {
    const NameScope scope("wave");
    return lax::reduce_sum(lax::sin(lax::sin(x)), {0});
  }
};

TEST(Origin, GradientsNameTheLinesOfTheFunction) {
  const auto step = jit(value_and_grad(Wave{}));
  const std::string text = step.listing(Array({1.f, 2.f}));
  EXPECT_EQ(count(text, "cos"), 2u) << text;
  EXPECT_GE(count(text, here(wave_line) + " wave\n"), 6u) << text;  // sin, sin, sum, cos, cos and products
}

TEST(Origin, BodiesOfLoopsAndTransformsNestedDeeply) {
  constexpr int body_line = __LINE__ + 3;
  const auto loop = [](const Array& x) {
    return fori_loop(
        0, 3, [](const Array&, const Array& c) { return lax::tanh(c); }, x);
  };
  EXPECT_EQ(count(jit(loop).listing(Array(1.f)), here(body_line)), 1u) << jit(loop).listing(Array(1.f));
  const auto deep = jit(vmap(grad(checkpoint(loop))));
  EXPECT_GE(count(deep.listing(Array({1.f, 2.f})), here(body_line)), 3u) << deep.listing(Array({1.f, 2.f}));
}

TEST(Origin, ErrorsOfTransformsNameTheOperation) {
  constexpr int line = __LINE__ + 2;
  const auto f = [](const Array& x) {
    return while_loop([](const Array& c) { return lax::lt(c, 9.f); },
                      [](const Array& c) { return lax::mul(c, 2.f); }, x);
  };
  constexpr int call = __LINE__ + 1;
  const std::string error = error_of([&] { grad(f)(Array(1.f)); });
  EXPECT_EQ(error, "while: reverse mode is not possible through this operation.\n  called at " + here(call) +
                       ", for the operation at " + here(line) +
                       "\n  Give while_loop a bound with {.max_steps = n}, or use scan or fori_loop; in a "
                       "program of a file, a loop of fixed length.");
}

TEST(Origin, ALinearTransposeOfWhatIsNotLinear) {
  constexpr int line = __LINE__ + 1;
  const auto square = [](const Array& x) { return lax::mul(x, x); };
  EXPECT_EQ(
      error_of([&] { linear_transpose(square, Array(1.f)); }),
      "linear_transpose: the function must be linear in its argument; the derivative of the operation at " +
          here(line) + " depends on the argument's value.\n  called at " + here(line + 1) +
          "\n  Use vjp for the derivative of a function at a point.");
  EXPECT_NE(error_of([&] { linear_transpose([](const Array& x) { return lax::sin(x); }, Array(1.f)); }),
            "no error");
  const auto scaled = linear_transpose([](const Array& x) { return lax::mul(x, 3.f); }, Array(1.f));
  EXPECT_EQ(scaled(Array(2.f)).item(), 6.f);
}

TEST(Partial, LongChainsAreComputedAgain) {  // not by recursion: the stack has an end
  const auto chain = checkpoint([](const Array& x, const Array& y) {
    Array z = y;
    for (int i = 0; i < 100'000; ++i) z = lax::bitwise_not(z);
    return lax::mul(x, lax::mul(x, lax::convert_element_type(z, f32)));
  });
  EXPECT_EQ(grad(chain)(Array(3.f), Array(5)).item(), 30.f);
}

}  // namespace
}  // namespace baton
