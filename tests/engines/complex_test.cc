// complex: arithmetic, functions and rearrangements of complex numbers in loops, beside the reference.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "engines/cpu/cpu.h"
#include "engines/cpu/loop_writer.h"
#include "ops/row.h"

namespace baton {
namespace {

Array numbers(Dtype d, const Shape& shape, std::string_view seed, double low = -2, double high = 2) {
  testing::Random random(seed);
  const Type type{d, shape};
  std::vector<std::complex<long double>> all;
  for (std::int64_t i = 0; i < type.size(); ++i) {
    const double real = random.uniform(low, high);
    all.emplace_back(real, random.uniform(low, high));
  }
  return testing::from_elements(type, all);
}

/// The Program is one loop, whose results are those of the reference within so many units.
void expect_loop(const Program& program, const Arrays& inputs, double units) {
  EXPECT_TRUE(cpu::write_loops(*program)) << program;
  const Arrays want = testing::run(program, inputs), found = cpu::compile(program, {})->run(inputs);
  for (std::size_t k = 0; k < want.size(); ++k)
    EXPECT_EQ(testing::difference(found[k], want[k], units), "") << program;
}

class ComplexLoops : public ::testing::TestWithParam<Dtype> {};

TEST_P(ComplexLoops, ArithmeticOfEveryLength) {
  for (std::int64_t n : {1, 5, 16, 37}) {
    const Array x = numbers(GetParam(), {n}, "x"), y = numbers(GetParam(), {n}, "y");
    expect_loop(trace([](const Array& a, const Array& b) { return (a * b - b) / (a + b) + -a; }, x, y),
                {x, y}, 4);
    expect_loop(
        trace(
            [](const Array& a) { return std::tuple(lax::real(a), lax::imag(a), lax::abs(a), lax::conj(a)); },
            x),
        {x}, 1);
    expect_loop(trace([](const Array& a) { return std::tuple(lax::exp(a), lax::log(a), lax::sqrt(a)); }, x),
                {x}, 2);
  }
}

TEST_P(ComplexLoops, WhatRearranges) {
  const Array x = numbers(GetParam(), {6, 21}, "x");
  expect_loop(trace(
                  [](const Array& a) {
                    const Array turned = lax::transpose(a, {1, 0}),
                                part = lax::slice(turned, {2, 1}, {19, 5}, {2, 1});
                    return lax::pad(lax::rev(part, {0}), lax::reshape(lax::slice(a, {0, 0}, {1, 1}), {}),
                                    {{1, 2, 1}, {0, 1, 0}});
                  },
                  x),
              {x}, 0);
  expect_loop(trace(
                  [](const Array& a) {
                    return lax::concatenate({a, lax::reshape(a, {6, 21})}, 1);
                  },
                  x),
              {x}, 0);
  expect_loop(trace([](const Array& a) { return lax::select(lax::eq(a, a), a, lax::neg(a)); }, x), {x}, 0);
}

TEST_P(ComplexLoops, SumsAndProducts) {
  const Array x = numbers(GetParam(), {5, 37}, "x", 0.5, 1);
  for (const std::vector<std::int64_t>& axes : {std::vector<std::int64_t>{0}, {1}, {0, 1}}) {
    expect_loop(trace([&](const Array& a) { return lax::reduce_sum(a * a, axes); }, x), {x}, 16);
    expect_loop(trace([&](const Array& a) { return lax::reduce_prod(a, axes); }, x), {x}, 64);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ComplexLoops, ::testing::Values(c64, c128),
                         [](const auto& info) { return std::string(name_of(info.param)); });

/// Each part of a product has the precision of f32, where the plain formula would leave nothing.
TEST(Complex, PartsOfProductsDoNotCancel) {
  using C = std::complex<float>;
  const Array x({C(1.0000001f, 1.0000002f)}), y({C(1.0000003f, 1.0000001f)});
  const Program program = trace([](const Array& a, const Array& b) { return a * b; }, x, y);
  EXPECT_EQ(testing::difference_of_bits(cpu::compile(program, {})->run({x, y})[0],
                                        testing::run(program, {x, y})[0]),
            "");
}

}  // namespace
}  // namespace baton
