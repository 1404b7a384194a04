// window: sliding windows, and the derivative of max pooling, against numbers worked out by hand.
#include "baton/baton.h"
#include "ops_reduce/helpers.h"

namespace baton {
namespace {

TEST(Window, SumsAndExtrema) {
  const Array x({1.f, 5.f, 2.f, 4.f, 3.f});
  EXPECT_EQ(values(lax::reduce_window_sum(x, {.dimensions = {2}})), (Floats{6, 7, 6, 7}));
  EXPECT_EQ(values(lax::reduce_window_max(x, {.dimensions = {3}, .strides = {2}, .padding = {{1, 1}}})),
            (Floats{5, 5, 4}));
  EXPECT_EQ(values(lax::reduce_window_min(x, {.dimensions = {2}, .window_dilation = {3}})), (Floats{1, 3}));
  EXPECT_EQ(values(lax::reduce_window_sum(x, {.dimensions = {2}, .base_dilation = {2}})),
            (Floats{1, 5, 5, 2, 2, 4, 4, 3}));
  EXPECT_EQ(values(lax::reduce_window_max(x, {.dimensions = {1}, .padding = {{2, -4}}})),
            (Floats{-inf, -inf, 1}));
  EXPECT_EQ(lax::reduce_window_sum(x, {.dimensions = {6}}).shape(), (Shape{0}));
  const Array y({1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 3});
  EXPECT_EQ(values<std::int32_t>(lax::reduce_window_sum(y, {.dimensions = {2, 2}})), (Ints{12, 16, 24, 28}));
}

TEST(Window, AnyCombiner) {
  const Program times = scalar_pair([](const Array& a, const Array& b) { return lax::mul(a, b); });
  const Array x({1.f, 5.f, 2.f, 4.f, 3.f});
  EXPECT_EQ(values(lax::reduce_window({x}, {1.f}, times, {.dimensions = {2}})[0]), (Floats{5, 10, 8, 12}));
  const Program f = make_program("f", {{f32, {3}}}, [&](const Arrays& a) {
    return lax::reduce_window({a[0]}, {1.f}, times, {.dimensions = {2}});
  });
  const JvpProgram moved = jvp(f, {true}, {true});
  EXPECT_EQ(values(execute(moved.program, {Array({2.f, 3.f, 4.f}), Array({1.f, 10.f, 100.f})}, {})[1]),
            (Floats{23, 340}));
}

TEST(Window, SelectsOneElement) {
  const Array x({3.f, 3.f, 1.f, 2.f});
  const lax::Window pairs{.dimensions = {2}, .strides = {2}};
  EXPECT_EQ(values(lax::select_and_scatter_add(Array({10.f, 20.f}), x, true, pairs)), (Floats{10, 0, 0, 20}));
  EXPECT_EQ(values(lax::select_and_scatter_add(Array({10.f, 20.f}), x, false, pairs)),
            (Floats{10, 0, 20, 0}));
  const Array t({1.f, 2.f, 3.f, 4.f});
  EXPECT_EQ(values(lax::select_and_gather_add(t, x, true, pairs)), (Floats{1, 4}));
  EXPECT_EQ(values(lax::select_and_gather_add(t, Array({-inf, -inf, 0.f, nan}), true, pairs)),
            (Floats{0, 4}));
  const Program ge = scalar_pair([](const Array& a, const Array& b) { return lax::ge(a, b); });
  const Program add = scalar_pair([](const Array& a, const Array& b) { return lax::add(a, b); });
  EXPECT_EQ(values(lax::select_and_scatter(x, Array({1.f, 2.f, 3.f}), 0.5f, ge, add, {.dimensions = {2}})),
            (Floats{1.5, 2.5, 0.5, 3.5}));
}

TEST(Window, MaxPoolingRoutesToOneElement) {
  const Program f = make_program("f", {{f32, {4}}}, [](const Arrays& a) -> Arrays {
    return {lax::reduce_window_max(a[0], {.dimensions = {2}, .strides = {2}})};
  });
  EXPECT_EQ(values(gradient(f, {Array({3.f, 3.f, 1.f, 2.f})}, {Array({1.f, 10.f})})[0]),
            (Floats{1, 0, 0, 10}));
}

TEST(Window, TheWalkIsAsLongAsTheOperandNotAsTheWindow) {
  const std::int64_t far = std::int64_t{1} << 40;
  const Array x({1.f, 5.f, 2.f});
  EXPECT_EQ(values(lax::reduce_window_sum(x, {.dimensions = {far}, .padding = {{far - 1, 0}}})),
            (Floats{1, 6, 8}));
  // Every second element, of a window that reaches 2 far - 1 places.
  EXPECT_EQ(values(lax::reduce_window_max(
                x, {.dimensions = {far}, .padding = {{0, 2 * far - 3}}, .window_dilation = {2}})),
            (Floats{2, 5}));
  // Elements far apart, of which a window of far / 2 + 1 places holds one or two.
  EXPECT_EQ(values(lax::reduce_window_sum(
                x, {.dimensions = {far / 2 + 1}, .strides = {far / 4}, .base_dilation = {far / 2}})),
            (Floats{6, 5, 7}));
  const Program add = scalar_pair([](const Array& a, const Array& b) { return lax::add(a, b); });
  EXPECT_EQ(values(lax::reduce_window({x}, {0.f}, add, {.dimensions = {far}, .padding = {{far - 1, 0}}})[0]),
            (Floats{1, 6, 8}));
}

/// The sums of the windows over one axis, from the definition.
Floats window_sums(const Floats& x, std::int64_t size, std::int64_t stride, std::int64_t low,
                   std::int64_t high, std::int64_t base, std::int64_t step) {
  const auto n = static_cast<std::int64_t>(x.size());
  Floats padded(static_cast<std::size_t>(std::max<std::int64_t>(0, (n - 1) * base + 1 + low + high)));
  for (std::int64_t e = 0; e < n; ++e)
    if (const std::int64_t at = e * base + low; at >= 0 && at < static_cast<std::int64_t>(padded.size()))
      padded[static_cast<std::size_t>(at)] = x[static_cast<std::size_t>(e)];
  Floats sums;
  for (std::int64_t at = 0; at + (size - 1) * step < static_cast<std::int64_t>(padded.size()); at += stride) {
    sums.push_back(0);
    for (std::int64_t k = 0; k < size; ++k) sums.back() += padded[static_cast<std::size_t>(at + k * step)];
  }
  return sums;
}

TEST(Window, EveryDilationStrideAndPadding) {
  const Floats x{1, 10, 100, 1000};
  const Array a(x, {4});
  for (std::int64_t size : {1, 2, 3, 7})
    for (std::int64_t stride : {1, 2, 3})
      for (std::int64_t low : {-2, 0, 1, 5})
        for (std::int64_t high : {-1, 0, 4})
          for (std::int64_t base : {1, 2, 3, 5})
            for (std::int64_t step : {1, 2, 3, 4})
              EXPECT_EQ(values(lax::reduce_window_sum(a, {.dimensions = {size},
                                                          .strides = {stride},
                                                          .padding = {{low, high}},
                                                          .base_dilation = {base},
                                                          .window_dilation = {step}})),
                        window_sums(x, size, stride, low, high, base, step))
                  << size << " " << stride << " " << low << " " << high << " " << base << " " << step;
}

TEST(Window, Errors) {
  const Array x = lax::zeros({f32, {2, 3}});
  EXPECT_EQ(message([&] { lax::reduce_window_sum(x, {.dimensions = {2}}); }),
            "reduce_window_sum: the window's dimensions must have one entry for each of the operand's 2 "
            "axes, or none, "
            "found (2).");
  EXPECT_EQ(message([&] {
              lax::reduce_window_max(x, {.dimensions = {2, 0}});
            }),
            "reduce_window_max: the window's dimensions must be positive, found (2,0).");
  EXPECT_EQ(message([&] {
              lax::reduce_window_max(x, {.padding = {{0, 0, 1}, {0, 0, 0}}});
            }),
            "reduce_window_max: padding between elements is not possible, found 1 on axis 0.\n  Use "
            "base_dilation for it.");
  EXPECT_EQ(message([&] {
              lax::select_and_scatter_add(x, x, true, {.dimensions = {2, 1}});
            }),
            "select_and_scatter_add: the source must have one element for each window, f32[1,3] over "
            "f32[2,3], found "
            "f32[2,3].");
  const Program f = make_program("f", {{f32, {6}}}, [](const Arrays& a) -> Arrays {
    return {lax::reduce_window_max(a[0], {.dimensions = {2}, .window_dilation = {2}})};
  });
  EXPECT_EQ(message([&] {
              gradient(f, {lax::zeros({f32, {6}})}, {lax::zeros({f32, {4}})});
            }),
            "select_and_gather_add: the window must have no dilation, found base dilation (1) and window "
            "dilation (2).\n"
            "  Reverse mode through a dilated maximum or minimum is not possible: use forward mode.");
  const Program ge = scalar_pair([](const Array& a, const Array& b) { return lax::ge(a, b); });
  const Program add = scalar_pair([](const Array& a, const Array& b) { return lax::add(a, b); });
  const Program g = make_program("g", {{f32, {4}}, {f32, {3}}}, [&](const Arrays& a) -> Arrays {
    return {lax::select_and_scatter(a[0], a[1], 0.f, ge, add, {.dimensions = {2}})};
  });
  EXPECT_EQ(
      message([&] {
        jvp(g, {true, true}, {true});
      }),
      "select_and_scatter: it has no derivative for arbitrary Programs.\n  Use select_and_scatter_add, which "
      "selects by size and adds.");
}

/// A combiner that no primitive has by name.
Program product_of_both() {
  return scalar_pair([](const Array& a, const Array& b) { return lax::mul(lax::mul(a, b), 1.f); });
}

TEST(Window, ForwardModeThroughAnyCombiner) {
  const auto f = [](const Array& x) {
    return lax::reduce_window({x}, {Array(1.f)}, product_of_both(), {.dimensions = {2}})[0];
  };
  const Array x({2.f, 3.f, 5.f});
  EXPECT_EQ(values(jacfwd(f)(x)), (Floats{3, 2, 0, 0, 5, 3}));
  EXPECT_EQ(values(jvp(f, std::tuple(x), std::tuple(Array({1.f, 0.f, 1.f}))).tangent), (Floats{3, 3}));
  const auto [out, linear] = linearize(f, x);
  EXPECT_EQ(values(out), (Floats{6, 15}));
  EXPECT_EQ(values(linear(Array({1.f, 0.f, 1.f}))), (Floats{3, 3}));
  EXPECT_NE(message([&] { vjp(f, x); }), "no error");
  EXPECT_NE(message([&] { grad([&](const Array& a) { return sum(f(a)); })(x); }), "no error");
}

}  // namespace
}  // namespace baton
