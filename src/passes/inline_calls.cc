// inline_calls: puts the equations of a Program where the equation stood that means it.
#include "passes/passes.h"
#include "passes/rewrite.h"

namespace baton {
namespace {

std::vector<Var> place(Builder& builder, const Program& program, const std::vector<Var>& operands);

std::vector<Var> place(Builder& builder, const Equation& e, const Types& types,
                       const std::vector<Var>& operands) {
  if (!e.primitive->meaning)
    return builder.equation(*e.primitive, with_programs(e.params, inline_calls), operands, types, e.number);
  const Meaning meaning = e.primitive->meaning(e.params, operands.size());
  std::vector<Var> given;
  for (std::size_t i : meaning.operands) given.push_back(operands[i]);
  return place(builder, meaning.program, given);
}

std::vector<Var> place(Builder& builder, const Program& program, const std::vector<Var>& operands) {
  const ProgramData& p = *program;
  std::vector<Var> now = operands;  // of each variable of the Program
  now.resize(p.types.size());
  for (std::size_t i = 0; i < p.literals.size(); ++i)
    now[static_cast<std::size_t>(p.input_count) + i] = builder.literal(p.literals[i]);
  const auto renamed = [&](const std::vector<Var>& old) {
    std::vector<Var> vars;
    for (Var v : old) vars.push_back(now[static_cast<std::size_t>(v)]);
    return vars;
  };
  for (const Equation& e : p.equations) {
    Types types;
    for (Var v : e.outputs) types.push_back(p.type(v));
    const std::vector<Var> results = place(builder, e, types, renamed(e.inputs));
    for (std::size_t k = 0; k < results.size(); ++k) now[static_cast<std::size_t>(e.outputs[k])] = results[k];
  }
  return renamed(p.outputs);
}

}  // namespace

Program inline_calls(const Program& program) {
  Builder builder;
  std::vector<Var> inputs;
  for (const Type& t : program.inputs()) inputs.push_back(builder.input(t));
  return builder.finish(place(builder, program, inputs));
}

}  // namespace baton
