// traced_tree: from a user's function and a tree to a Program.
#include "jit/traced_tree.h"

#include <algorithm>

#include "base/counters.h"
#include "base/text.h"
#include "ops/loops.h"

namespace baton::core {
namespace {
thread_local Customs customs_of_trace = Customs::whole;
}  // namespace

Customs customs_here() { return customs_of_trace; }

Arrays TracedTree::inputs(const Arrays& leaves) const {
  return ops::joined(ops::where_set(leaves, present_in), closed.captures);
}

Arrays TracedTree::outputs(const Arrays& present) const { return ops::placed(present, present_out); }

TracedTree trace_tree(const char* who, const Arrays& leaves, const Types& types, Body body, Where where,
                      detail::Result& pattern, Customs customs) {
  TracedTree traced;
  Trace trace(who, where);
  Arrays arguments(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Node* n = leaves[i].node();
    if (n && n->kind == Node::Kind::donated) donated_error(who, "a leaf " + show(n->type), *n, where);
    traced.present_in.push_back(n != nullptr);
    if (n) arguments[i] = trace.input(types.empty() ? n->type : types[i]);
  }
  count().traces.fetch_add(1, std::memory_order_relaxed);
  traced.info = trace.shared_info();
  {
    struct Around {
      const Customs outside = customs_of_trace;
      ~Around() { customs_of_trace = outside; }
    } const around;
    if (customs != Customs::as_outside) customs_of_trace = customs;
    pattern = body(arguments);
  }
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

Description describe(const TracedTree& traced, const detail::Result& pattern, std::string_view root) {
  Description d = describe(TreeRef{pattern.object.get(), pattern.visit}, root);
  const Types types = traced.closed.program.outputs();
  std::size_t leaf = 0, output = 0;
  for (Line& line : d.lines)
    if (line.kind == Line::Kind::leaf && traced.present_out[leaf++]) line.value = show(types[output++]);
  return d;
}

std::vector<std::string> output_paths(const TracedTree& traced, const detail::Result& pattern,
                                      std::string_view root) {
  const std::vector<std::string> all = paths(TreeRef{pattern.object.get(), pattern.visit}, root);
  return ops::where_set(all, traced.present_out);
}

void require_returned(const std::string& must, TreeRef given, std::string_view root, const TracedTree& traced,
                      const detail::Result& pattern, Where where) {
  const auto change = first_change(describe(given, root).lines, describe(traced, pattern, root).lines);
  if (!change) return;
  const bool leaf = change->kind == Line::Kind::leaf;
  const auto dtype = [](const std::string& type) { return type.substr(0, type.find('[')); };
  std::string cure = change->advice();
  if (leaf && change->was != "empty" && change->became != "empty" &&
      dtype(change->was) != dtype(change->became))
    cure = "\n  Convert it there: astype(x, " + dtype(change->was) + ").";
  else if (leaf)
    cure = "\n  Keep its shape, or give the shape that comes back from the start.";
  throw UsageError(must + "; " + change->path + " was " + change->was + " and became " + change->became +
                   "." + called_at(where) + cure);
}

void donated_error(const std::string& who, const std::string& leaf, const Node& node, Where where) {
  throw UsageError(who + ": " + leaf + " " + donated_text(node) + called_at(where) + donated_cure);
}

Arrays present(const Arrays& leaves) {
  Arrays out;
  for (const Array& a : leaves)
    if (!a.empty()) out.push_back(a);
  return out;
}

Program captures_first(const Closed& closed, const std::string& name) {
  using ops::joined;
  using ops::part;
  const Types types = closed.program.inputs();
  const std::size_t n = closed.captures.size(), e = types.size() - n;
  return make_program(name, joined(part(types, e, types.size()), part(types, 0, e)), [&](const Arrays& in) {
    return splice(closed.program, joined(part(in, n, in.size()), part(in, 0, n)));
  });
}

std::vector<std::size_t> CaptureUnion::add(const Arrays& captures) {
  std::vector<std::size_t> at;
  for (const Array& a : captures) {
    const auto it =
        std::find_if(all_.begin(), all_.end(), [&](const Array& b) { return a.node() == b.node(); });
    at.push_back(static_cast<std::size_t>(it - all_.begin()));
    if (it == all_.end()) all_.push_back(a);
  }
  return at;
}

}  // namespace baton::core
