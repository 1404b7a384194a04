// in_memory: one walk back through views.
#include "passes/in_memory.h"

#include "program/primitive.h"

namespace baton {

InMemory::InMemory(const ProgramData& p) : view_(p.types.size()), needed_(p.types.size()) {
  for (const Equation& e : p.equations)
    if (e.primitive->views)
      for (Var v : e.outputs) view_[static_cast<std::size_t>(v)] = &e;
  for (Var v : p.outputs) need(v);
}

void InMemory::need(Var v) {
  if (needed_[static_cast<std::size_t>(v)]) return;
  needed_[static_cast<std::size_t>(v)] = true;
  if (const Equation* e = view_[static_cast<std::size_t>(v)])
    for (Var operand : e->inputs) need(operand);
}

}  // namespace baton
