// Rules that no row of the generated tests reaches.
#include <gtest/gtest.h>

#include "baton/baton.h"

namespace baton {
namespace {

struct Kept {
  Array out, residuals;
};

TEST(Rules, ACustomVjpThatIsNotDifferentiatedIsItsFunction) {
  const auto f = custom_vjp([](const Array& x) { return lax::mul(x, 3.f); },
                            [](const Array& x) {
                              return Kept{lax::mul(x, 3.f), x};
                            },
                            [](const Array&, const Array& ct) { return lax::mul(ct, 7.f); });
  EXPECT_EQ(f(Array(2.f)).item(), 6.f);
  EXPECT_EQ(jit(f)(Array(2.f)).item(), 6.f);
  EXPECT_EQ(grad(f)(Array(2.f)).item(), 7.f);
}

TEST(Rules, LinearizingAWhileLoopKeepsItsValues) {
  const auto f = [](const Array& x) {
    const Array y = lax::sin(x);  // known, and the loop of known values as well
    return while_loop([](const Array& c) { return lax::lt(c, 10.f); },
                      [](const Array& c) { return lax::mul(c, c); }, lax::add(y, 1.5f));
  };
  const auto [out, linear] = linearize(f, Array(0.f));
  EXPECT_FLOAT_EQ(out.item(), 25.62890625f);                    // ((1.5^2)^2)^2
  EXPECT_FLOAT_EQ(linear(Array(1.f)).item(), 8 * 17.0859375f);  // 8 c^7
}

TEST(Rules, ANameIsTransposed) {
  const auto named =
      linear_transpose([](const Array& x) { return lax::checkpoint_name(x, "name"); }, Array(1.f));
  EXPECT_EQ(named(Array(3.f)).item(), 3.f);
}

TEST(Rules, BitsHaveNoDerivative) {
  const auto halves = [](const Array& x) {
    return lax::reduce_sum(lax::convert_element_type(lax::bitcast_convert_type(x, f16), f32), {0});
  };
  EXPECT_EQ(jvp(halves, Array(2.f), Array(1.f)).tangent.item(), 0.f);
}

}  // namespace
}  // namespace baton
