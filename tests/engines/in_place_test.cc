// in_place: results over donated inputs give the bits that results in memory of their own give. Shapes are as
// wide as several vectors, with a tail and without, in several rows and in one.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "engines/cpu/cpu.h"
#include "engines/cpu/loop_writer.h"
#include "ops/row.h"
#include "program/primitive.h"

namespace baton {
namespace {

/// Which input loops may write their first result over.
std::vector<bool> in_place(const std::string& text) {
  const auto loops = cpu::write_loops(*Program::parse(text));
  std::vector<bool> may;
  for (const auto& results : loops->in_place) may.push_back(results[0]);
  return may;
}

/// Runs with each input donated to a result of its type, if there is one, and compares with a run without.
void expect_same_bits(const Program& p, std::uint64_t seed) {
  testing::Random random("in place " + std::to_string(seed));
  Arrays inputs;
  for (Var v = 0; v < p->input_count; ++v) inputs.push_back(testing::draw_direction(p->type(v), random));
  const Arrays want = cpu::compile(p, {}, cpu::Compile::when_worth)->run(inputs);
  for (Var v = 0; v < p->input_count; ++v)
    for (std::size_t o = 0; o < p->outputs.size(); ++o) {
      if (p->type(v) != p->type(p->outputs[o])) continue;
      std::vector<int> take(static_cast<std::size_t>(p->input_count), -1);
      take[static_cast<std::size_t>(v)] = static_cast<int>(o);
      Arrays given;
      for (const Array& a : inputs) given.push_back(clone(a));
      const Arrays found = cpu::compile(p, take, cpu::Compile::when_worth)->run(std::move(given));
      for (std::size_t k = 0; k < want.size(); ++k)
        EXPECT_TRUE(testing::same_bits(found[k], want[k]))
            << "input " << v << " becomes result " << o << "; result " << k << " differs, seed " << seed
            << "\n"
            << p;
    }
}

/// Indices below n from numbers between -1 and 1.
Array places_in(const Array& x, std::int64_t n) {
  return lax::convert_element_type(lax::abs(x) * static_cast<float>(n) * 0.99f, s32);
}

TEST(InPlace, ASumInsideLanesReadsItsRowAgain) {
  const std::string text = R"({ a:f32[4,32], b:f32[32,32] ->
    c:f32[4,32,32] = broadcast_in_dim a {shape=[4,32,32], dimensions=[0,1]}
    d:f32[4,32,32] = broadcast_in_dim b {shape=[4,32,32], dimensions=[1,2]}
    e:f32[4,32,32] = mul c d
    f:f32[4,32] = reduce_sum e {axes=[1]}
    return f })";
  EXPECT_EQ(in_place(text), (std::vector<bool>{false, false}));
  expect_same_bits(Program::parse(text), 1);
}
TEST(InPlace, AGatherInTheRowReadsAnyOfIt) {
  const auto p = trace([](const Array& x, const Array& y) { return take_along_axis(x, places_in(y, 40), 1); },
                       abstract({f32, {4, 40}}), abstract({f32, {4, 40}}));
  expect_same_bits(p, 2);
}
TEST(InPlace, APaddedColumnIsReadForEachVector) {
  const auto p = trace(
      [](const Array& x) {
        const Array column = lax::broadcast_in_dim(-lax::slice(x, {0, 2}, {4, 3}), {4, 30}, {0, 1});
        return lax::pad(column, 0.f, {{0, 0, 0}, {10, 0, 0}});
      },
      abstract({f32, {4, 40}}));
  expect_same_bits(p, 3);
}
/// Softmax reads its row three times and may still lie over it.
TEST(InPlace, WhatReadsTheRowBeforeItWritesItMay) {
  for (int width : {32, 40, 1000}) {
    const std::string type = "f32[4," + std::to_string(width) + "]";
    EXPECT_EQ(in_place("{ x:" + type + " ->\n m:f32[4] = reduce_max x {axes=[1]}\n b:" + type +
                       " = broadcast_in_dim m {shape=[4," + std::to_string(width) +
                       "], dimensions=[0]}\n d:" + type + " = sub x b\n e:" + type + " = exp d\n return e }"),
              std::vector<bool>{true})
        << width;
  }
}

/// A random function of arrays of rows, of one row's width, and of one element for each row.
class RandomRows {
 public:
  RandomRows(std::uint64_t seed, std::int64_t rows, std::int64_t width)
      : random_("rows " + std::to_string(seed)), rows_(rows), width_(width) {}

  Arrays operator()(const Array& x, const Array& y, const Array& square) {
    wide_ = {x, y};
    for (int i = 0; i < 6; ++i) wide_.push_back(next(square));
    return {wide_.back(), wide_[wide_.size() - 2]};
  }

 private:
  std::size_t below(std::size_t n) { return random_.bits() % n; }
  const Array& any() { return wide_[below(wide_.size())]; }
  Array spread(const Array& per_row) { return lax::broadcast_in_dim(per_row, {rows_, width_}, {0}); }
  Array next(const Array& square) {
    const Array a = any();
    switch (below(10)) {
      case 0:
        return a + any();
      case 1:
        return lax::tanh(a);
      case 2:
        return a - spread(lax::reduce_max(a, {1}));
      case 3:
        return lax::exp(a - spread(lax::reduce_sum(any(), {1})));
      case 4:  // a fold inside lanes
        return lax::reduce_sum(lax::mul(lax::broadcast_in_dim(a, {rows_, width_, width_}, {0, 1}),
                                        lax::broadcast_in_dim(square, {rows_, width_, width_}, {1, 2})),
                               {1});
      case 5:
        return take_along_axis(a, places_in(lax::sin(any()), width_), 1);
      case 6:
        return lax::rev(a, {1});
      case 7: {
        const std::int64_t column = static_cast<std::int64_t>(below(static_cast<std::size_t>(width_)));
        return spread(lax::reshape(lax::slice(a, {0, column}, {rows_, column + 1}), {rows_})) * any();
      }
      case 8: {  // moved along the row
        const std::int64_t by = static_cast<std::int64_t>(below(static_cast<std::size_t>(width_)));
        return lax::pad(a, 1.f, {{0, 0, 0}, {by, -by, 0}}) + a;
      }
      default:  // over the rows
        return a * lax::broadcast_in_dim(lax::reduce_sum(a, {0}), {rows_, width_}, {1});
    }
  }

  testing::Random random_;
  const std::int64_t rows_, width_;
  Arrays wide_;
};

TEST(InPlace, RandomRowsKeepTheirBits) {
  std::uint64_t seed = 0;
  for (std::int64_t rows : {1, 3})
    for (std::int64_t width : {1, 17, 40, 67})
      for (int turn = 0; turn < 15 && !HasFailure(); ++turn, ++seed) {
        const Program p = trace([&](const Array& x, const Array& y,
                                    const Array& s) { return RandomRows(seed, rows, width)(x, y, s); },
                                abstract({f32, {rows, width}}), abstract({f32, {rows, width}}),
                                abstract({f32, {width, width}}));
        expect_same_bits(p, seed);
      }
}

}  // namespace
}  // namespace baton
