#pragma once
// traced_tree: a user's function on a tree, traced. Empty leaves stay empty on both sides; the others are the
// inputs and outputs of the Program, in order.
#include "baton/transform.h"
#include "trace/describe.h"
#include "trace/trace.h"

namespace baton::core {

struct TracedTree {
  Closed closed;
  Mask present_in, present_out;  // over all leaves
  std::shared_ptr<const TraceInfo> info = nullptr;

  /// The present leaves, then the captured arrays: what the Program takes.
  Arrays inputs(const Arrays& leaves) const;
  /// All leaves of the result, empty where the function left them empty.
  Arrays outputs(const Arrays& present) const;
};

/// What a function with a rule of its own (custom_jvp, custom_vjp) is traced to, where it is called. Its rule
/// calls the function again as a rule, so tracing both wherever they meet would double with each level that
/// such functions are nested.
enum class Customs {
  whole,       // the function and its rule
  functions,   // the function: the trace is itself a function with a rule, so nothing differentiates it
  rules,       // the rule: the trace is a rule. What a rule gives is what the function gives
  as_outside,  // as in the trace around, whose derivative is this one's
};
Customs customs_here();

/// Traces `body` on the leaves of a tree. `types` replaces their types where it is not empty (one for each
/// leaf).
TracedTree trace_tree(const char* who, const Arrays& leaves, const Types& types, Body body, Where where,
                      detail::Result& pattern, Customs customs = Customs::whole);

/// What the function returned, in words, with the types of its Program: the pattern has empty leaves.
Description describe(const TracedTree&, const detail::Result& pattern, std::string_view root);
/// The paths of the Program's outputs.
std::vector<std::string> output_paths(const TracedTree&, const detail::Result& pattern,
                                      std::string_view root);
/// Throws unless the result begins with the tree that the function was given: its sizes, constants and
/// types. `must` says who wants that.
void require_returned(const std::string& must, TreeRef given, std::string_view root, const TracedTree&,
                      const detail::Result& pattern, Where where);

/// Throws: this leaf of the arguments was moved into an earlier call.
[[noreturn]] void donated_error(const std::string& who, const std::string& leaf, const Node& node,
                                Where where);
/// The leaves that are there.
Arrays present(const Arrays& leaves);

/// A traced Program takes (arguments, captures); equations that hold it take the captures first.
Program captures_first(const Closed&, const std::string& name);
/// Captured arrays of several Programs, each once.
class CaptureUnion {
 public:
  std::vector<std::size_t> add(const Arrays& captures);  // where each of them stands
  const Arrays& all() const { return all_; }

 private:
  Arrays all_;
};

}  // namespace baton::core
