// custom: the compiled half of custom_jvp, custom_vjp and custom_linear_solve.
// Each of the user's functions is traced, as far as `Customs` says that it can be needed; what any of them
// reads from outside becomes one list of captured inputs of all.
#include "baton/custom.h"

#include <algorithm>

#include "base/text.h"
#include "baton/tracing.h"
#include "jit/traced_tree.h"
#include "ops/loops.h"
#include "ops/structure.h"

namespace baton::core {

using ops::joined;
using ops::part;

namespace {

/// The Program with its captures taken from a longer list that stands at `at` among the inputs.
Program with_captures(const Program& program, std::size_t explicit_count,
                      const std::vector<std::size_t>& which, const Types& inputs, std::size_t at) {
  return make_program("custom", inputs, [&](const Arrays& in) {
    Arrays args;
    // Explicit inputs: those before the captures, then those after them.
    const std::size_t captures = in.size() - explicit_count;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (i < at || i >= at + captures) args.push_back(in[i]);
    for (std::size_t c : which) args.push_back(in[at + c]);
    return splice(program, args);
  });
}

/// The function alone, in the trace of another function with a rule.
Arrays without_rule(const char* who, const Arrays& leaves, Body call, Where where, detail::Result& pattern) {
  const TracedTree f = trace_tree(who, leaves, {}, call, where, pattern, Customs::functions);
  return f.outputs(splice(f.closed.program, f.inputs(leaves), where));
}

/// The function as its rule computes it: the first leaves of what the rule returns, those of `out`. The rule
/// takes the present ones of `leaves`, then `more`, which these results do not depend on.
TracedTree function_of_rule(const char* who, const TracedTree& rule, const detail::Result& out,
                            const Arrays& leaves, const Types& more) {
  TracedTree f;
  for (const Array& a : leaves) f.present_in.push_back(!a.empty());
  const std::size_t n = leaf_count(TreeRef{out.object.get(), out.visit});
  f.present_out = part(rule.present_out, 0, n);
  f.closed.captures = rule.closed.captures;
  const Types explicit_types = types_of(present(leaves));
  const std::size_t e = explicit_types.size(),
                    results = static_cast<std::size_t>(ops::count_of(f.present_out));
  f.closed.program = ops::without_rules(
      make_program(who, joined(explicit_types, types_of(f.closed.captures)), [&](const Arrays& in) {
        Arrays args = part(in, 0, e);
        for (const Type& t : more) args.push_back(ops::zeros_of(t));
        return part(splice(rule.closed.program, joined(args, part(in, e, in.size()))), 0, results);
      }));
  return f;
}

}  // namespace

Arrays custom_jvp(TreeRef tree, Body call, Body rule, Where where, detail::Result& pattern,
                  const detail::Result& out) {
  const Arrays leaves = flatten(tree);
  if (customs_here() == Customs::functions) return without_rule("custom_jvp", leaves, call, where, pattern);
  const bool whole = customs_here() == Customs::whole;
  TracedTree f;
  if (whole) f = trace_tree("custom_jvp", leaves, {}, call, where, pattern, Customs::functions);
  Arrays both = leaves;
  for (const Array& a : leaves) both.push_back(a.empty() || !is_inexact(a.dtype()) ? Array() : a);
  detail::Result rule_pattern;
  const TracedTree r =
      trace_tree("the rule of custom_jvp", both, {}, rule, where, rule_pattern, Customs::rules);
  if (!whole) {
    pattern = out;
    f = function_of_rule("custom_jvp", r, out, leaves,
                         types_of(present(part(both, leaves.size(), both.size()))));
  }
  // Keep what the rule says of inexact results: {out, tangent} have the result's leaves, twice.
  const std::size_t n = f.present_out.size();
  const std::vector<std::string> names = paths(TreeRef{pattern.object.get(), pattern.visit}, "result");
  if (r.present_out.size() != 2 * n)
    structure_error("custom_jvp",
                    "the rule must return Jvp{out, tangent} with the leaves of the function's result.",
                    where);
  const Types outs = f.closed.program.outputs(), rule_outs = r.closed.program.outputs();
  std::size_t next = 0;
  std::vector<int> output(2 * n, -1);
  for (std::size_t k = 0; k < 2 * n; ++k)
    if (r.present_out[k]) output[k] = static_cast<int>(next++);
  std::size_t o = 0;
  std::vector<int> primal, tangent;
  Types tangent_types;
  for (std::size_t k = 0; k < n; ++k) {
    if (!f.present_out[k]) continue;
    const Type& want = outs[o++];
    if (output[k] < 0 || rule_outs[static_cast<std::size_t>(output[k])] != want)
      structure_error(
          "custom_jvp",
          "the rule's " + names[k] + " must be " + show(want) + ", found " +
              (output[k] < 0 ? "an empty array" : show(rule_outs[static_cast<std::size_t>(output[k])])) + ".",
          where);
    primal.push_back(output[k]);
    if (!is_inexact(want.dtype)) continue;
    const int t = output[n + k];
    if (t >= 0 && rule_outs[static_cast<std::size_t>(t)] != want)
      structure_error("custom_jvp",
                      "the rule's tangent of " + names[k] + " must be " + show(want) + ", found " +
                          show(rule_outs[static_cast<std::size_t>(t)]) + ".",
                      where);
    tangent.push_back(t);
    tangent_types.push_back(want);
  }
  CaptureUnion captures;
  const std::vector<std::size_t> f_captures = captures.add(f.closed.captures),
                                 r_captures = captures.add(r.closed.captures);
  const Types capture_types = types_of(captures.all());
  const Arrays in = present(leaves);
  const Types explicit_types = types_of(in),
              tangent_inputs = types_of(present(part(both, leaves.size(), both.size())));
  const Program call_program = with_captures(f.closed.program, explicit_types.size(), f_captures,
                                             joined(explicit_types, capture_types), explicit_types.size());
  const Program all_of_rule =
      with_captures(r.closed.program, explicit_types.size() + tangent_inputs.size(), r_captures,
                    joined(explicit_types, capture_types, tangent_inputs), explicit_types.size());
  const Program rule_program = make_program("custom_jvp", all_of_rule.inputs(), [&](const Arrays& in) {
    const Arrays all = splice(all_of_rule, in);
    Arrays out;
    for (int k : primal) out.push_back(all[static_cast<std::size_t>(k)]);
    for (std::size_t k = 0; k < tangent.size(); ++k)
      out.push_back(tangent[k] < 0 ? ops::zeros_of(tangent_types[k])
                                   : all[static_cast<std::size_t>(tangent[k])]);
    return out;
  });
  return f.outputs(lax::custom_jvp(call_program, rule_program, static_cast<int>(captures.all().size()),
                                   joined(in, captures.all()), where));
}

Arrays custom_vjp(TreeRef tree, Body call, Body forward, Body backward, Where where, detail::Result& pattern,
                  const detail::Result& out) {
  const Arrays leaves = flatten(tree);
  if (customs_here() == Customs::functions) return without_rule("custom_vjp", leaves, call, where, pattern);
  const bool whole = customs_here() == Customs::whole;
  TracedTree f;
  if (whole) f = trace_tree("custom_vjp", leaves, {}, call, where, pattern, Customs::functions);
  detail::Result kept;
  const TracedTree fwd =
      trace_tree("forward of custom_vjp", leaves, {}, forward, where, kept, Customs::rules);
  if (!whole && out.object) {
    pattern = out;
    f = function_of_rule("custom_vjp", fwd, out, leaves, {});
  } else if (!whole) {  // forward gives a type of its own
    f = trace_tree("custom_vjp", leaves, {}, call, where, pattern, Customs::functions);
  }
  const std::size_t n = f.present_out.size();
  const Types f_outs = f.closed.program.outputs(), fwd_outs = fwd.closed.program.outputs();
  if (fwd.present_out.size() < n ||
      !std::equal(f.present_out.begin(), f.present_out.end(), fwd.present_out.begin()))
    structure_error("custom_vjp",
                    "forward must return {out, residuals} where out has the leaves of the function's result.",
                    where);
  const std::vector<std::string> names = output_paths(f, pattern, "result");
  for (std::size_t k = 0; k < f_outs.size(); ++k)
    if (fwd_outs[k] != f_outs[k])
      structure_error(
          "custom_vjp",
          "forward's " + names[k] + " must be " + show(f_outs[k]) + ", found " + show(fwd_outs[k]) + ".",
          where);
  // backward is traced on the residuals and a cotangent for each inexact result.
  Arrays back_leaves;
  std::size_t o = f_outs.size();
  for (std::size_t k = n; k < fwd.present_out.size(); ++k)
    back_leaves.push_back(fwd.present_out[k] ? abstract(fwd_outs[o++]) : Array());
  o = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const bool moves = f.present_out[k] && is_inexact(f_outs[o].dtype);
    back_leaves.push_back(moves ? abstract(f_outs[o]) : Array());
    o += f.present_out[k];
  }
  detail::Result ignored;
  const TracedTree back =
      trace_tree("backward of custom_vjp", back_leaves, {}, backward, where, ignored, Customs::rules);
  if (back.present_out.size() != leaves.size())
    structure_error("custom_vjp",
                    "backward must return a cotangent for each of the " + std::to_string(leaves.size()) +
                        " leaves of the arguments, found " + std::to_string(back.present_out.size()) + ".",
                    where);
  const Types back_outs = back.closed.program.outputs();
  std::vector<int> ct;  // for each inexact argument leaf: which output of backward, or -1
  Types ct_types;
  int b = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const int at = back.present_out[i] ? b++ : -1;
    if (leaves[i].empty() || !is_inexact(leaves[i].dtype())) continue;
    if (at >= 0 && back_outs[static_cast<std::size_t>(at)] != leaves[i].type())
      structure_error("custom_vjp",
                      "backward's cotangent of " + paths(tree, "args")[i] + " must be " +
                          show(leaves[i].type()) + ", found " +
                          show(back_outs[static_cast<std::size_t>(at)]) + ".",
                      where);
    ct.push_back(at);
    ct_types.push_back(leaves[i].type());
  }
  CaptureUnion captures;
  const std::vector<std::size_t> fc = captures.add(f.closed.captures), wc = captures.add(fwd.closed.captures),
                                 bc = captures.add(back.closed.captures);
  const Types capture_types = types_of(captures.all());
  const Arrays in = present(leaves);
  const Types explicit_types = types_of(in);
  const std::size_t e = explicit_types.size();
  const Types inputs = joined(explicit_types, capture_types);
  const Program call_program = with_captures(f.closed.program, e, fc, inputs, e);
  // What backward captures becomes residuals: forward hands the captures on.
  const Program plain_forward = with_captures(fwd.closed.program, e, wc, inputs, e);
  const Program forward_program = make_program("forward", inputs, [&](const Arrays& args) {
    return joined(splice(plain_forward, args), part(args, e, args.size()));
  });
  const std::size_t residuals = fwd_outs.size() - f_outs.size();
  const Types back_in = back.closed.program.inputs();
  const Types residual_types = part(fwd_outs, f_outs.size(), fwd_outs.size());
  const Types cotangents = part(back_in, residuals, back_in.size() - bc.size());
  const Program backward_program =
      make_program("backward", joined(residual_types, capture_types, cotangents), [&](const Arrays& args) {
        Arrays inner = part(args, 0, residuals);
        ops::append(inner, part(args, residuals + capture_types.size(), args.size()));
        for (std::size_t c : bc) inner.push_back(args[residuals + c]);
        const Arrays all = splice(back.closed.program, inner);
        Arrays out;
        for (std::size_t k = 0; k < ct.size(); ++k)
          out.push_back(ct[k] < 0 ? ops::zeros_of(ct_types[k]) : all[static_cast<std::size_t>(ct[k])]);
        return out;
      });
  return f.outputs(lax::custom_vjp(call_program, forward_program, backward_program,
                                   static_cast<int>(captures.all().size()), joined(in, captures.all()),
                                   where));
}

Arrays custom_linear_solve(TreeRef b, Body matvec, Body solve, Body transpose_solve, Where where) {
  const Arrays leaves = flatten(b);
  detail::Result pattern, solved, transposed;
  const TracedTree m = trace_tree("matvec of custom_linear_solve", leaves, {}, matvec, where, pattern),
                   s = trace_tree("solve of custom_linear_solve", leaves, {}, solve, where, solved),
                   t = trace_tree("transpose_solve of custom_linear_solve", leaves, {}, transpose_solve,
                                  where, transposed);
  const std::string name = "custom_linear_solve";
  require_returned(name + ": matvec must return what it is given", b, "x", m, pattern, where);
  require_returned(name + ": solve must return what it is given", b, "b", s, solved, where);
  require_returned(name + ": transpose_solve must return what it is given", b, "b", t, transposed, where);
  const Program matvec_program = captures_first(m.closed, name),
                solve_program = captures_first(s.closed, name),
                transpose_program = captures_first(t.closed, name);
  const Arrays in = present(leaves);
  return m.outputs(lax::custom_linear_solve(matvec_program, m.closed.captures, solve_program,
                                            s.closed.captures, transpose_program, t.closed.captures, in,
                                            where));
}

}  // namespace baton::core
