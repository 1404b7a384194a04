// report: the numbers and names of a Plan's report, step by step.
#include "plan/report.h"

#include <gtest/gtest.h>

#include "baton/baton.h"
#include "fuzz/function.h"
#include "ops/fused.h"
#include "passes/passes.h"
#include "trace/origin.h"

namespace baton {
namespace {

class Facts final : public StepFacts {
 public:
  std::int64_t scratch_bytes = 0;
  bool overwrites = true;
  std::int64_t scratch(const Equation&) const override { return scratch_bytes; }
  bool in_place(const Equation& e, std::size_t, std::size_t) const override {
    return overwrites && e.primitive->elementwise;
  }
  bool may_fail(const Equation&) const override { return false; }
};

const auto nothing = [](std::size_t) { return std::vector<PlannedValue>(); };

PlanReport report(const Program& program, const Facts& facts) {
  const Plan plan =
      make_plan(program, std::vector<int>(static_cast<std::size_t>(program->input_count), -1), facts);
  validate(plan, facts);
  return report_of(plan, {}, nothing);
}
PlanReport report(const char* text, const Facts& facts) { return report(Program::parse(text), facts); }

using Bytes = std::vector<std::size_t>;
Bytes timeline(const PlanReport& r) {
  Bytes bytes;
  for (const PlannedStep& step : r.timeline) bytes.push_back(step.bytes);
  return bytes;
}
std::string lines(const PlanReport& r) { return largest_text(r); }

TEST(Report, CountsScratchOfSteps) {
  Facts facts;
  facts.scratch_bytes = 100;
  const PlanReport r = report(R"({ a:f32[16] ->
    b:f32[16] = sin a
    c:f32[16] = cos a
    d:f32[16] = mul b c
    return d })",
                              facts);
  EXPECT_EQ(r.arena_bytes, 192u);
  EXPECT_EQ(timeline(r), (Bytes{128, 192, 192}));
  EXPECT_EQ(lines(r), R"(
  The largest values at its peak:
    100 B  u8[100]  scratch of cos
    64 B  f32[16]  input 0
    64 B  f32[16]  mul
    64 B  f32[16]  cos)");
}

/// A value without elements takes no place of another.
TEST(Report, WhatIsEmptyTakesNothing) {
  Facts facts;
  facts.overwrites = false;
  const PlanReport r = report(R"({ a:f32[100], b:f32[0] ->
    c:f32[100] = sin a
    d:f32[0] = sin b
    e:f32[0] = cos d
    f:f32[100] = cos c
    return e, f })",
                              facts);
  EXPECT_EQ(r.arena_bytes, 448u);
  EXPECT_EQ(timeline(r), (Bytes{448, 448, 448, 448}));
  EXPECT_NE(lines(r).find("    400 B  f32[100]  sin\n"), std::string::npos) << lines(r);
}

/// Packing loses nothing on Programs as small as these, so the most of the timeline is the arena.
TEST(Report, ItsMostIsTheArena) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto f = [seed](const Array& x, const Array& y) { return testing::random_function(seed, x, y); };
    const auto loss = [f](const Array& x, const Array& y) { return lax::reduce_sum(f(x, y), {0}); };
    const auto x = abstract({f64, {3}}), y = abstract({f64, {2, 3}});
    for (const Program& program : {optimize(trace(f, x, y)), trace(grad(checkpoint(loss)), x, y)}) {
      Facts facts;
      facts.scratch_bytes = static_cast<std::int64_t>(seed % 3) * 40;
      facts.overwrites = seed % 2;
      const PlanReport r = report(program, facts);
      const Bytes bytes = timeline(r);
      EXPECT_EQ(bytes.empty() ? 0 : *std::max_element(bytes.begin(), bytes.end()), r.arena_bytes)
          << "seed " << seed << "\n"
          << program;
    }
  }
}

/// A group stands for several lines; each of its results has the line of the equation that makes it.
TEST(Report, NamesTheEquationInsideAGroup) {
  Builder inside;
  const Var x = inside.input({f32, {16}});
  const auto unary = [&](const char* name, Var v, int line) {
    return inside.equation(*find_primitive(name), {}, {v}, {{f32, {16}}},
                           origin_number({"model.cc", line}, "dense"))[0];
  };
  const Var a = unary("sin", x, 2), b = unary("cos", a, 3);
  const Program body = inside.finish({a, b});
  Builder outside;
  const Var y = outside.input({f32, {16}});
  const std::vector<Var> both = outside.equation(
      ops::fused, ops::Fused{body}, {y}, {{f32, {16}}, {f32, {16}}}, origin_number({"model.cc", 3}, "dense"));
  Facts facts;
  facts.overwrites = false;
  const PlanReport r = report(outside.finish({both[0], both[1]}), facts);
  EXPECT_EQ(lines(r), R"(
  The largest values at its peak:
    64 B  f32[16]  input 0
    64 B  f32[16]  sin at model.cc:2 dense
    64 B  f32[16]  cos at model.cc:3 dense)");
}

TEST(Report, ListsTheTenLargest) {
  std::string in;
  const char* names = "abcdefghijkl";
  for (int i = 0; i < 12; ++i)
    in += std::string(i ? ", " : "") + names[i] + ":f32[" + std::to_string(100 + i) + "]";
  const PlanReport r = report(("{ " + in + " -> return a }").c_str(), {});
  ASSERT_EQ(r.largest.size(), 10u);
  EXPECT_EQ(r.largest.front().what, "input 11");
  EXPECT_EQ(r.largest.back().what, "input 2");
  for (std::size_t i = 1; i < 10; ++i) EXPECT_GT(r.largest[i - 1].bytes, r.largest[i].bytes);
}

}  // namespace
}  // namespace baton
