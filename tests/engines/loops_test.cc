// loops: what is fused gives the bits of what is not; where results may lie.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "baton/baton.h"
#include "engines/cpu/cpu.h"
#include "engines/cpu/loop_judge.h"
#include "engines/cpu/loop_writer.h"
#include "engines/cpu/with_fusion.h"
#include "engines/threads.h"
#include "fuzz/function.h"
#include "ops/fused.h"
#include "passes/passes.h"

namespace baton {
namespace {

/// Each equation by itself.
Arrays run_apart(const Program& program, const Arrays& inputs) {
  const cpu::WithFusion apart(Fusion::apart);
  return cpu::compile(program, {})->run(inputs);
}

void expect_same_bits(const Arrays& found, const Arrays& want, const Program& program) {
  ASSERT_EQ(found.size(), want.size());
  for (std::size_t k = 0; k < want.size(); ++k)
    if (want[k].size())
      EXPECT_EQ(std::memcmp(found[k].data(), want[k].data(), want[k].type().bytes()), 0)
          << "result " << k << " of\n"
          << program << "\n"
          << found[k] << "\n"
          << want[k];
}

Arrays inputs_of(const Program& program, std::uint64_t seed) {
  testing::SeededNumbers random(seed);
  Arrays inputs;
  for (const Type& t : program.inputs())
    inputs.push_back(lax::convert_element_type(testing::random_array({f64, t.shape}, random), t.dtype));
  return inputs;
}

TEST(Loops, RandomProgramsHaveTheSameBitsFusedAndNot) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto f = [seed](const Array& x, const Array& y) { return testing::random_function(seed, x, y); };
    const auto loss = [f](const Array& x, const Array& y) { return lax::reduce_sum(f(x, y), {0}); };
    const auto x = abstract({f64, {3}}), y = abstract({f64, {2, 3}});
    for (const Program& program : {trace(f, x, y), trace(grad(loss), x, y),
                                   trace(vmap(f), abstract({f64, {4, 3}}), abstract({f64, {4, 2, 3}}))}) {
      const Arrays inputs = inputs_of(program, seed);
      expect_same_bits(cpu::compile(program, {})->run(inputs), run_apart(program, inputs), program);
    }
  }
}

/// Loss and gradients of a small network with layer norm, softmax and Adam's update.
Program training_step(std::int64_t batch, std::int64_t width) {
  const auto loss = [](const Array& w, const Array& x, const Array& y) {
    const Array h = tanh(matmul(x, w));
    const Array centred = h - mean(h, {-1}, {.keepdims = true});
    const Array n = centred * lax::rsqrt(mean(centred * centred, {-1}, {.keepdims = true}) + 1e-5);
    return -mean(sum(log_softmax(n) * y, {-1}));
  };
  const auto step = [loss](const Array& w, const Array& m, const Array& v, const Array& x, const Array& y) {
    const Array g = grad(loss)(w, x, y);
    const Array mean_now = m * 0.9 + g * 0.1, square_now = v * v * 0.999 + g * g * 0.001;
    return std::vector<Array>{w - mean_now / (sqrt(square_now) + 1e-8), mean_now, square_now};
  };
  const auto square = abstract({f32, {width, width}}), rows = abstract({f32, {batch, width}});
  return trace(step, square, square, square, rows, rows);
}

TEST(Loops, ATrainingStepHasTheSameBitsFusedAndNot) {
  for (const auto& [batch, width] : {std::pair{8, 16}, {5, 3}, {33, 50}, {1, 1}}) {
    const Program program = training_step(batch, width);
    const Arrays inputs = inputs_of(program, 3);
    expect_same_bits(cpu::compile(program, {})->run(inputs), run_apart(program, inputs), program);
  }
}

/// How many kernels are left of a function.
std::size_t kernels_of(const Program& program) {
  std::size_t count = 0;
  const PlanReport report = cpu::compile(program, {})->report({});
  count = static_cast<std::size_t>(report.steps);
  EXPECT_EQ(report.evaluated, std::vector<std::string>());
  return count;
}

TEST(Loops, NormsAndSoftmaxAreOneKernel) {
  const auto layer_norm = [](const Array& x, const Array& scale) {
    const Array centred = x - mean(x, {-1}, {.keepdims = true});
    return centred * lax::rsqrt(mean(centred * centred, {-1}, {.keepdims = true}) + 1e-5) * scale;
  };
  EXPECT_EQ(kernels_of(trace([](const Array& x) { return softmax(x); }, abstract({f32, {64, 100}}))), 1u);
  EXPECT_EQ(kernels_of(trace(layer_norm, abstract({f32, {64, 100}}), abstract({f32, {100}}))), 1u);
  const auto dropped = [](const Array& x) {
    const Array keep = random::bernoulli(random::key(1), 0.5, x.shape());
    return lax::select(keep, x * 2.0, lax::full_like(x, 0));
  };
  EXPECT_EQ(kernels_of(trace(dropped, abstract({f32, {64, 100}}))), 1u);
}

TEST(Loops, AResultLiesOverWhatIsReadWhereItIsWritten) {
  const auto may = [](const char* text, std::size_t input, std::size_t output) -> bool {
    return cpu::write_loops(*Program::parse(text))->in_place[input][output];
  };
  EXPECT_TRUE(may("{ a:f32[20], b:f32[20] ->\n c:f32[20] = add a b\n return c }", 0, 0));
  EXPECT_FALSE(may("{ a:f32[20] ->\n b:f32[20] = rev a {dimensions=[0]}\n return b }", 0, 0));
  EXPECT_FALSE(may("{ a:f32[4,4] ->\n b:f32[4,4] = transpose a {permutation=[1,0]}\n return b }", 0, 0));
  // Each row is read as a whole before it is written.
  const char* centred = R"({ a:f32[5,40] ->
    b:f32[5] = reduce_sum a {axes=[1]}
    c:f32[5,40] = broadcast_in_dim b {shape=[5,40], dimensions=[0]}
    d:f32[5,40] = sub a c
    return d })";
  EXPECT_TRUE(may(centred, 0, 0));
  // A column's sum reads rows that are written before.
  const char* columns = R"({ a:f32[40,40] ->
    b:f32[40] = reduce_sum a {axes=[0]}
    c:f32[40,40] = broadcast_in_dim b {shape=[40,40], dimensions=[1]}
    d:f32[40,40] = sub a c
    return d })";
  EXPECT_FALSE(may(columns, 0, 0));
}

/// A sum along rows whose results would stand side by side in lanes would be taken once for each element.
TEST(Loops, ASumIsNotTakenOnceForEachElementThatReadsIt) {
  EXPECT_EQ(kernels_of(Program::parse(R"({ a:f32[32,20] ->
    b:f32[32] = reduce_sum a {axes=[1]}
    c:f32[20,32] = broadcast_in_dim b {shape=[20,32], dimensions=[1]}
    return c })")),
            2u);
}

cpu::Loops loops_of(const Program& program) {
  cpu::LoopJudge judge;
  const Program whole = fuse(optimize(program), judge);
  EXPECT_EQ(whole->equations.size(), 1u) << whole;
  return *cpu::write_loops(*whole->equations[0].params.as<ops::Fused>().body);
}
std::int64_t count_of(Do what, const cpu::Code& code) {
  return std::count_if(code.values.begin(), code.values.end(),
                       [&](const cpu::Instruction& i) { return i.what == what; });
}

Array softmax_of_rows(const Array& x) { return softmax(x); }

TEST(Loops, SoftmaxComputesEachExponentialOnce) {
  const auto once = loops_of(trace(softmax_of_rows, abstract({f32, {6, 64}})));
  EXPECT_EQ(count_of(Do::shift_left, once.code), 1);
  EXPECT_EQ(once.code.own_memory, std::vector<std::int64_t>{64 * 4});
  EXPECT_TRUE(once.in_place[0][0]);
  // What is no whole vector is a second loop, for the sum and for what it keeps; memory is of whole vectors.
  const auto tail = loops_of(trace(softmax_of_rows, abstract({f32, {6, 50}})));
  EXPECT_EQ(count_of(Do::shift_left, tail.code), 2);
  EXPECT_EQ(tail.code.own_memory, std::vector<std::int64_t>{64 * 4});
  // More than the stack should hold is computed again.
  const auto wide = loops_of(trace(softmax_of_rows, abstract({f32, {6, 16384}})));
  EXPECT_EQ(count_of(Do::shift_left, wide.code), 2);
  EXPECT_TRUE(wide.code.own_memory.empty());
}

/// The first loop along a row waits for memory; the second one, which computes, has the next row fetched.
TEST(Loops, TheSecondLoopAlongARowFetchesTheNextOne) {
  const auto ahead = [](auto f, const Shape& shape) {
    std::vector<std::int64_t> bytes;
    for (const cpu::Instruction& i : loops_of(trace(f, abstract({f32, shape}))).code.values)
      if (i.what == Do::load && i.imm) bytes.push_back(i.imm);
    return bytes;
  };
  using Bytes = std::vector<std::int64_t>;
  EXPECT_EQ(ahead(softmax_of_rows, {6, 64}), Bytes{64 * 4});
  EXPECT_EQ(ahead(softmax_of_rows, {3, 6, 64}), Bytes{64 * 4});
  EXPECT_EQ(ahead(softmax_of_rows, {6, 16384}), Bytes());  // it would be gone until it is read
  const auto part = [](const Array& x) { return softmax(lax::slice(x, {0, 0}, {6, 64})); };
  EXPECT_EQ(ahead(part, {6, 8192}), Bytes{8192 * 4});  // a short row, and the next one far away
  const auto once = [](const Array& x) { return sum(exp(x), {-1}); };
  EXPECT_EQ(ahead(once, {6, 64}), Bytes());
  // Three loops: the mean, the variance, the result.
  const auto layer_norm = [](const Array& x) { return standardize(x); };
  EXPECT_EQ(ahead(layer_norm, {6, 64}), Bytes{64 * 4});
}

TEST(Loops, WhatIsCheapIsNotKept) {
  const auto centred = [](const Array& x) { return x - mean(x, {-1}, {.keepdims = true}); };
  const auto squares = [centred](const Array& x) {
    const Array c = centred(x);
    return c * lax::rsqrt(mean(c * c, {-1}, {.keepdims = true}));
  };
  EXPECT_TRUE(loops_of(trace(squares, abstract({f32, {6, 64}}))).code.own_memory.empty());
}

TEST(Loops, KeptRowsHaveTheSameBits) {
  const auto scores = [](const Array& x, const Array& y) {
    const Array p = softmax(x, -1) * tanh(y);
    return sum(log(sum(exp(p), {-1}) + 1) * sum(softmax(x * p, -1) * y, {-1}));
  };
  const auto gradient = [scores](const Array& x, const Array& y) { return grad(scores)(x, y); };
  for (const Shape& shape : {Shape{3, 16}, {3, 17}, {2, 3, 50}, {5, 7}, {4, 100}, {2, 9000}, {100}})
    for (const Program& program : {trace(softmax_of_rows, abstract({f32, shape})),
                                   trace(gradient, abstract({f32, shape}), abstract({f32, shape}))}) {
      const Arrays inputs = inputs_of(program, 5);
      expect_same_bits(cpu::compile(program, {})->run(inputs), run_apart(program, inputs), program);
    }
}

/// Readers that stand in other loops than the row's own.
TEST(Loops, KeptRowsAreReadFromLoopsInsideAndOutside) {
  const auto inside = [](const Array& x, const Array& w) {
    const std::int64_t rows = x.shape()[0], width = x.shape()[1];
    const Array p = softmax(x, -1), q = reshape(p, {rows, 1, width});
    return sum(q * w, {1}) + p;
  };
  const auto outside = [](const Array& x, const Array& w) {
    const Array p = softmax(sum(w, {0}), -1);
    return sum(p * x, {-1}, {.keepdims = true}) * x + p;
  };
  for (std::int64_t width : {16, 50, 64, 67})
    for (const Program& program :
         {trace(inside, abstract({f32, {5, width}}), abstract({f32, {12, width}})),
          trace(outside, abstract({f32, {5, width}}), abstract({f32, {12, width}}))}) {
      const Arrays inputs = inputs_of(program, 9);
      expect_same_bits(cpu::compile(program, {})->run(inputs), run_apart(program, inputs), program);
    }
}

TEST(Loops, LongColumnsAreSummedSideBySide) {
  const auto columns = [](const Array& x) { return sum(x, {0}); };
  const auto lanes_for = [&](const Shape& shape) {
    return loops_of(trace(columns, abstract({f32, shape}))).code.lanes;
  };
  EXPECT_EQ(lanes_for({100, 200}), 64);
  EXPECT_EQ(lanes_for({100, 63}), 16);  // narrower than four vectors
  EXPECT_EQ(lanes_for({20, 200}), 16);  // short
  EXPECT_EQ(
      loops_of(trace([](const Array& x) { return sum(x, {-1}); }, abstract({f32, {200, 100}}))).code.lanes,
      16);
}

/// Element after element, whatever lies side by side and whoever computes it.
TEST(Loops, ColumnsAreSummedInOrderByAnyThreads) {
  for (const auto& [rows, width] :
       {std::pair<std::int64_t, std::int64_t>{300, 701}, {77, 131}, {33, 64}, {50, 20}}) {
    const Program program = trace([](const Array& a) { return sum(a, {0}); }, abstract({f32, {rows, width}}));
    const Arrays inputs = inputs_of(program, 1);
    const auto read = inputs[0].read<float>();
    std::vector<float> want(static_cast<std::size_t>(width));
    for (std::size_t i = 0; i < read.values.size(); ++i) want[i % want.size()] += read.values[i];
    const ExecutablePtr executable = cpu::compile(program, {});
    for (int threads : {1, 2, 4})
      expect_same_bits(testing::run_by(threads, executable, inputs), {Array(want, Shape{width})}, program);
  }
}

TEST(Loops, EachThreadKeepsItsRows) {
  const Program program = trace(softmax_of_rows, abstract({f32, {700, 100}}));
  const Arrays inputs = inputs_of(program, 1);
  const ExecutablePtr executable = cpu::compile(program, {});
  const Arrays one = testing::run_by(1, executable, inputs);
  for (int threads : {2, 4}) expect_same_bits(testing::run_by(threads, executable, inputs), one, program);
}

TEST(Loops, CodeWithoutATailKnowsNoExtent) {
  const auto update = [](const Array& w) { return w - tanh(w) * 0.1; };
  const auto of = [&](const Shape& shape) { return loops_of(trace(update, abstract({f32, shape}))); };
  const cpu::Loops small = of({64}), large = of({32, 16});
  EXPECT_NE(small.range, large.range);
  EXPECT_EQ(small.code, large.code);
  EXPECT_NE(small.code, of({50}).code);
}

/// One function, compiled once, for both sizes.
TEST(Loops, AFunctionServesArraysOfSeveralSizes) {
  const auto both = [](const Array& x, const Array& y) {
    const auto update = [](const Array& w) { return w - tanh(w) * 0.1; };
    return std::vector<Array>{update(x), update(y)};
  };
  const Program program = trace(both, abstract({f32, {64}}), abstract({f32, {32, 16}}));
  const Arrays inputs = inputs_of(program, 2);
  expect_same_bits(cpu::compile(program, {})->run(inputs), run_apart(program, inputs), program);
}

}  // namespace
}  // namespace baton
