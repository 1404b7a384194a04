// fuzz: random Programs over all primitives, on the cpu beside the reference, and with the same bits however
// they run.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "baton/baton.h"
#include "child.h"
#include "engines/comparable.h"
#include "engines/cpu/cpu.h"
#include "engines/cpu/instructions.h"
#include "engines/cpu/with_fusion.h"
#include "engines/random_program.h"
#include "engines/reference/reference.h"
#include "engines/threads.h"
#include "engines/unrolled.h"

namespace baton {
namespace {

using testing::RandomProgram;

constexpr std::uint64_t fast_rounds = 500;

/// Results that are not determined where matrices have no full rank, or values that are the same.
bool vectors(const Primitive& p, std::size_t result) {
  if (p.name == "svd") return result != 1;
  if (p.name == "eigh") return result == 0;
  return p.name == "qr" || p.name == "lu";
}

/// Sums may cancel: they are compared with what is summed, 64 units of the last place of it. One chain of
/// many alike loses half a unit of what it has at each step.
double slack_of(const Equation& e, const Arrays& operands, const Array& want) {
  constexpr double units = 64;
  const auto largest = [](const Array& a) {
    long double most = 0;
    for (const auto& x : testing::elements(a))
      most = std::max({most, std::fabs(x.real()), std::fabs(x.imag())});
    return static_cast<double>(most);
  };
  double summed = 0, least = units;
  if (e.primitive->name == "reduce_sum" && want.size() > 0) {
    summed = largest(operands[0]) * std::sqrt(static_cast<double>(operands[0].size()));
    least = std::max(least, static_cast<double>(operands[0].size() / want.size()) / 4);
  } else if (e.primitive->name == "dot_general" || e.primitive->name == "conv_general_dilated") {
    summed = largest(operands[0]) * largest(operands[1]);
  }
  const double sum = std::max(largest(want), 1e-30);
  return std::isfinite(summed) && summed > sum ? std::max(least, units * summed / sum) : least;
}

std::string beside_the_reference(const Program&, const Arrays& inputs, const Arrays& found);

/// A loop or branches beside runs of what they hold, to the bit; and what ran first in them, of operands in
/// the ranges that rows want, beside the reference.
std::string beside_unrolled(const Equation& e, const Arrays& operands, const Arrays& found) {
  std::string problem;
  const Arrays want = testing::unrolled(
      *e.primitive, e.params, operands, [&](const Program& body, const Arrays& in, bool first) {
        const Program whole = testing::with_all_results(body);
        Arrays results = testing::run_by(1, cpu::compile(whole, {}, cpu::Compile::when_worth), in);
        if (first && problem.empty()) problem = beside_the_reference(whole, in, results);
        results.resize(body.outputs().size());
        return results;
      });
  for (std::size_t k = 0; k < want.size() && problem.empty(); ++k)
    problem = testing::difference_of_bits(found[k], want[k]);
  return problem;
}

/// Each equation's results beside what the reference makes of the same operands, which come of the run
/// itself: so no difference grows from equation to equation.
std::string beside_the_reference(const Program& program, const Arrays& inputs, const Arrays& found) {
  const ProgramData& p = *program;
  std::vector<Array> values(p.types.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) values[i] = inputs[i];
  for (std::size_t k = 0; k < found.size(); ++k) values[static_cast<std::size_t>(p.outputs[k])] = found[k];
  for (const Equation& e : p.equations) {
    Arrays operands, results;
    Types types;
    for (Var v : e.inputs)
      operands.push_back(p.is_literal(v) ? Array(p.type(v), p.literal(v).bytes)
                                         : values[static_cast<std::size_t>(v)]);
    for (Var v : e.outputs)
      results.push_back(values[static_cast<std::size_t>(v)]), types.push_back(p.type(v));
    const auto not_kept = [](const Array& a) { return a.empty(); };
    if (std::any_of(operands.begin(), operands.end(), not_kept) ||
        std::any_of(results.begin(), results.end(), not_kept))
      continue;
    if (testing::is_control(*e.primitive)) {
      const std::string problem = beside_unrolled(e, operands, results);
      if (!problem.empty()) return std::string(e.primitive->name) + ": " + problem;
      continue;
    }
    for (Array& a : operands) a = testing::without_subnormals(a);
    const Arrays want = reference::run(*e.primitive, operands, e.params, types);
    for (std::size_t k = 0; k < want.size(); ++k) {
      if (vectors(*e.primitive, k) || testing::same_bits(results[k], want[k])) continue;
      const std::string difference =
          testing::difference(testing::without_subnormals(results[k]), testing::without_subnormals(want[k]),
                              slack_of(e, operands, want[k]));
      if (!difference.empty()) return std::string(e.primitive->name) + ": " + difference;
    }
  }
  return "";
}

/// For each input an output of its type, each output once.
std::vector<int> everything_donated(const Program& program) {
  std::vector<int> take(program.inputs().size(), -1);
  std::vector<bool> taken(program.outputs().size());
  for (std::size_t i = 0; i < take.size(); ++i)
    for (std::size_t k = 0; k < taken.size() && take[i] < 0; ++k)
      if (!taken[k] && program.outputs()[k] == program.inputs()[i])
        take[i] = static_cast<int>(k), taken[k] = true;
  return take;
}

std::string same_bits(const char* how, const Arrays& found, const Arrays& want,
                      const std::vector<std::size_t>& which) {
  for (std::size_t k = 0; k < which.size(); ++k) {
    if (testing::same_bits(found[k], want[which[k]])) continue;
    const std::string difference = testing::difference_of_bits(found[k], want[which[k]]);
    if (!difference.empty()) return std::string(how) + ": " + difference;
  }
  return "";
}

/// Empty where all is well. `compiled`: as machine code and interpreted, or interpreted alone.
std::string problem_of(const RandomProgram& r, bool compiled) {
  const std::size_t n = r.program.outputs().size();
  std::vector<std::size_t> all(n), few;
  for (std::size_t k = 0; k < n; ++k) all[k] = k;
  for (std::size_t k = n; k-- > 0 && few.size() < 3; k -= std::min<std::size_t>(k, 2)) few.push_back(k);
  const auto make = [&](const Program& p, const std::vector<int>& take, cpu::Compile when) {
    return cpu::compile(p, take, when);
  };
  cpu::clear_caches();  // or what was compiled for others would not be interpreted
  const Arrays want = testing::run_by(1, make(r.program, {}, cpu::Compile::when_worth), r.inputs);
  std::string problem = beside_the_reference(r.program, r.inputs, want);
  const Program last = testing::with_outputs(r.program, few);
  for (cpu::Compile when : {cpu::Compile::when_worth, cpu::Compile::at_once}) {
    if (!problem.empty() || (when == cpu::Compile::at_once && !compiled)) break;
    const auto try_fused = [&](Fusion fusion, const char* how, const Program& p,
                               const std::vector<std::size_t>& which) {
      const cpu::WithFusion other(fusion);
      if (problem.empty())
        problem = same_bits(how, testing::run_by(2, make(p, {}, when), r.inputs), want, which);
    };
    try_fused(Fusion::apart, "not fused", r.program, all);
    try_fused(Fusion::repeating, "computed again", last, few);
    if (compiled && problem.empty())
      problem = same_bits("all outputs", testing::run_by(2, make(r.program, {}, when), r.inputs), want, all);
    for (int threads : {1, 2, 4})
      if (problem.empty())
        problem =
            same_bits("few outputs", testing::run_by(threads, make(last, {}, when), r.inputs), want, few);
    Arrays given;
    for (const Array& a : r.inputs) given.push_back(clone(a));
    if (problem.empty())
      problem = same_bits("donated", testing::run_by(2, make(last, everything_donated(last), when), given),
                          want, few);
  }
  return problem;
}

/// The Program and its inputs, so that the failure can be repeated.
std::string shown(const RandomProgram& r) {
  std::string text = r.program.text();
  for (const Array& a : r.inputs) text += "\n" + show(a.type()) + (a.size() > 256 ? "" : " " + show(a));
  return text;
}

/// BATON_FUZZ_ROUNDS=N tries N Programs instead of the few of the fast suite, the first of them of the seed
/// BATON_FUZZ_FROM.
void try_programs(RandomProgram (*program)(std::uint64_t), std::uint64_t rounds, std::uint64_t compiled_of) {
  const char* n = std::getenv("BATON_FUZZ_ROUNDS");
  const char* from = std::getenv("BATON_FUZZ_FROM");
  if (n) rounds = std::max<std::uint64_t>(rounds * std::strtoull(n, nullptr, 10) / fast_rounds, 1);
  const std::uint64_t first = from ? std::strtoull(from, nullptr, 10) : 1;
  for (std::uint64_t seed = first; seed < first + rounds; ++seed) {
    const bool compiled = testing::machine_code_is_tested && seed % compiled_of == 0;
    const RandomProgram r = program(seed);
    std::string problem;
    try {
      problem = problem_of(r, compiled);
    } catch (const std::exception& e) {
      ADD_FAILURE() << "seed " << seed << ": " << e.what() << "\n" << shown(r);
    }
    if (problem.empty()) continue;
    const RandomProgram least = testing::minimised(
        r, [&](const RandomProgram& smaller) { return !problem_of(smaller, compiled).empty(); });
    ADD_FAILURE() << "seed " << seed << ": " << problem << "\nleast: " << problem_of(least, compiled) << "\n"
                  << shown(least);
  }
}

TEST(Fuzz, RandomProgramsOverAllPrimitives) { try_programs(testing::random_program, fast_rounds, 3); }
/// Several threads share what is done, and long reductions are made in parts.
TEST(Fuzz, RandomProgramsOfLargeArrays) { try_programs(testing::large_program, 8, 1); }

/// On a processor with AVX-512 as on one without.
TEST(Fuzz, RandomProgramsWithNarrowVectors) {
  if (cpu::instructions_of_processor() <= cpu::Instructions::avx2) GTEST_SKIP() << "there are no wider ones";
  const cpu::NoWiderThan narrow(cpu::Instructions::avx2);
  try_programs(testing::random_program, 25, 1);
  try_programs(testing::large_program, 1, 1);
  cpu::clear_caches();
}

/// How many of each kind of loops and branches lie at each depth.
using Depths = std::map<std::string, std::array<int, 4>>;
class CountInside final : public FieldVisitorOfSome {
 public:
  CountInside(Depths& depths, std::size_t depth) : depths_(depths), depth_(depth) {}
  void program(std::string_view, Program& p) override {
    for (const Equation& e : p->equations) {
      const bool control = testing::is_control(*e.primitive);
      if (control) ++depths_[std::string(e.primitive->name)][std::min<std::size_t>(depth_, 3)];
      CountInside inside(depths_, depth_ + control);
      e.params.with(inside);
    }
  }
  void programs(std::string_view name, std::vector<Program>& list) override {
    for (Program& p : list) program(name, p);
  }

 private:
  Depths& depths_;
  const std::size_t depth_;
};
TEST(Fuzz, LoopsAndBranchesLieInEachOther) {
  Depths depths;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Program program = testing::random_program(seed).program;
    CountInside(depths, 0).program("", program);
  }
  for (const char* name : {"scan", "while", "cond"})
    for (std::size_t depth = 0; depth < 3; ++depth)
      EXPECT_GE(depths[name][depth], 3) << name << " at depth " << depth;
}

TEST(Fuzz, TheBitsAreTheSameInEveryProcess) {
  std::string mine;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const RandomProgram r = seed % 10 ? testing::random_program(seed) : testing::large_program(seed);
    const auto when =
        seed % 5 == 0 && testing::machine_code_is_tested ? cpu::Compile::at_once : cpu::Compile::when_worth;
    testing::BitsOf bits;
    for (const Array& a : testing::run_by(2, cpu::compile(r.program, {}, when), r.inputs)) bits.add(a);
    mine += bits.text("seed " + std::to_string(seed));
  }
  if (testing::is_child()) return static_cast<void>(std::fputs(mine.c_str(), stdout));
  const std::string other = testing::output_of_child("Fuzz.TheBitsAreTheSameInEveryProcess");
  EXPECT_NE(other.find(mine), std::string::npos) << mine << "the other process says:\n" << other;
}

}  // namespace
}  // namespace baton
