// show: arrays print as NumPy prints them; the expected texts are NumPy's own.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "baton/baton.h"

namespace baton {
namespace {

template <class T>
Array counted(const Shape& shape, T scale = 1, T offset = 0) {
  std::vector<T> values(static_cast<std::size_t>(Type{f32, shape}.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(static_cast<T>(i) * scale + offset);
  return Array(values, shape);
}

TEST(Show, TypesAndTheirParts) {
  std::ostringstream out;
  out << f32 << " " << Type{bf16, {2, 3}};
  EXPECT_EQ(out.str(), "f32 bf16[2,3]");
  EXPECT_EQ(show(boolean), "bool");
  EXPECT_EQ(show(Shape{2, 3}), "(2,3)");
  EXPECT_EQ(show(Shape{}), "()");
}

TEST(Show, Nests) {
  EXPECT_EQ(show(counted<float>({2, 3}, 0.25f, -0.5f)),
            "[[-0.5  -0.25  0.  ]\n"
            " [ 0.25  0.5   0.75]]");
  EXPECT_EQ(show(counted<int>({2, 2, 3}, 1, -5)),
            "[[[-5 -4 -3]\n"
            "  [-2 -1  0]]\n"
            "\n"
            " [[ 1  2  3]\n"
            "  [ 4  5  6]]]");
}

TEST(Show, AlignsKindsOfNumbers) {
  EXPECT_EQ(show(Array({true, false})), "[ True False]");
  EXPECT_EQ(show(Array({1.f, NAN, -INFINITY, .5f})), "[ 1.   nan -inf  0.5]");
  EXPECT_EQ(show(Array({1e-5, 1., 1e5})), "[1.e-05 1.e+00 1.e+05]");
  EXPECT_EQ(show(Array({1 / 3.f, 2 / 3.f})), "[0.33333334 0.6666667 ]");
  EXPECT_EQ(show(Array({1 / 3., 2 / 3.})), "[0.33333333 0.66666667]");
  EXPECT_EQ(show(Array({std::complex(1.f, 2.f), std::complex(-.5f, -1e-3f)})), "[ 1. +2.e+00j -0.5-1.e-03j]");
  EXPECT_EQ(show(Array({-83.774277f, -0.014012104f, -679.38721f})),
            "[-8.3774277e+01 -1.4012104e-02 -6.7938721e+02]");
  EXPECT_EQ(show(Array({float16(-2e-7f), float16(7e-6f), float16(1.245e-3f)})),
            "[-1.788e-07  6.974e-06  1.245e-03]");
}

TEST(Show, ElidesAboveAThousand) {
  EXPECT_EQ(show(counted<int>({1001})), "[   0    1    2 ...  998  999 1000]");
  EXPECT_EQ(show(counted<float>({7, 143})),
            "[[   0.    1.    2. ...  140.  141.  142.]\n"
            " [ 143.  144.  145. ...  283.  284.  285.]\n"
            " [ 286.  287.  288. ...  426.  427.  428.]\n"
            " ...\n"
            " [ 572.  573.  574. ...  712.  713.  714.]\n"
            " [ 715.  716.  717. ...  855.  856.  857.]\n"
            " [ 858.  859.  860. ...  998.  999. 1000.]]");
}

TEST(Show, WrapsLines) {
  EXPECT_EQ(show(counted<float>({30}, 1.5f)),
            "[ 0.   1.5  3.   4.5  6.   7.5  9.  10.5 12.  13.5 15.  16.5 18.  19.5\n"
            " 21.  22.5 24.  25.5 27.  28.5 30.  31.5 33.  34.5 36.  37.5 39.  40.5\n"
            " 42.  43.5]");
}

TEST(Show, ScalarsAndEmptyOnes) {
  EXPECT_EQ(show(Array(0.1f)), "0.1");
  EXPECT_EQ(show(Array(3.f)), "3.0");
  EXPECT_EQ(show(Array(1e20)), "1e+20");
  EXPECT_EQ(show(Array(true)), "True");
  EXPECT_EQ(show(Array(std::int8_t{-7})), "-7");
  EXPECT_EQ(show(Array(std::complex(1.f, 2.f))), "(1+2j)");
  EXPECT_EQ(show(Array(float16(0.1f))), "0.1");
  EXPECT_EQ(show(lax::zeros({f32, {0, 3}})), "[]");
  std::ostringstream out;
  out << Array({1, 2});
  EXPECT_EQ(out.str(), "[1 2]");
}

TEST(Show, ArraysWithoutValuesSayWhatTheyAre) {
  EXPECT_EQ(show(Array()), "empty array");
  std::string traced;
  jit([&](const Array& x) {
    traced = show(x);
    return x;
  })(Array({1.f, 2.f}));
  EXPECT_EQ(traced, "traced f32[2]");
  Array gone({1.f, 2.f});
  jit([](const Array& x) { return lax::neg(x); })(std::move(gone));
  const std::string line = std::to_string(__LINE__ - 1);
  // NOLINTNEXTLINE(bugprone-use-after-move): what is tested
  EXPECT_EQ(show(gone), "empty array, donated at show_test.cc:" + line);
}

}  // namespace
}  // namespace baton
