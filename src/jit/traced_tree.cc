// traced_tree: from a user's function and a tree to a Program.
#include "jit/traced_tree.h"

#include "base/counters.h"
#include "base/text.h"

namespace baton::core {

Arrays TracedTree::inputs(const Arrays& leaves) const {
  Arrays in;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (present_in[i]) in.push_back(leaves[i]);
  in.insert(in.end(), closed.captures.begin(), closed.captures.end());
  return in;
}

Arrays TracedTree::outputs(const Arrays& present) const {
  Arrays out(present_out.size());
  std::size_t next = 0;
  for (std::size_t k = 0; k < out.size(); ++k)
    if (present_out[k]) out[k] = present[next++];
  return out;
}

TracedTree trace_tree(const char* who, const Arrays& leaves, const Types& types, Body body, Where where,
                      detail::Result& pattern) {
  TracedTree traced;
  Trace trace(who, where);
  Arrays arguments(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Node* n = leaves[i].node();
    if (n && n->kind == Node::Kind::donated)
      throw UsageError(std::string(who) + ": a leaf " + show(n->type) + " is empty: it was donated at " +
                       show(n->where) + " and not replaced." + called_at(where));
    traced.present_in.push_back(n != nullptr);
    if (n) arguments[i] = trace.input(types.empty() ? n->type : types[i]);
  }
  count().traces.fetch_add(1, std::memory_order_relaxed);
  pattern = body(arguments);
  Arrays outs;
  const TreeRef result{pattern.object.get(), pattern.visit};
  const Arrays all = flatten(result);
  for (const Array& a : all) {
    traced.present_out.push_back(!a.empty());
    if (!a.empty()) outs.push_back(a);
  }
  traced.closed = trace.finish(outs);
  assign(result, Arrays(all.size()));  // the pattern keeps no traced values
  return traced;
}

Mask inexact(const Types& types) {
  Mask m;
  for (const Type& t : types) m.push_back(is_inexact(t.dtype));
  return m;
}

}  // namespace baton::core
