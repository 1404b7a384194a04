// plan: small plans as integers, random ones before the judge, and the judge before broken plans.
#include "plan/plan.h"

#include <gtest/gtest.h>

#include "baton/baton.h"
#include "fuzz/function.h"
#include "passes/passes.h"

namespace baton {
namespace {

/// As the reference evaluates: elementwise operations read an element before they write it.
class Facts final : public StepFacts {
 public:
  std::int64_t scratch_bytes = 0;
  bool overwrites = true, fails = false, constants = false;
  std::string_view scratch_of = {};  // a primitive; empty: all
  std::int64_t scratch(const Equation& e) const override {
    return scratch_of.empty() || e.primitive->name == scratch_of ? scratch_bytes : 0;
  }
  bool in_place(const Equation& e, std::size_t, std::size_t) const override {
    return overwrites && e.primitive->elementwise;
  }
  bool may_fail(const Equation& e) const override { return fails && !e.primitive->elementwise; }
  bool is_constant(const Equation& e) const override { return constants && e.primitive->name == "constant"; }
};

Plan planned(const std::string& text, std::vector<int> take = {}, const Facts& facts = {}) {
  const Program program = Program::parse(text);
  take.resize(static_cast<std::size_t>(program->input_count), -1);
  Plan plan = make_plan(program, take, facts);
  validate(plan, facts);
  return plan;
}

TEST(Plan, AChainLiesInItsOutput) {
  const Plan plan = planned(R"({ a:f32[100] ->
    b:f32[100] = sin a
    c:f32[100] = cos b
    d:f32[100] = exp c
    return d })");
  EXPECT_EQ(plan.arena_bytes, 0);
  EXPECT_EQ(plan.copies.size(), 0u);
}

TEST(Plan, WithoutOverwritingTwoBuffersTakeTurns) {
  Facts facts;
  facts.overwrites = false;
  const Plan plan = planned(R"({ a:f32[16] ->
    b:f32[16] = sin a
    c:f32[16] = cos b
    d:f32[16] = exp c
    e:f32[16] = log d
    return e })",
                            {}, facts);
  EXPECT_EQ(plan.arena_bytes, 128);
}

TEST(Plan, ADonatedStateIsUpdatedInItsPlace) {
  const char* text = R"({ w:f32[100], g:f32[100] ->
    a:f32[100] = mul w g
    b:f32[100] = sub w a
    return b })";
  const Plan donated = planned(text, {0, -1});
  EXPECT_EQ(donated.arena_bytes, 448);  // a: 400 bytes in whole cache lines
  EXPECT_EQ(donated.copies.size(), 0u);
  EXPECT_EQ(donated.places[3], (Place{Place::Kind::output, 0, 0}));
  EXPECT_EQ(planned(text).arena_bytes, 0);  // without donation, a lies in the output too
}

/// The gradient of the layer below reads the weight too: the update waits for it, and nothing is copied.
TEST(Plan, AnUpdateGoesBehindTheLastWhoReadsTheOldValue) {
  const char* text = R"({ w:f32[16], x:f32[16], v:f32[16] ->
    g:f32[16] = mul x x
    a:f32[16] = sub w g
    h:f32[16] = mul w x
    b:f32[16] = sub v h
    return a, b })";
  const Plan plan = planned(text, {0, -1, 1});
  EXPECT_EQ(plan.copies.size(), 0u);
  EXPECT_EQ(plan.places[4].kind, Place::Kind::output);
}

/// The output is seen by a reshape: what ends there may not begin where the donated input is still read.
TEST(Plan, ADonatedStateIsUpdatedInItsPlaceThroughAView) {
  const Plan plan = planned(R"({ w:f32[2,8], x:f32[16] ->
    a:f32[16] = sin x
    b:f32[16] = reshape w {shape=[16]}
    c:f32[16] = mul a b
    d:f32[16] = cos c
    e:f32[2,8] = reshape d {shape=[2,8]}
    return e })",
                            {0, -1});
  EXPECT_EQ(plan.copies.size(), 0u);
  EXPECT_EQ(plan.arena_bytes, 64);
}

/// The sum may fail when the first update has been made: that update waits in the arena.
TEST(Plan, NoDonatedMemoryIsWrittenBeforeAStepThatMayFail) {
  const char* text = R"({ w:f32[100], v:f32[100] ->
    a:f32[100] = sin w
    b:f32[] = reduce_sum a {axes=[0]}
    c:f32[100] = mul v v
    return a, b, c })";
  Facts facts;
  facts.fails = true;
  const Plan plan = planned(text, {0, 2}, facts);
  EXPECT_EQ(plan.copies.size(), 1u);
  EXPECT_EQ(plan.places[2].kind, Place::Kind::arena);
  EXPECT_EQ(plan.places[4], (Place{Place::Kind::output, 2, 0}));
  Plan bad = plan;
  bad.places[2] = {Place::Kind::output, 0, 0};
  EXPECT_THROW(validate(bad, facts), InternalError);
}

TEST(Plan, AValueThatIsReadAfterTheUpdateKeepsItsMemory) {
  const Plan plan = planned(R"({ w:f32[16] ->
    a:f32[16] = sin w
    b:f32[] = reduce_sum w {axes=[0]}
    return a, b })",
                            {0});
  // The sum reads w after a is made, so a waits in the arena; or the sum goes first.
  EXPECT_LE(plan.arena_bytes, 64);
}

TEST(Plan, ASwapNeedsMemoryOfItsOwn) {
  const Plan plan = planned(R"({ a:f32[2,3], b:f32[3,2] ->
    c:f32[3,2] = reshape a {shape=[3,2]}
    d:f32[2,3] = reshape b {shape=[2,3]}
    return d, c })",
                            {0, 1});
  EXPECT_EQ(plan.copies.size(), 2u);
  EXPECT_EQ(plan.take, (std::vector<int>{-1, -1}));
}

/// Passes may find that an output is the input whose memory another output was to take.
TEST(Plan, ADonatedInputThatIsAnotherOutputKeepsItsMemory) {
  const Plan plan = planned(R"({ a:f32[2], x:f32[2] ->
    b:f32[2] = sin x
    return b, a })",
                            {0, -1});
  EXPECT_EQ(plan.take, (std::vector<int>{-1, -1}));
  EXPECT_EQ(plan.copies.size(), 0u);
}

TEST(Plan, InputsLiteralsAndTwinsAreCopiedOrHandedOn) {
  const Plan plan = planned(R"({ a:f32[2] ->
    b:f32[2] = sin a
    return a, b, b, 1.0:f32, a })");
  EXPECT_EQ(plan.copies.size(), 3u);  // the second b, the literal, the second a
}

TEST(Plan, ResultsThatNobodyReadsHaveRoomForTheirStep) {
  const Plan plan = planned(R"({ a:f32[16], b:s32[16] ->
    c:f32[16], d:s32[16] = sort a b {dimension=0, is_stable=true, num_keys=1}
    return c })");
  EXPECT_EQ(plan.steps.size(), 1u);
}

/// Two gradients and two updates: an update right behind its gradient needs one temporary less.
TEST(Plan, AnUpdateComesRightAfterItsGradient) {
  const Plan plan = planned(R"({ x:f32[4], v:f32[400], w:f32[400] ->
    a:f32[400] = broadcast_in_dim 2.0:f32 {shape=[400], dimensions=[]}
    b:f32[400] = broadcast_in_dim 3.0:f32 {shape=[400], dimensions=[]}
    c:f32[400] = mul v a
    d:f32[400] = mul w b
    e:f32[400] = sub v c
    f:f32[400] = sub w d
    return e, f })",
                            {-1, 0, 1});
  EXPECT_EQ(plan.arena_bytes, 1600);
}

/// Written as a trace gives it, all gradients and then all updates; an order that always takes what is
/// smallest would make the small values of the end first. Each gradient goes before the next is made.
TEST(Plan, WhatFreesMemoryRunsAtOnce) {
  const Plan plan = planned(R"({ x:f32[4], u:f32[400], v:f32[400], w:f32[400] ->
    a:f32[400] = broadcast_in_dim 2.0:f32 {shape=[400], dimensions=[]}
    b:f32[400] = sin a
    c:f32[400] = cos b
    d:f32[400] = exp c
    e:f32[400] = sub u b
    f:f32[400] = sub v c
    g:f32[400] = sub w d
    return e, f, g })",
                            {-1, 0, 1, 2});
  std::vector<std::string_view> names;
  for (const PlanStep& s : plan.steps)
    names.push_back(plan.program->equations[static_cast<std::size_t>(s.equation)].primitive->name);
  EXPECT_EQ(names,
            (std::vector<std::string_view>{"broadcast_in_dim", "sin", "sub", "cos", "sub", "exp", "sub"}));
  EXPECT_EQ(plan.arena_bytes, 1600);  // each is made over the one before
}

TEST(Plan, ScratchIsApartFromWhatIsAlive) {
  Facts facts;
  facts.scratch_bytes = 100;
  const Plan plan = planned(R"({ a:f32[16] ->
    b:f32[16] = sin a
    c:f32[16] = cos a
    d:f32[16] = mul b c
    return d })",
                            {}, facts);
  EXPECT_EQ(plan.arena_bytes, 128 + 64);  // scratch, and one of b and c; the other lies in the output
}

/// As written, and with the sort first: the same values are alive at most, but beside more of them or less it
/// sorts in memory of its own.
TEST(Plan, ScratchRunsWhereLeastIsAlive) {
  Facts facts;
  facts.scratch_bytes = 10000;
  facts.scratch_of = "sort";
  const Plan plan = planned(R"({ x:f32[400], y:f32[64] ->
    b:f32[400] = sin x
    c:f32[64] = sort y {dimension=0, is_stable=true, num_keys=1}
    d:f32[464] = concatenate b c {dimension=0}
    return d })",
                            {}, facts);
  EXPECT_EQ(plan.steps[0].equation, 1);
  EXPECT_EQ(plan.arena_bytes, 256 + 10048);  // 1600 more as written
}

TEST(Plan, ItsTextSaysWhereEverythingIs) {
  Facts facts;
  facts.scratch_bytes = 100;
  const Plan plan = planned(R"({ a:f32[16], b:f32[16] ->
    c:f32[16] = sin a
    d:f32[16] = cos b
    e:f32[16] = mul c d
    f:f32[] = reduce_sum e {axes=[0]}
    g:f32[] = add f 1.0:f32
    return e, g, g })",
                            {0, -1}, facts);
  EXPECT_EQ(show(plan), R"(arena of 192 bytes
input 0: a f32[16], becomes output 0
input 1: b f32[16]
step 0: equation 0, sin
  reads  a f32[16] in input 0
  writes c f32[16] in output 0
  scratch arena [0, 100)
step 1: equation 1, cos
  reads  b f32[16] in input 1
  writes d f32[16] in arena [128, 192)
  scratch arena [0, 100)
step 2: equation 2, mul
  reads  c f32[16] in output 0
  reads  d f32[16] in arena [128, 192)
  writes e f32[16] in output 0
  scratch arena [0, 100)
step 3: equation 3, reduce_sum
  reads  e f32[16] in output 0
  writes f f32[] in output 1
  scratch arena [0, 100)
step 4: equation 4, add
  reads  f f32[] in output 1
  reads  1.0:f32 f32[] in literal 0
  writes g f32[] in output 1
  scratch arena [0, 100)
copy: output 2 = g f32[] in output 1
output 0: e
output 1: g
output 2: g
)");
}

TEST(Plan, RandomProgramsPassTheJudge) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto f = [seed](const Array& x, const Array& y) { return testing::random_function(seed, x, y); };
    const auto loss = [f](const Array& x, const Array& y) { return lax::reduce_sum(f(x, y), {0}); };
    const auto x = abstract({f64, {3}}), y = abstract({f64, {2, 3}});
    const auto step = [loss](const Array& a, const Array& b) {
      auto [value, g] = value_and_grad(loss)(a, b);
      return std::tuple(lax::sub(a, g), b, value);
    };
    for (const Program& p : {trace(f, x, y), trace(grad(checkpoint(loss)), x, y), trace(step, x, y)}) {
      for (const Program& program : {p, optimize(p)}) {
        Facts facts;
        facts.scratch_bytes = seed % 3 * 40;
        facts.overwrites = seed % 2;
        facts.fails = seed % 5 < 2;
        for (const std::vector<int>& take : {std::vector<int>{-1, -1}, std::vector<int>{0, -1}}) {
          if (take[0] == 0 && program.outputs()[0] != program.inputs()[0]) continue;
          const Plan plan = make_plan(program, take, facts);
          validate(plan, facts);
        }
      }
    }
  }
}

/// The judge is worth something: it refuses plans that were right until one thing was changed.
class Judge : public ::testing::Test {
 protected:
  void begin(const std::string& text, std::vector<int> take = {}) {
    good = planned(text, std::move(take), facts);
  }
  void refuses(const char* what, FunctionRef<void(Plan&)> breaks) const {
    Plan bad = good;
    breaks(bad);
    EXPECT_THROW(validate(bad, facts), InternalError) << what << " passes the judge";
  }

  Facts facts;
  Plan good;
};

TEST_F(Judge, SeesFaultsOfStepsAndPlaces) {
  begin(R"({ a:f32[16], b:f32[16] ->
    c:f32[16] = add a b
    d:f32[16] = sin c
    e:f32[16] = mul c d
    f:f32[16] = reshape e {shape=[16]}
    g:f32[16] = sub f a
    h:f32[16] = dot_general g f {lhs_contract=[], rhs_contract=[], lhs_batch=[0], rhs_batch=[0], preferred=""}
    return g, h, b })",
        {0, -1});
  for (std::size_t s = 0; s < good.steps.size(); ++s) {
    refuses("a missing step",
            [&](Plan& p) { p.steps.erase(p.steps.begin() + static_cast<std::ptrdiff_t>(s)); });
    refuses("a step twice", [&](Plan& p) { p.steps.push_back(p.steps[s]); });
    if (s > 0) refuses("steps in another order", [&](Plan& p) { std::swap(p.steps[s], p.steps[s - 1]); });
  }
  refuses("an input that is overwritten", [](Plan& p) { p.places[2] = {Place::Kind::input, 1, 0}; });
  refuses("a literal that is overwritten", [](Plan& p) { p.places[2] = {Place::Kind::literal, 0, 0}; });
  refuses("an odd offset", [](Plan& p) { p.places[3] = {Place::Kind::arena, 0, 4}; });
  refuses("a place behind the arena", [](Plan& p) { p.places[3] = {Place::Kind::arena, 0, p.arena_bytes}; });
  refuses("a take that was not promised", [](Plan& p) {
    p.take[0] = -1;
    p.copies.push_back({5, 0});
    p.places[6] = p.places[0];
  });
  refuses("a view elsewhere", [](Plan& p) { p.places[5] = {Place::Kind::input, 0, 0}; });
}

TEST_F(Judge, SeesScratchOverWhatIsAlive) {
  facts.scratch_bytes = 100;
  facts.overwrites = false;
  begin(R"({ a:f32[16] ->
    b:f32[16] = sin a
    c:f32[16] = cos b
    d:f32[16] = exp c
    e:f32[16] = mul b d
    return e })");
  ASSERT_EQ(good.places[1].kind, Place::Kind::arena);
  const std::int64_t b = good.places[1].offset, c = good.places[2].offset;
  refuses("scratch over a result", [&](Plan& p) { p.steps[0].scratch = b; });
  refuses("scratch over an operand", [&](Plan& p) { p.steps[1].scratch = b; });
  refuses("scratch over a value that is read later", [&](Plan& p) { p.steps[2].scratch = b; });
  refuses("scratch over the end of a result", [&](Plan& p) { p.steps[1].scratch = c - 64; });
  refuses("scratch at an odd offset", [](Plan& p) { ++p.steps[0].scratch; });
  refuses("scratch behind the arena", [](Plan& p) { p.steps[0].scratch = p.arena_bytes - 64; });
  refuses("scratch of fewer bytes", [](Plan& p) { p.steps[0].scratch_bytes = 64; });
}

TEST_F(Judge, SeesAMissingCopy) {
  begin(R"({ a:f32[2] ->
    b:f32[2] = sin a
    return a, b, b, 1.0:f32, a })");
  ASSERT_EQ(good.copies.size(), 3u);
  for (std::size_t i = 0; i < good.copies.size(); ++i)
    refuses("a removed copy",
            [&](Plan& p) { p.copies.erase(p.copies.begin() + static_cast<std::ptrdiff_t>(i)); });
  refuses("a copy of another value", [](Plan& p) { p.copies[0].from = p.copies[1].from; });
}

TEST_F(Judge, SeesEffectsOutOfOrder) {
  begin(R"({ f:u64[], a:f32[2] ->
    b:f32[2] = host_function f a {name="first", kind=io, results={ a:f32[2] ->
      return }}
    c:f32[2] = host_function f a {name="second", kind=io, results={ a:f32[2] ->
      return }}
    return b, c })");
  ASSERT_EQ(good.steps.size(), 2u);
  refuses("effects in another order", [](Plan& p) { std::swap(p.steps[0], p.steps[1]); });
}

TEST_F(Judge, SeesTwoResultsInOnePlace) {
  begin(R"({ a:f32[16], b:f32[16] ->
    c:f32[16], d:f32[16] = sort a b {dimension=0, is_stable=true, num_keys=1}
    e:f32[16] = sin c
    f:f32[16] = sin d
    return e, f })");
  refuses("two results in one place", [](Plan& p) { p.places[3] = p.places[2]; });
  refuses("a result over the end of another", [](Plan& p) {
    p.arena_bytes = 192;
    p.places[2] = {Place::Kind::arena, 0, 0};
    p.places[3] = {Place::Kind::arena, 0, 0};
  });
}

TEST_F(Judge, SeesAConstantElsewhere) {
  facts.constants = true;
  begin(R"({ a:f32[2] ->
    b:f32[2] = constant {type=f32[2], bytes=0x0000803f00000040}
    c:f32[2] = constant {type=f32[2], bytes=0x0000004000000040}
    d:f32[2] = mul b c
    return d })");
  ASSERT_EQ(good.places[1], (Place{Place::Kind::constant, 0, 0}));
  refuses("a constant in the place of another", [](Plan& p) { p.places[1].index = 1; });
  refuses("a constant in the arena", [](Plan& p) {
    p.arena_bytes = 64;
    p.places[1] = {Place::Kind::arena, 0, 0};
  });
  refuses("a step for a constant", [](Plan& p) { p.steps.insert(p.steps.begin(), PlanStep{0, 0, 0}); });
  refuses("a constant that is overwritten", [](Plan& p) { p.places[3] = p.places[1]; });
}

}  // namespace
}  // namespace baton
