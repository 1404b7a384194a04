// fold_layouts: which transposes, reshapes and slices products take up, as text; and that the results stay
// what they were.
#include "engines/cpu/fold_layouts.h"

#include <gtest/gtest.h>

#include "baton/baton.h"
#include "engines/cpu/cpu.h"
#include "ops/row.h"
#include "passes/passes.h"
#include "program/program.h"

namespace baton {
namespace {

/// The names of the equations that are left.
std::string left(const std::string& text) {
  const Program before = Program::parse(text), after = cpu::fold_layouts(before);
  check(after);
  testing::Random random("layouts");
  Arrays inputs;
  for (Var v = 0; v < before->input_count; ++v)
    inputs.push_back(testing::draw_direction(before->type(v), random));
  const Arrays want = testing::run(before, inputs);
  for (const Arrays& found : {testing::run(after, inputs), cpu::compile(before, {})->run(inputs)}) {
    EXPECT_EQ(found.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i)
      EXPECT_EQ(testing::difference(found[i], want[i], 64), "") << after;
  }
  std::string names;
  for (const Equation& e : after->equations)
    names += (names.empty() ? "" : " ") + std::string(e.primitive->name);
  return names;
}

TEST(Layouts, ATransposedResultIsWrittenSo) {
  EXPECT_EQ(left(R"({ x:f32[8,5], g:f32[8,7] ->
    a:f32[7,5] = dot_general g x {lhs_contract=[0], rhs_contract=[0], lhs_batch=[], rhs_batch=[], preferred=""}
    b:f32[5,7] = transpose a {permutation=[1,0]}
    return b })"),
            "strided_product");
}

TEST(Layouts, ATransposedOperandIsReadSo) {
  EXPECT_EQ(left(R"({ x:f32[5,8], w:f32[8,7] ->
    a:f32[8,5] = transpose x {permutation=[1,0]}
    b:f32[5,7] = dot_general a w {lhs_contract=[0], rhs_contract=[0], lhs_batch=[], rhs_batch=[], preferred=""}
    return b })"),
            "strided_product");
}

/// Queries, keys and values side by side in rows, cut into heads; what they look up goes back into rows.
TEST(Layouts, AttentionCopiesNothing) {
  EXPECT_EQ(left(R"({ u:f32[2,16,24] ->
    a:f32[2,16,3,2,4] = reshape u {shape=[2,16,3,2,4]}
    b:f32[3,2,2,16,4] = transpose a {permutation=[2,0,3,1,4]}
    c:f32[1,2,2,16,4] = slice b {start=[0,0,0,0,0], limit=[1,2,2,16,4], strides=[1,1,1,1,1]}
    q:f32[2,2,16,4] = reshape c {shape=[2,2,16,4]}
    d:f32[1,2,2,16,4] = slice b {start=[1,0,0,0,0], limit=[2,2,2,16,4], strides=[1,1,1,1,1]}
    k:f32[2,2,16,4] = reshape d {shape=[2,2,16,4]}
    e:f32[1,2,2,16,4] = slice b {start=[2,0,0,0,0], limit=[3,2,2,16,4], strides=[1,1,1,1,1]}
    v:f32[2,2,16,4] = reshape e {shape=[2,2,16,4]}
    s:f32[2,2,16,16] = dot_general q k {lhs_contract=[3], rhs_contract=[3], lhs_batch=[0,1], rhs_batch=[0,1], preferred=""}
    t:f32[2,2,16,16] = tanh s
    o:f32[2,2,16,4] = dot_general t v {lhs_contract=[3], rhs_contract=[2], lhs_batch=[0,1], rhs_batch=[0,1], preferred=""}
    p:f32[2,16,2,4] = transpose o {permutation=[0,2,1,3]}
    r:f32[2,16,8] = reshape p {shape=[2,16,8]}
    return r })"),
            "strided_product tanh strided_product");
}

/// What wrote its result into heads is not asked for its rows.
TEST(Layouts, AProductOfAProduct) {
  EXPECT_EQ(left(R"({ x:f32[4,32,16], w:f32[16,64] ->
    a:f32[4,32,64] = dot_general x w {lhs_contract=[2], rhs_contract=[0], lhs_batch=[], rhs_batch=[], preferred=""}
    b:f32[4,32,2,32] = reshape a {shape=[4,32,2,32]}
    c:f32[4,2,32,32] = transpose b {permutation=[0,2,1,3]}
    d:f32[4,2,32,32] = transpose c {permutation=[0,1,3,2]}
    e:f32[4,2,32,32] = dot_general c d {lhs_contract=[3], rhs_contract=[2], lhs_batch=[0,1], rhs_batch=[0,1], preferred=""}
    return e })"),
            "strided_product strided_product");
}

TEST(Layouts, WhatOthersReadStays) {
  EXPECT_EQ(left(R"({ x:f32[8,5], g:f32[8,7] ->
    a:f32[7,5] = dot_general g x {lhs_contract=[0], rhs_contract=[0], lhs_batch=[], rhs_batch=[], preferred=""}
    b:f32[5,7] = transpose a {permutation=[1,0]}
    return a, b })"),
            "dot_general transpose");
}

/// Each element of a broadcast is read by several: that is no stride.
TEST(Layouts, OtherRearrangementsStay) {
  EXPECT_EQ(left(R"({ x:f32[5], w:f32[8,7] ->
    a:f32[5,8] = broadcast_in_dim x {shape=[5,8], dimensions=[0]}
    b:f32[5,7] = dot_general a w {lhs_contract=[1], rhs_contract=[0], lhs_batch=[], rhs_batch=[], preferred=""}
    return b })"),
            "broadcast_in_dim dot_general");
  EXPECT_EQ(left(R"({ x:f32[5,8], w:f32[8,7] ->
    a:f32[5,8] = rev x {dimensions=[1]}
    b:f32[5,7] = dot_general a w {lhs_contract=[1], rhs_contract=[0], lhs_batch=[], rhs_batch=[], preferred=""}
    return b })"),
            "rev dot_general");
}

/// A slice across the rows of what a reshape made: after the transpose it is in no even steps.
TEST(Layouts, WhatRunsOverTheEndOfARowStays) {
  EXPECT_EQ(left(R"({ x:f32[4,4], w:f32[8,7] ->
    a:f32[4,4] = transpose x {permutation=[1,0]}
    b:f32[16] = reshape a {shape=[16]}
    c:f32[8] = slice b {start=[2], limit=[10], strides=[1]}
    d:f32[7] = dot_general c w {lhs_contract=[0], rhs_contract=[0], lhs_batch=[], rhs_batch=[], preferred=""}
    return d })"),
            "transpose strided_product");
}

TEST(Layouts, TheGradientOfALayerTransposesNothing) {
  const auto loss = [](const Array& w, const Array& x) {
    return lax::reduce_sum(lax::tanh(lax::dot_general(x, w, {.lhs_contract = {1}, .rhs_contract = {0}})),
                           {0, 1});
  };
  const Program program =
      cpu::fold_layouts(optimize(trace(grad(loss), abstract({f32, {6, 5}}), abstract({f32, {3, 6}}))));
  for (const Equation& e : program->equations) EXPECT_NE(e.primitive->name, "transpose") << program;
}

/// A row that is written as a column, for each of a batch.
TEST(Layouts, AVectorIsWrittenAcross) {
  const Program program = Program::parse(R"({ a:f32[2,4], b:f32[2,3,4] ->
    c:f32[4,2] = transpose a {permutation=[1,0]}
    d:f32[4,3] = dot_general c b {lhs_contract=[1], rhs_contract=[0], lhs_batch=[0], rhs_batch=[2], preferred=""}
    e:f32[3,4] = transpose d {permutation=[1,0]}
    return e })");
  const Array a({{1.f, 2.f, 3.f, 4.f}, {5.f, 6.f, 7.f, 8.f}});
  const Array b = lax::reshape(lax::iota({f32, {24}}, 0), {2, 3, 4});
  const Array found = cpu::compile(program, {})->run({a, b})[0];
  EXPECT_EQ(found.read<float>().vector(),
            (std::vector<float>{60, 80, 104, 132, 84, 112, 144, 180, 108, 144, 184, 228}));
}

}  // namespace
}  // namespace baton
