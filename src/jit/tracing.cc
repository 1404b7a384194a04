// tracing: the compiled half of trace, eval_shape and abstract.
#include "baton/tracing.h"

#include "jit/traced_tree.h"

namespace baton {
namespace core {

Program trace(TreeRef tree, Body body, Where where) {
  detail::Result pattern;
  return trace_tree("trace", flatten(tree), {}, body, where, pattern).closed.program;
}

Arrays eval_shape(TreeRef tree, Body body, Where where, detail::Result& pattern) {
  const TracedTree traced = trace_tree("eval_shape", flatten(tree), {}, body, where, pattern);
  Arrays out;
  for (const Type& t : traced.closed.program.outputs()) out.push_back(abstract(t));
  return traced.outputs(out);
}

}  // namespace core

Array abstract(const Type& type) {
  if (const std::string fault = fault_of_extents(type); !fault.empty())
    throw UsageError("abstract: " + fault + ".");
  static const auto info = std::make_shared<TraceInfo>("abstract", Where{}, nullptr);
  auto* n = new Node;
  n->kind = Node::Kind::traced;
  n->type = type;
  n->trace = info;
  return Array::from_node(n);
}

}  // namespace baton
