// cpu: every row of every primitive, and random Programs under transforms, beside the reference.
#include "engines/cpu/cpu.h"

#include <gtest/gtest.h>

#include <bit>

#include "baton/baton.h"
#include "engines/comparable.h"
#include "on_cpu.h"

namespace baton {
namespace {

/// Beside the reference; and first interpreted, which must give the bits of machine code.
void expect_same(const testing::Variant& v, const Primitive& p, const std::vector<Arrays>& calls) {
  const Program program = testing::program_of(p, v.inputs, v.params);
  std::vector<Arrays> interpreted;
  const ExecutablePtr waiting = cpu::compile(program, {}, cpu::Compile::when_worth);
  for (const Arrays& inputs : calls) interpreted.push_back(waiting->run(inputs));
  const ExecutablePtr compiled = testing::machine_code_is_tested ? cpu::compile(program, {}) : waiting;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto of = [&](Arrays results) { return testing::determined(p, std::move(results)); };
    const Arrays want = of(testing::run(program, calls[i])), found = of(compiled->run(calls[i])),
                 as_code = of(interpreted[i]);
    ASSERT_EQ(found.size(), want.size());
    for (std::size_t k = 0; k < want.size(); ++k) {
      // Sums may cancel: 64 units of the largest element.
      EXPECT_EQ(testing::difference(testing::without_subnormals(found[k]),
                                    testing::without_subnormals(want[k]), 64),
                "")
          << v.label << ", result " << k;
      EXPECT_EQ(testing::difference_of_bits(found[k], as_code[k]), "") << v.label << ", result " << k;
    }
  }
}

TEST(Cpu, EveryPrimitiveGivesWhatTheReferenceGives) {
  for (const auto* rows : {&testing::rows(), &testing::edge_rows()})
    for (const testing::Row& row : *rows) {
      if (!row.primitive->evaluate) continue;
      for (const testing::Variant& v : testing::variants(row)) {
        testing::Random random("cpu " + row.name());
        std::vector<Arrays> calls = {testing::draw(row, v.inputs, random)};
        if (!testing::may_loop_for_ever(*row.primitive, v.params) &&
            row.primitive->cost != Cost::compute_bound &&  // sums overflow or not, by their order
            row.primitive->name != "scatter_mul") {        // products of several, by their precision
          calls.emplace_back();
          for (const Type& t : v.inputs)
            calls[1].push_back(testing::without_subnormals(testing::specials(t, random)));
        }
        expect_same(v, *row.primitive, calls);
      }
    }
}

/// The memory of a donated input is that of the output, and the results are the same.
TEST(Cpu, ADonatedInputIsTheOutput) {
  const Program program = Program::parse(R"({ w:f32[3], g:f32[3] ->
    a:f32[3] = mul w g
    b:f32[3] = sub w a
    return b })");
  const Array g({1.f, 2.f, 3.f});
  Array w({4.f, 5.f, 6.f});
  const void* memory = w.data();
  Arrays inputs = {std::move(w), g};
  const Arrays out = cpu::compile(program, {0, -1})->run(std::move(inputs));
  EXPECT_EQ(out[0].data(), memory);
  EXPECT_EQ(out[0].read<float>().vector(), (std::vector<float>{0, -5, -12}));
}

/// A call takes its outputs and one arena, whatever the Program holds.
TEST(Cpu, ACallTakesItsMemoryAtOnce) {
  const Program program = Program::parse(R"({ a:f32[8] ->
    b:f32[8] = sin a
    c:f32[] = reduce_sum b {axes=[0]}
    d:f32[8] = mul b a
    e:f32[8] = cos d
    return c, e })");
  const ExecutablePtr executable = cpu::compile(program, {});
  const Array a({1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f});
  const std::int64_t before = counters().allocations;
  const Arrays out = executable->run({a});
  EXPECT_LE(counters().allocations - before, 3);
}

class Subnormals : public testing::OnCpu {};
/// Subnormal numbers are zero, of their sign, to max, min and what chooses by order, whoever computes them:
/// fused, alone, interpreted or compiled.
TEST_F(Subnormals, AreZeroToMaxAndMin) {
  const float tiny = 1e-40f, less = 1e-39f;
  const std::vector<float> xs = {tiny, -tiny, tiny, -less, -1, 1, tiny, 0, -tiny, 0},
                           ys = {-1, 1, less, -tiny, tiny, -tiny, -tiny, -tiny, 0, tiny},
                           greatest = {0, 1, 0, -0.f, 0, 1, 0, 0, 0, 0},
                           smallest = {-1, -0.f, 0, -0.f, -1, -0.f, -0.f, -0.f, -0.f, 0};
  const Array x = tile(Array(xs, {10}), {40}), y = tile(Array(ys, {10}), {40});
  const auto bits = [](const Array& a) {
    const auto all = a.read<float>();
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < 10; ++i) found.push_back(std::bit_cast<std::uint32_t>(all.values[i]));
    return found;
  };
  const auto bits_of = [&](const std::vector<float>& all) { return bits(Array(all, {10})); };
  const auto larger = [](const Array& a, const Array& b) { return lax::max(a, b); };
  const auto smaller = [](const Array& a, const Array& b) { return lax::min(a, b); };
  const auto chosen = [](const Array& a, const Array& b) { return where(a > b, a, b); };
  const auto chosen_and_more = [](const Array& a, const Array& b) {
    return std::pair(where(a > b, a, b), lax::max(a, b) + a);
  };
  EXPECT_EQ(bits(jit(larger)(x, y)), bits_of(greatest));
  EXPECT_EQ(bits(jit(smaller)(x, y)), bits_of(smallest));
  EXPECT_EQ(bits(larger(x, y)), bits_of(greatest));
  EXPECT_EQ(bits(smaller(x, y)), bits_of(smallest));
  EXPECT_EQ(bits(jit(chosen)(x, y)), bits(chosen(x, y)));
  EXPECT_EQ(bits(jit(chosen_and_more)(x, y).first), bits(chosen(x, y)));
  const Array row({-1.f, tiny, -1.f, -less}), below({-less, -0.f, -tiny, -1.f});
  const auto most = [](const Array& a) { return lax::reduce_max(a, {0}); };
  for (const Array& a : {most(row), jit(most)(row)})
    EXPECT_EQ(std::bit_cast<std::uint32_t>(a.read<float>()[0]), 0u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(jit(most)(below).read<float>()[0]), 0x80000000u);
}

}  // namespace
}  // namespace baton
