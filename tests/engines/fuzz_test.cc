// fuzz: random Programs over all primitives, on the cpu beside the reference, and with the same bits however
// they run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "baton/baton.h"
#include "engines/comparable.h"
#include "engines/cpu/cpu.h"
#include "engines/random_program.h"
#include "engines/reference/reference.h"

namespace baton {
namespace {

using testing::RandomProgram;

Arrays run(const ExecutablePtr& executable, const Arrays& inputs, int threads) {
  Arrays given = inputs, results(executable->result_count());
  executable->run(*executable->workspace(threads), given, results);
  return results;
}

/// Results that are not determined where matrices have no full rank, or values that are the same.
bool vectors(const Primitive& p, std::size_t result) {
  if (p.name == "svd") return result != 1;
  if (p.name == "eigh") return result == 0;
  return p.name == "qr" || p.name == "lu";
}

/// Each equation's results beside what the reference makes of the same operands, which come of the run
/// itself: so no difference grows from equation to equation.
std::string beside_the_reference(const RandomProgram& r, const Arrays& found) {
  const ProgramData& p = *r.program;
  std::vector<Array> values(p.types.size());
  for (std::size_t i = 0; i < r.inputs.size(); ++i) values[i] = r.inputs[i];
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
    for (Array& a : operands) a = testing::without_subnormals(a);
    const Arrays want = reference::run(*e.primitive, operands, e.params, types);
    for (std::size_t k = 0; k < want.size(); ++k) {
      if (vectors(*e.primitive, k)) continue;
      const std::string difference = testing::difference(testing::without_subnormals(results[k]),
                                                         testing::without_subnormals(want[k]), 64);
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
  const Arrays want = run(make(r.program, {}, cpu::Compile::when_worth), r.inputs, 1);
  std::string problem = beside_the_reference(r, want);
  const Program last = testing::with_outputs(r.program, few);
  for (cpu::Compile when : {cpu::Compile::when_worth, cpu::Compile::at_once}) {
    if (!problem.empty() || (when == cpu::Compile::at_once && !compiled)) break;
    if (compiled) problem = same_bits("all outputs", run(make(r.program, {}, when), r.inputs, 2), want, all);
    for (int threads : {1, 2, 4})
      if (problem.empty())
        problem = same_bits("few outputs", run(make(last, {}, when), r.inputs, threads), want, few);
    Arrays given;
    for (const Array& a : r.inputs) given.push_back(clone(a));
    if (problem.empty())
      problem = same_bits("donated", run(make(last, everything_donated(last), when), given, 2), want, few);
  }
  return problem;
}

/// BATON_FUZZ_ROUNDS=N tries N Programs instead of the few of the fast suite.
TEST(Fuzz, RandomProgramsOverAllPrimitives) {
  const char* n = std::getenv("BATON_FUZZ_ROUNDS");
  const char* from = std::getenv("BATON_FUZZ_FROM");
  const std::uint64_t rounds = n ? std::strtoull(n, nullptr, 10) : 500;
  const std::uint64_t first = from ? std::strtoull(from, nullptr, 10) : 1;
  for (std::uint64_t seed = first; seed < first + rounds; ++seed) {
    const bool compiled = testing::machine_code_is_tested && seed % 8 == 0;  // which takes far longer
    const RandomProgram r = testing::random_program(seed);
    std::string problem;
    try {
      problem = problem_of(r, compiled);
    } catch (const std::exception& e) {
      ADD_FAILURE() << "seed " << seed << ": " << e.what() << "\n" << r.program;
    }
    if (problem.empty()) continue;
    const RandomProgram least = testing::minimised(
        r, [&](const RandomProgram& smaller) { return !problem_of(smaller, compiled).empty(); });
    std::string inputs;
    for (const Array& a : least.inputs) inputs += "\n" + show(a.type()) + " " + show(a);
    ADD_FAILURE() << "seed " << seed << ": " << problem << "\nleast: " << problem_of(least, compiled) << "\n"
                  << least.program << inputs;
  }
}

}  // namespace
}  // namespace baton
