// passes: text to text, and the law that a pass changes no bit of any result.
// tests/passes/NAME.txt holds cases of the pass NAME: a remark, a Program, `----`, the Program that it
// becomes;
// `====` between cases.
#include "passes/passes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "baton/baton.h"
#include "engines/cpu/cpu.h"
#include "engines/cpu/loop_judge.h"
#include "engines/reference/reference.h"
#include "fuzz/function.h"

namespace baton {
namespace {

struct Pass {
  const char* name;
  Program (*run)(const Program&);
};
Program fused(const Program& program) {
  cpu::LoopJudge judge;
  return fuse(program, judge);
}
const Pass passes[] = {{"inline_calls", inline_calls}, {"simplify", simplify}, {"merge_equal", merge_equal},
                       {"drop_unused", drop_unused},   {"optimize", optimize}, {"fuse", fused}};

class Passes : public ::testing::TestWithParam<Pass> {};
INSTANTIATE_TEST_SUITE_P(Each, Passes, ::testing::ValuesIn(passes),
                         [](const auto& info) { return std::string(info.param.name); });

struct Case {
  std::string remark;
  Program before, after;
};

std::vector<Case> cases_of(const std::string& pass) {
  std::ifstream file(BATON_TEST_DATA "/../passes/" + pass + ".txt");
  std::vector<Case> cases;
  std::string line, remark, before, now;
  const auto end = [&] {
    if (!remark.empty()) cases.push_back({remark, Program::parse(before), Program::parse(now)});
    remark = before = now = "";
  };
  while (std::getline(file, line)) {
    if (line == "====")
      end();
    else if (line == "----")
      before = std::exchange(now, "");
    else if (line.starts_with("# "))
      remark = line.substr(2);
    else
      now += line + "\n";
  }
  end();
  return cases;
}

TEST_P(Passes, TextToText) {
  const std::vector<Case> cases = cases_of(GetParam().name);
  if (std::string(GetParam().name) != "optimize") EXPECT_FALSE(cases.empty());
  for (const Case& c : cases) {
    const Program found = GetParam().run(c.before);
    check(found);
    EXPECT_EQ(found.text(), c.after.text()) << c.remark;
    EXPECT_EQ(GetParam().run(found).text(), found.text()) << c.remark << ": a second run finds something";
  }
}

/// Values that tell bits apart: a zero of each sign, numbers that round, and no NaN, whose bits are free.
Array values_of(const Type& type, std::uint64_t seed) {
  testing::SeededNumbers random(seed);
  const Array drawn = testing::random_array({f64, type.shape}, random);
  return lax::convert_element_type(drawn, type.dtype);
}

/// On the reference, which knows no passes: the engines that do would change both sides alike.
void expect_same_bits(const Program& before, const Program& after, std::uint64_t seed) {
  ASSERT_EQ(before.inputs(), after.inputs());
  Arrays inputs;
  for (const Type& t : before.inputs()) inputs.push_back(values_of(t, ++seed));
  const Arrays want = reference::compile(before, {})->run(inputs),
               found = reference::compile(after, {})->run(inputs);
  ASSERT_EQ(want.size(), found.size());
  for (std::size_t k = 0; k < want.size(); ++k) {
    ASSERT_EQ(want[k].type(), found[k].type());
    if (want[k].size())
      EXPECT_EQ(std::memcmp(want[k].data(), found[k].data(), want[k].type().bytes()), 0)
          << "result " << k << ":\n"
          << want[k] << "\n"
          << found[k] << "\nbefore " << before << "\nafter " << after;
  }
}

TEST_P(Passes, KeepEveryBitOfTheirCases) {
  for (const Pass& pass : passes)
    for (const Case& c : cases_of(pass.name)) expect_same_bits(c.before, GetParam().run(c.before), 7);
}

/// Random functions under transforms, which make calls, loops, barriers and unused results.
TEST_P(Passes, KeepEveryBitOfRandomPrograms) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const auto f = [seed](const Array& x, const Array& y) { return testing::random_function(seed, x, y); };
    const auto loss = [f](const Array& x, const Array& y) { return lax::reduce_sum(f(x, y), {0}); };
    const auto x = abstract({f64, {3}}), y = abstract({f64, {2, 3}});
    const Program programs[] = {trace(f, x, y), trace(grad(loss), x, y), trace(grad(checkpoint(loss)), x, y),
                                trace(vmap(f), abstract({f64, {4, 3}}), abstract({f64, {4, 2, 3}}))};
    for (const Program& before : programs) {
      const Program after = GetParam().run(before);
      check(after);
      EXPECT_EQ(GetParam().run(after).hash(), after.hash()) << "a second run finds something in\n" << after;
      expect_same_bits(before, after, seed);
    }
  }
}

/// Every row of every primitive, as a Program of one equation.
TEST_P(Passes, KeepEveryBitOfEveryPrimitive) {
  for (const Primitive* p : all_primitives()) {
    std::vector<Example> rows = p->examples;
    if (p->program_examples)
      for (const Example& row : p->program_examples()) rows.push_back(row);
    for (const Example& row : rows) {
      if (!p->evaluate) continue;
      Builder builder;
      std::vector<Var> in;
      for (const Type& t : row.inputs) in.push_back(builder.input(t));
      const Program before =
          builder.finish(builder.equation(*p, row.params, in, result_types(*p, row.inputs, row.params), 0));
      const Program after = GetParam().run(before);
      check(after);
      SCOPED_TRACE(std::string(p->name));
      expect_same_bits(before, after, 3);
    }
  }
}

/// How often the engine is asked while a function is fused.
template <class F>
int questions_of(F f, const Shape& shape) {
  struct Counting final : FusionJudge {
    cpu::LoopJudge judge;
    int asked = 0;
    std::optional<double> work(const Program& body) override {
      ++asked;
      return judge.work(body);
    }
  } counting;
  fuse(optimize(trace(f, abstract({f32, shape}))), counting);
  return counting.asked;
}

TEST(Fuse, AsksOnceForEachContent) {
  // Blocks apart from each other by products, with sums in them.
  const auto blocks = [](int count) {
    return [count](Array x) {
      for (int i = 0; i < count; ++i) x = matmul(softmax(x, -1) * tanh(x), x);
      return x;
    };
  };
  EXPECT_GT(questions_of(blocks(1), {32, 32}), 0);
  EXPECT_EQ(questions_of(blocks(4), {32, 32}), questions_of(blocks(2), {32, 32}));
}

TEST(Fuse, DoesNotAskWhereOneLoopDoesBoth) {
  // Each operation alone; none of the eight ways to go on.
  const auto chain = [](const Array& x) {
    Array y = x;
    for (int i = 1; i < 10; ++i) y = y * sin(y);
    return y;
  };
  EXPECT_EQ(questions_of(chain, {32, 32}), 2);
}

/// What no trace can make: a type rule refuses it, which is our mistake, and names the pass behind which it
/// is seen.
TEST(Check, AProgramThatARuleRefusesIsOurMistake) {
  ASSERT_TRUE(checks_programs()) << "run this with BATON_CHECK=1";
  Builder builder;
  const std::vector<Var> in = {builder.input({f32, {2}}), builder.input({f32, {3}})};
  const Program bad = builder.finish(builder.equation(*find_primitive("add"), None{}, in, {{f32, {2}}}, 0));
  const auto said = [](auto f) -> std::string {
    try {
      f();
    } catch (const InternalError& e) {
      return e.what();
    }
    return "no InternalError";
  };
  const std::string refused = "baton: internal error: equation 0 (add) is refused by its type rule: ";
  EXPECT_EQ(said([&] { check(bad); }).find(refused), 0u) << said([&] { check(bad); });
  const std::string compiled = said([&] { cpu::compile(bad, {}); });
  EXPECT_EQ(compiled.find("after the pass inline_calls: " + refused), 0u) << compiled;
}

}  // namespace
}  // namespace baton
