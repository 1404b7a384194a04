// smaller_program: Programs of some of the equations and outputs of another one.
#include <algorithm>

#include "engines/random_program.h"
#include "engines/reference/reference.h"
#include "passes/rewrite.h"

namespace baton::testing {
namespace {

/// The Program without some equations; their results are inputs then. Only inputs that are read stay.
RandomProgram without(const RandomProgram& from, const std::vector<bool>& left_out,
                      const std::vector<bool>& output) {
  const ProgramData& p = *from.program;
  std::vector<Array> values(p.types.size());
  for (std::size_t i = 0; i < from.inputs.size(); ++i) values[i] = from.inputs[i];
  Builder b;
  RandomProgram made;
  std::vector<Var> now(p.types.size(), -1);
  const auto operand = [&](Var v) {
    const auto at = static_cast<std::size_t>(v);
    if (p.is_literal(v)) return b.literal(p.literal(v));
    if (now[at] < 0) now[at] = b.input(p.type(v)), made.inputs.push_back(values[at]);
    return now[at];
  };
  std::vector<Var> outputs;
  for (std::size_t i = 0; i < p.equations.size(); ++i) {
    const Equation& e = p.equations[i];
    Arrays arrays;
    for (Var v : e.inputs)
      arrays.push_back(p.is_literal(v) ? Array(p.type(v), p.literal(v).bytes)
                                       : values[static_cast<std::size_t>(v)]);
    Types types;
    for (Var v : e.outputs) types.push_back(p.type(v));
    const Arrays results = reference::run(*e.primitive, arrays, e.params, types);
    for (std::size_t k = 0; k < results.size(); ++k)
      values[static_cast<std::size_t>(e.outputs[k])] = results[k];
    if (left_out[i]) continue;
    std::vector<Var> operands;
    for (Var v : e.inputs) operands.push_back(operand(v));
    const std::vector<Var> vars = b.equation(*e.primitive, e.params, operands, types, 0);
    for (std::size_t k = 0; k < vars.size(); ++k) {
      now[static_cast<std::size_t>(e.outputs[k])] = vars[k];
      const auto found = std::find(p.outputs.begin(), p.outputs.end(), e.outputs[k]);
      if (found != p.outputs.end() && output[static_cast<std::size_t>(found - p.outputs.begin())])
        outputs.push_back(vars[k]);
    }
  }
  made.program = b.finish(outputs);
  return made;
}

}  // namespace

Program with_outputs(const Program& program, const std::vector<std::size_t>& outputs) {
  Rewrite rewrite(program);
  for (const Equation& e : program->equations) rewrite.set(e.outputs, rewrite.copy(e, e.params));
  std::vector<Var> chosen;
  for (std::size_t k : outputs) chosen.push_back(rewrite(program->outputs[k]));
  return rewrite.builder().finish(chosen);
}

Program with_all_results(const Program& program) {
  Rewrite rewrite(program);
  for (const Equation& e : program->equations) rewrite.set(e.outputs, rewrite.copy(e, e.params));
  std::vector<Var> all = rewrite(program->outputs);
  for (const Equation& e : program->equations)
    for (Var v : e.outputs) all.push_back(rewrite(v));
  return rewrite.builder().finish(all);
}

RandomProgram minimised(const RandomProgram& from, FunctionRef<bool(const RandomProgram&)> fails) {
  std::vector<bool> left_out(from.program->equations.size()), output(from.program->outputs.size(), true);
  const auto still = [&](std::vector<bool>& flags, std::size_t i, bool value) {
    flags[i] = value;
    if (!fails(without(from, left_out, output))) flags[i] = !value;
  };
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < output.size(); ++i)
      if (output[i]) still(output, i, false);
    for (std::size_t i = left_out.size(); i-- > 0;)
      if (!left_out[i]) still(left_out, i, true);
  }
  return without(from, left_out, output);
}

}  // namespace baton::testing
