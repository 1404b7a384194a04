// nesting: jit, checkpoint, scan and vmap inside each other in every order, and derivatives of them to second
// order, beside the same function written without any.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "baton/baton.h"

namespace baton {
namespace {

using Function = std::function<Array(const Array&)>;  // f64[3] -> f64[3]

Array plain(const Array& x) { return lax::mul(lax::sin(x), lax::exp(lax::mul(x, 0.5))); }

// Each wrapper but scan leaves the function's values alone.
Function in_jit(Function f) {
  return [f = jit([f](const Array& x) { return f(x); })](const Array& x) { return f(x); };
}
Function in_checkpoint(Function f) {
  return checkpoint([f](const Array& x) { return f(x); });
}
/// Over the elements of the vector, which the function treats alike.
Function in_vmap(Function f) {
  return [f](const Array& x) {
    return vmap([f](const Array& e) { return lax::reshape(f(lax::broadcast_in_dim(e, {1}, {})), {}); })(x);
  };
}
/// Two rounds that carry the result on.
Function in_scan(Function f) {
  return [f](const Array& x) {
    return scan(
               [f](Array c, Array step) {
                 return Step{f(c) + c * step, Nothing{}};
               },
               x, Array({0.25, 0.75}))
        .carry;
  };
}
/// What in_scan means.
Function twice(Function f) {
  return [f](const Array& x) {
    const Array once = lax::add(f(x), lax::mul(x, 0.25));
    return lax::add(f(once), lax::mul(once, 0.75));
  };
}

void expect_near(const Array& found, const Array& want, const std::string& what) {
  ASSERT_EQ(found.type(), want.type()) << what;
  const auto a = found.read<double>(), b = want.read<double>();
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 1e-12 * (1 + std::abs(b[i]))) << what << " " << i;
}

TEST(Nesting, EveryOrderHasTheSameDerivativesToSecondOrder) {
  const std::pair<const char*, Function (*)(Function)> wrappers[] = {
      {"jit", in_jit}, {"checkpoint", in_checkpoint}, {"vmap", in_vmap}, {"scan", in_scan}};
  const Array x({0.3, -0.7, 1.1}), w({1.0, -2.0, 0.5}), v({0.2, 0.4, -0.6});
  const auto loss_of = [w](Function f) {
    return [f, w](const Array& a) { return lax::reduce_sum(lax::mul(f(a), w), {0}); };
  };
  const auto direct = loss_of(twice(plain));
  const Array value = direct(x), gradient = grad(direct)(x), second = hessian(direct)(x);
  const Array product = jvp(grad(direct), std::tuple(x), std::tuple(v)).tangent;
  int order[] = {0, 1, 2, 3};
  do {
    Function f = plain;
    std::string name = "plain";
    for (int i : order) f = wrappers[i].second(f), name = std::string(wrappers[i].first) + "(" + name + ")";
    const auto loss = loss_of(f);
    expect_near(loss(x), value, name);
    expect_near(grad(loss)(x), gradient, "gradient of " + name);
    expect_near(jit(grad(loss))(x), gradient, "jit of the gradient of " + name);
    expect_near(hessian(loss)(x), second, "hessian of " + name);
    expect_near(jvp(grad(loss), std::tuple(x), std::tuple(v)).tangent, product,
                "forward over reverse of " + name);
    const auto along = [&](const Array& a) { return lax::reduce_sum(lax::mul(grad(loss)(a), v), {0}); };
    expect_near(grad(along)(x), product, "reverse over reverse of " + name);
  } while (std::next_permutation(std::begin(order), std::end(order)));
}

}  // namespace
}  // namespace baton
