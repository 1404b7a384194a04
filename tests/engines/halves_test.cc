// halves: f16 and bf16 are computed with as f32 and rounded after every equation: beside the reference, bit
// by bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "baton/baton.h"
#include "engines/cpu/cpu.h"
#include "ops/row.h"

namespace baton {
namespace {

/// Whether the result of one is an f32 that is rounded already, so that the second rounding may differ in the
/// last place from the only one of the reference.
bool rounds_twice(const Primitive& p) {
  static const std::set<std::string_view> exact = {"add",
                                                   "sub",
                                                   "mul",
                                                   "div",
                                                   "neg",
                                                   "abs",
                                                   "sqrt",
                                                   "square",
                                                   "floor",
                                                   "ceil",
                                                   "round",
                                                   "sign",
                                                   "max",
                                                   "min",
                                                   "clamp",
                                                   "rem",
                                                   "nextafter",
                                                   "lt_total",
                                                   "eq",
                                                   "ne",
                                                   "lt",
                                                   "le",
                                                   "gt",
                                                   "ge",
                                                   "is_finite",
                                                   "select_n",
                                                   "copy",
                                                   "custom",
                                                   "real",
                                                   "reduce_precision",
                                                   "convert_element_type"};
  return !exact.contains(p.name);
}

/// Numbers in their order: neighbours are one apart, and the zeros are one.
int place(std::uint16_t bits) { return bits & 0x8000 ? -(bits & 0x7fff) : bits; }
bool is_nan(Dtype d, std::uint16_t bits) { return (bits & 0x7fff) > (d == f16 ? 0x7c00 : 0x7f80); }
/// Kernels take what is below the normal numbers of an f32 for zero, and with it what would be rounded up to
/// the least.
std::uint16_t flushed(Dtype d, std::uint16_t bits) {
  return d == bf16 && (bits & 0x7fff) <= 0x80 ? bits & 0x8000 : bits;
}

Array of_bits(Dtype d, const std::vector<std::uint16_t>& bits) {
  return Array(Type{d, {static_cast<std::int64_t>(bits.size())}}, bits.data());
}

/// The most steps between results, and where.
struct Apart {
  int steps = 0;
  std::string where;
};
Apart apart(const Primitive& p, const Arrays& inputs, const Params& params) {
  Types types;
  for (const Array& a : inputs) types.push_back(a.type());
  const Program program = testing::program_of(p, types, params);
  const Array want = testing::run(program, inputs)[0], found = cpu::compile(program, {})->run(inputs)[0];
  Apart worst;
  const auto see = [&](int steps, std::int64_t i) {
    if (steps <= worst.steps) return;
    worst = {steps, "element " + std::to_string(i) + " of " + std::string(p.name)};
    for (const Array& a : inputs)
      worst.where += " " + std::to_string(static_cast<double>(
                               testing::elements(a)[static_cast<std::size_t>(i % a.size())].real()));
  };
  const Dtype d = want.dtype();
  if (d != f16 && d != bf16) {
    if (const std::string difference = testing::difference_of_bits(found, want); !difference.empty())
      worst = {1 << 20, difference};
    return worst;
  }
  const auto* x = static_cast<const std::uint16_t*>(found.data());
  const auto* y = static_cast<const std::uint16_t*>(want.data());
  for (std::int64_t i = 0; i < want.size(); ++i) {
    if (is_nan(d, x[i]) || is_nan(d, y[i])) {
      if (is_nan(d, x[i]) != is_nan(d, y[i])) see(1 << 20, i);
      continue;
    }
    see(std::abs(place(flushed(d, x[i])) - place(flushed(d, y[i]))), i);
  }
  return worst;
}

/// All numbers of 16 bits, or pairs of any.
TEST(Halves, EveryElementwisePrimitiveIsRoundedOnce) {
  std::set<std::string_view> seen;
  for (const testing::Row& row : testing::rows()) {
    const Primitive& p = *row.primitive;
    const std::size_t operands = row.example.inputs.size();
    if (!p.elementwise || !p.element || !p.evaluate || operands > 2) continue;
    for (Dtype d : {f16, bf16}) {
      testing::Random random(p.name);
      Arrays inputs;
      for (std::size_t k = 0; k < operands; ++k) {
        std::vector<std::uint16_t> bits(operands == 1 ? 1 << 16 : 1 << 12);
        for (std::size_t i = 0; i < bits.size(); ++i)
          bits[i] = flushed(d, static_cast<std::uint16_t>(operands == 1 ? i : random.bits()));
        inputs.push_back(of_bits(d, bits));
      }
      Types types;
      for (const Array& a : inputs) types.push_back(a.type());
      try {
        p.type(types, row.example.params);
      } catch (const Error&) {
        continue;  // not of floating numbers
      }
      const Apart worst = apart(p, inputs, row.example.params);
      EXPECT_LE(worst.steps, rounds_twice(p) ? 1 : 0) << name_of(d) << " " << worst.where;
      seen.insert(p.name);
    }
  }
  EXPECT_GE(seen.size(), 60u);
}

/// Sums of f32, rounded at the end.
TEST(Halves, ReductionsAreRoundedOnce) {
  for (Dtype d : {f16, bf16})
    for (const Shape& shape : {Shape{64, 33}, Shape{7, 300}}) {
      testing::Random random("reductions");
      const Array x = lax::convert_element_type(
          testing::from_elements({f64, shape},
                                 [&] {
                                   std::vector<std::complex<long double>> all;
                                   for (std::int64_t i = 0; i < shape[0] * shape[1]; ++i)
                                     all.emplace_back(random.uniform(0.9, 1.1));
                                   return all;
                                 }()),
          d);
      for (const auto& [exact, f] :
           {std::pair<bool, std::function<Array(const Array&, std::vector<std::int64_t>)>>{
                false,
                [](const Array&a, std::vector<std::int64_t> axes) { return lax::reduce_sum(a, axes); }},
            {false, [](const Array&a, std::vector<std::int64_t> axes) { return lax::reduce_prod(a, axes); }},
            {true, [](const Array&a, std::vector<std::int64_t> axes) { return lax::reduce_max(a, axes); }}})
        for (const std::vector<std::int64_t>& axes :
             {std::vector<std::int64_t>{0}, std::vector<std::int64_t>{1}, std::vector<std::int64_t>{0, 1}}) {
          const Program program = trace([&](const Array& a) { return f(a, axes); }, x);
          const Array want = testing::run(program, {x})[0], found = cpu::compile(program, {})->run({x})[0];
          EXPECT_EQ(exact ? testing::difference_of_bits(found, want) : testing::difference(found, want, 1),
                    "")
              << program;
        }
    }
}

/// An intermediate value has the bits that it would have in memory, whatever is fused.
TEST(Halves, WhatIsFusedIsRoundedInBetween) {
  for (Dtype d : {f16, bf16}) {
    std::vector<std::uint16_t> bits;
    for (int i = 0; i < 1000; ++i)
      bits.push_back(static_cast<std::uint16_t>((d == f16 ? 0x3c00 : 0x3f80) + i % 97));
    const Array x = of_bits(d, bits);
    const Program program = trace(
        [](const Array& a) {
          const Array product = a * a;
          return product - a * 1.5;
        },
        x);
    EXPECT_EQ(
        testing::difference_of_bits(cpu::compile(program, {})->run({x})[0], testing::run(program, {x})[0]),
        "");
  }
}

}  // namespace
}  // namespace baton
