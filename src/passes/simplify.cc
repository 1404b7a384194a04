// simplify: asks each primitive whether a result is one of its operands, knowing which operands are filled
// with one literal.
#include "passes/passes.h"
#include "passes/rewrite.h"

namespace baton {

Program simplify(const Program& program) {
  const ProgramData& p = *program;
  Rewrite rewrite(program);
  std::vector<const Literal*> filled(p.types.size());  // the literal that every element is
  for (std::size_t i = 0; i < p.literals.size(); ++i)
    filled[static_cast<std::size_t>(p.input_count) + i] = &p.literals[i];
  for (const Equation& e : p.equations) {
    Types in;
    std::vector<const Literal*> with;
    for (Var v : e.inputs) {
      in.push_back(p.type(v));
      with.push_back(filled[static_cast<std::size_t>(v)]);
    }
    if (e.primitive->rearranges) filled[static_cast<std::size_t>(e.outputs[0])] = with[0];
    const int same = e.primitive->same_as ? e.primitive->same_as(in, with, e.params) : -1;
    if (same < 0) {
      rewrite.set(e.outputs, rewrite.copy(e, with_programs(e.params, simplify)));
      continue;
    }
    const Var operand = e.inputs[static_cast<std::size_t>(same)];
    rewrite.set(e.outputs[0], rewrite(operand));
    filled[static_cast<std::size_t>(e.outputs[0])] = filled[static_cast<std::size_t>(operand)];
  }
  return rewrite.finish();
}

}  // namespace baton
