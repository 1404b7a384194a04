// sort: order of special values, ties, followers, and the permutation of gradients.
#include "ops_reduce/helpers.h"

namespace baton {
namespace {

TEST(Sort, OrderOfSpecialValues) {
  const auto got = values(lax::sort({Array({nan, 1.f, -inf, inf, -1.f, 0.f})})[0]);
  EXPECT_EQ(Floats(got.begin(), got.end() - 1), (Floats{-inf, -1, 0, 1, inf}));
  EXPECT_TRUE(std::isnan(got.back()));
  const auto order = lax::sort({Array({0.f, -0.f, nan, -nan, 0.f}), lax::iota({s32, {5}}, 0)});
  EXPECT_EQ(values<std::int32_t>(order[1]), (Ints{0, 1, 4, 2, 3}));  // equals stay in place
}

TEST(Sort, KeysAndFollowers) {
  const Array a({2, 1, 2, 1}), b({5.f, 6.f, 4.f, 3.f}), c({0, 1, 2, 3});
  const auto one = lax::sort({a, b, c});
  EXPECT_EQ(values<std::int32_t>(one[2]), (Ints{1, 3, 0, 2}));
  const auto two = lax::sort({a, b, c}, {.num_keys = 2});
  EXPECT_EQ(values<std::int32_t>(two[2]), (Ints{3, 1, 2, 0}));
  const Array x({3, 1, 2, 4, 6, 5}, {2, 3});
  EXPECT_EQ(values<std::int32_t>(lax::sort({x})[0]), (Ints{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values<std::int32_t>(lax::sort({lax::rev(x, {0})}, {.dimension = 0})[0]),
            (Ints{3, 1, 2, 4, 6, 5}));
  using C = std::complex<float>;
  EXPECT_EQ(values<C>(lax::sort({Array({C(1, 2), C(0, 9), C(1, -2)})})[0]),
            (std::vector<C>{C(0, 9), C(1, -2), C(1, 2)}));
}

TEST(Sort, ByAnyComparator) {
  const Program falling = scalar_pair([](const Array& a, const Array& b) { return lax::gt(a, b); });
  EXPECT_EQ(values(lax::sort_by({Array({1.f, 3.f, 2.f})}, falling, 0, true)[0]), (Floats{3, 2, 1}));
  const Program f = make_program("f", {{f32, {3}}},
                                 [&](const Arrays& a) { return lax::sort_by({a[0]}, falling, 0, true); });
  EXPECT_EQ(values(gradient(f, {Array({1.f, 3.f, 2.f})}, {Array({1.f, 10.f, 100.f})})[0]),
            (Floats{100, 1, 10}));
}

TEST(Sort, GradientIsPermuted) {
  const Program f = make_program("f", {{f32, {2, 3}}}, [](const Arrays& a) { return lax::sort({a[0]}); });
  EXPECT_EQ(values(gradient(f, {Array({3.f, 1.f, 2.f, 4.f, 4.f, 0.f}, {2, 3})},
                            {Array({1.f, 10.f, 100.f, 2.f, 20.f, 200.f}, {2, 3})})[0]),
            (Floats{100, 1, 10, 20, 200, 2}));
}

TEST(Sort, TopK) {
  const auto [v, i] = lax::top_k(Array({1.f, 7.f, nan, 7.f, 3.f}), 4);
  EXPECT_TRUE(std::isnan(values(v)[0]));
  EXPECT_EQ(values<std::int32_t>(i), (Ints{2, 1, 3, 4}));
  const Program f =
      make_program("f", {{f32, {4}}}, [](const Arrays& a) -> Arrays { return {lax::top_k(a[0], 2).first}; });
  EXPECT_EQ(values(gradient(f, {Array({1.f, 4.f, 3.f, 4.f})}, {Array({1.f, 10.f})})[0]),
            (Floats{0, 1, 0, 10}));
}

TEST(Sort, Errors) {
  const Array x = lax::zeros({f32, {2, 3}});
  EXPECT_EQ(message([&] { lax::sort({x}, {.num_keys = 2}); }),
            "sort: num_keys must be from 1 to the number of operands, 1, found 2.");
  EXPECT_EQ(message([&] {
              lax::sort({x, lax::zeros({f32, {3}})});
            }),
            "sort: operands must have one shape, found f32[2,3] and f32[3].");
  EXPECT_EQ(message([&] { lax::sort({x}, {.dimension = 2}); }), "sort: axis 2 is out of range for f32[2,3].");
  EXPECT_EQ(message([&] { lax::top_k(x, 4); }),
            "top_k: k must be from 0 to the extent of the last axis of f32[2,3], found 4.");
  const Program add = scalar_pair([](const Array& a, const Array& b) { return lax::add(a, b); });
  EXPECT_EQ(message([&] { lax::sort_by({x}, add, 0, true); }),
            "sort_by: the comparator must map (f32[], f32[]) to (bool[]), found (f32[], f32[]) to (f32[]).");
}

}  // namespace
}  // namespace baton
