// cpu: every row of every primitive, and random Programs under transforms, beside the reference.
#include "engines/cpu/cpu.h"

#include <gtest/gtest.h>

#include "baton/baton.h"
#include "engines/comparable.h"

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

}  // namespace
}  // namespace baton
