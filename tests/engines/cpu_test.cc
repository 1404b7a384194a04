// cpu: every row of every primitive, and random Programs under transforms, beside the reference.
#include "engines/cpu/cpu.h"

#include <gtest/gtest.h>

#include "baton/baton.h"
#include "ops/matrix.h"
#include "ops/row.h"
#include "ops/scatter.h"

namespace baton {
namespace {

/// Kernels take numbers below the normal ones for zero, and so must who compares.
Array without_subnormals(const Array& a) {
  const Dtype d = real_of(a.dtype());
  const long double least = d == f64 ? 0x1p-1022L : 0x1p-126L;
  if (!is_inexact(d) || d == f16) return a;
  auto all = testing::elements(a);
  const auto kept = [&](long double x) { return std::fabs(x) < least ? std::copysign(0.0L, x) : x; };
  for (auto& x : all) x = {kept(x.real()), kept(x.imag())};
  return testing::from_elements(a.type(), all);
}

/// Results without what is left open: of whole bases of svd only the vectors that belong to values.
Arrays determined(const Primitive& p, Arrays results) {
  if (&p != &ops::svd) return results;
  Array &u = results[0], &vt = results[2];
  const std::int64_t values = results[1].dim(-1);
  u = lax::slice_in_dim(u, 0, values, 1, u.rank() - 1);
  vt = lax::slice_in_dim(vt, 0, values, 1, vt.rank() - 2);
  return results;
}

void expect_same(const testing::Variant& v, const Primitive& p, const Arrays& inputs) {
  const Program program = testing::program_of(p, v.inputs, v.params);
  const Arrays want = determined(p, testing::run(program, inputs)),
               found = determined(p, cpu::compile(program, {})->run(inputs));
  ASSERT_EQ(found.size(), want.size());
  for (std::size_t k = 0; k < want.size(); ++k)
    // Sums may cancel: 64 units of the largest element.
    EXPECT_EQ(testing::difference(without_subnormals(found[k]), without_subnormals(want[k]), 64), "")
        << v.label << ", result " << k;
}

TEST(Cpu, EveryPrimitiveGivesWhatTheReferenceGives) {
  for (const auto* rows : {&testing::rows(), &testing::edge_rows()})
    for (const testing::Row& row : *rows) {
      if (!row.primitive->evaluate) continue;
      for (const testing::Variant& v : testing::variants(row)) {
        testing::Random random("cpu " + row.name());
        expect_same(v, *row.primitive, testing::draw(row, v.inputs, random));
        if (testing::may_loop_for_ever(*row.primitive, v.params)) continue;
        // Sums overflow or not by their order, and products of several by their precision.
        if (row.primitive->cost == Cost::compute_bound || row.primitive == &ops::scatter_mul) continue;
        Arrays specials;
        for (const Type& t : v.inputs) specials.push_back(without_subnormals(testing::specials(t, random)));
        expect_same(v, *row.primitive, specials);
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
