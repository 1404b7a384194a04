// control_flow: the compiled half of scan, while_loop, fori_loop, cond and switch_case.
// Bodies are traced to Programs; what they read from outside becomes operands of the one equation.
#include "baton/control_flow.h"

#include <algorithm>

#include "base/text.h"
#include "baton/tracing.h"
#include "jit/traced_tree.h"
#include "ops/loops.h"
#include "trace/executor.h"

namespace baton::core {
namespace {

using ops::joined;
using ops::part;

/// Whether the body hands on the carry that it was given, with its constants.
void require_carry(const std::string& who, TreeRef init, const TracedTree& traced,
                   const detail::Result& pattern, Where where) {
  require_returned(who + ": the body must return the carry as it was given", init, "carry", traced, pattern,
                   where);
}

/// Runs an equation of control flow: recorded in a trace, or as a Program of its own.
Arrays run_whole(const char* who, const Arrays& inputs, Where where, FunctionRef<Arrays(const Arrays&)> f) {
  const Frame frame(where);
  if (Trace::current()) return f(inputs);
  return execute(make_program(who, types_of(inputs), f), inputs, where);
}

}  // namespace

Arrays scan(const ScanArgs& args, Body body, Where where, detail::Result& pattern) {
  const Arrays init = flatten(args.init), xs = flatten(args.xs);
  const std::vector<std::string> names = paths(args.xs, "xs");
  std::int64_t length = args.length;
  Types types = types_of(present(init));
  Types leaf_types;
  for (const Array& a : init) leaf_types.push_back(a.empty() ? Type{} : a.type());
  std::string sized_by = "length";
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (xs[i].empty()) {
      leaf_types.emplace_back();
      continue;
    }
    Type t = xs[i].type();
    if (t.rank() == 0)
      throw UsageError("scan: every array in xs needs a leading axis, found " + names[i] + " " + show(t) +
                       "." + called_at(where));
    if (length >= 0 && t.shape[0] != length)
      throw UsageError("scan: the leading axes of xs must have one extent; " + names[i] + " " + show(t) +
                       " has " + std::to_string(t.shape[0]) + ", " + sized_by + " has " +
                       std::to_string(length) + "." + called_at(where));
    length = t.shape[0];
    sized_by = names[i];
    t.shape.erase(t.shape.begin());
    leaf_types.push_back(t);
  }
  if (length < 0)
    throw UsageError("scan: a length is required where xs holds no array." + called_at(where) +
                     "\n  Give {.length = n}.");
  const TracedTree traced =
      trace_tree("scan", joined(init, xs), leaf_types, body, where, pattern, Customs::as_outside);
  require_carry("scan", args.init, traced, pattern, where);
  const Program program = captures_first(traced.closed, "body");
  const Arrays consts = traced.closed.captures, carry = present(init), slices = present(xs);
  const Arrays out = run_whole("scan", joined(consts, carry, slices), where, [&](const Arrays& in) {
    const std::size_t c = consts.size(), n = carry.size();
    return lax::scan(program, part(in, 0, c), part(in, c, c + n), part(in, c + n, in.size()),
                     {.length = length, .reverse = args.reverse});
  });
  return traced.outputs(out);
}

Arrays while_loop(TreeRef init_tree, Body cond, Body body, std::optional<std::int64_t> max_steps,
                  Where where) {
  if (max_steps && *max_steps < 0)
    throw UsageError("while_loop: .max_steps must not be negative, found " + std::to_string(*max_steps) +
                     "." + called_at(where) + "\n  Leave it out for a loop without a bound.");
  const Arrays init = flatten(init_tree);
  detail::Result cond_pattern, body_pattern;
  const TracedTree c =
      trace_tree("the condition of while_loop", init, {}, cond, where, cond_pattern, Customs::as_outside);
  const Types predicate = c.closed.program.outputs();
  if (predicate.size() != 1 || predicate[0] != Type{boolean, {}})
    throw UsageError("while_loop: the condition must return bool[], found " +
                     (predicate.empty() ? "an empty array" : show(predicate[0])) + "." + called_at(where) +
                     "\n  Compare there, and reduce the result with any or all.");
  const TracedTree b = trace_tree("while_loop", init, {}, body, where, body_pattern, Customs::as_outside);
  require_carry("while_loop", init_tree, b, body_pattern, where);
  const Program test = captures_first(c.closed, "cond"), step = captures_first(b.closed, "body");
  const Arrays cc = c.closed.captures, bc = b.closed.captures, carry = present(init);
  const std::size_t n = cc.size(), m = bc.size();
  const Arrays out = run_whole("while_loop", joined(cc, bc, carry), where, [&](const Arrays& in) {
    const Arrays test_consts = part(in, 0, n), consts = part(in, n, n + m),
                 start = part(in, n + m, in.size());
    if (!max_steps) return lax::while_loop(test, test_consts, step, consts, start);
    // A bounded loop is a scan that does nothing once the condition has failed; so it has a reverse mode.
    const Program bounded = make_program("body", types_of(in), [&](const Arrays& all) {
      const Arrays tc = part(all, 0, n), now = part(all, n + m, all.size());
      const Array go = splice(test, joined(tc, now))[0];
      const Program stay = make_program("stay", types_of(part(all, n, all.size())),
                                        [&](const Arrays& x) { return part(x, m, x.size()); });
      return lax::cond(go, {stay, step}, part(all, n, all.size()));
    });
    return lax::scan(bounded, joined(test_consts, consts), start, {}, {.length = *max_steps});
  });
  return b.outputs(out);
}

namespace {
/// The dtype that a fori_loop counts in: s32, or that of an Array bound which s32 does not hold.
Dtype counter_of(const Operand& lower, const Operand& upper, Where where) {
  Dtype counter = s32;
  for (const Operand* o : {&lower, &upper}) {
    if (o->integer()) continue;
    const Type t = o->is_array() && o->array().empty() ? Type{} : o->array().type();
    if ((o->is_array() && o->array().empty()) || t.rank() != 0 || !is_integer(t.dtype))
      throw UsageError("fori_loop: the bounds must be integer scalars, found " +
                       (o->is_array() && o->array().empty() ? "an empty array" : show(t)) + "." +
                       called_at(where));
    if (t.dtype == u32 || t.dtype == s64 || t.dtype == u64)
      counter = counter == s32 || counter == t.dtype ? t.dtype : promote(counter, t.dtype);
  }
  if (!is_integer(counter))
    throw UsageError("fori_loop: no integer dtype holds both bounds, found s64[] and u64[]." +
                     called_at(where) + "\n  Convert one of them with astype.");
  return counter;
}
}  // namespace

Arrays fori_loop(Operand lower, Operand upper, TreeRef init_tree,
                 FunctionRef<detail::Result(const Array&, std::span<const Array>)> body, Where where) {
  const Arrays init = flatten(init_tree);
  const Dtype counter = counter_of(lower, upper, where);
  Arrays leaves = {abstract({counter, {}})};
  leaves.insert(leaves.end(), init.begin(), init.end());
  detail::Result pattern;
  const TracedTree b = trace_tree(
      "fori_loop", leaves, {}, [&](std::span<const Array> all) { return body(all[0], all.subspan(1)); },
      where, pattern, Customs::as_outside);
  require_carry("fori_loop", init_tree, b, pattern, where);
  const Program step = captures_first(b.closed, "body");
  const Arrays consts = b.closed.captures, carry = present(init);
  const std::size_t c = consts.size();
  const bool known = lower.integer() && upper.integer();
  Arrays bounds;
  if (!known)
    for (const Operand* o : {&lower, &upper}) {
      const Array a = o->is_array() ? o->array() : o->array(counter);
      bounds.push_back(a.dtype() == counter ? a : lax::convert_element_type(a, counter));
    }
  const Arrays out = run_whole("fori_loop", joined(consts, carry, bounds), where, [&](const Arrays& in) {
    const Arrays k = part(in, 0, c), start = part(in, c, c + carry.size());
    // (consts, i, carry) -> (i + 1, carry)
    Types types = types_of(k);
    types.push_back({counter, {}});
    ops::append(types, types_of(start));
    const Program counted = make_program("body", types, [&](const Arrays& all) {
      Arrays next = {lax::add(all[c], 1)};
      ops::append(next, splice(step, all));
      return next;
    });
    if (known) {
      const Array first = lower.array(counter);
      upper.array(counter);  // both must be values of its dtype; an error says so
      const std::int64_t length = std::max<std::int64_t>(0, *upper.integer() - *lower.integer());
      const Arrays all = lax::scan(counted, k, joined(Arrays{first}, start), {}, {.length = length});
      return part(all, 1, all.size());
    }
    Types test_types = {{counter, {}}, {counter, {}}};
    ops::append(test_types, types_of(start));
    const Program below = make_program(
        "cond", test_types, [&](const Arrays& all) -> Arrays { return {lax::lt(all[1], all[0])}; });
    const Arrays all =
        lax::while_loop(below, {in[in.size() - 1]}, counted, k, joined(Arrays{in[in.size() - 2]}, start));
    return part(all, 1, all.size());
  });
  return b.outputs(out);
}

Arrays cond(Operand index, std::span<const Body> branches, TreeRef operands, Where where,
            detail::Result& pattern) {
  if (branches.empty()) throw UsageError("switch_case: at least one branch is required." + called_at(where));
  const Arrays leaves = flatten(operands);
  const Array which = index.array();
  if (which.empty() || which.rank() != 0 || is_inexact(which.dtype()))
    throw UsageError(
        "cond: the predicate must be a bool scalar, or an integer scalar for switch_case, found " +
        (which.empty() ? "an empty array" : show(which.type())) + "." + called_at(where) +
        "\n  Compare it first, as in x > 0, or reduce it with any or all.");
  std::vector<TracedTree> traced;
  CaptureUnion captures;
  std::vector<std::vector<std::size_t>> mine;  // of each branch: which of the captures
  Lines first;
  for (const Body& b : branches) {
    detail::Result result;
    traced.push_back(trace_tree("a branch of cond", leaves, {}, b, where, result, Customs::as_outside));
    mine.push_back(captures.add(traced.back().closed.captures));
    const Lines lines = describe(traced.back(), result, "result").lines;
    if (traced.size() == 1) {
      pattern = result;
      first = lines;
    } else if (const auto change = first_change(first, lines)) {
      // A predicate chooses between branch 0, for false, and branch 1.
      throw UsageError(
          "cond: all branches must return the same " +
          std::string(change->kind == Line::Kind::leaf ? "types" : "constants") + "; " + change->path +
          " is " +
          (which.dtype() == boolean ? change->became + " when true and " + change->was + " when false"
                                    : change->was + " in branch 0 and " + change->became + " in branch " +
                                          std::to_string(traced.size() - 1)) +
          "." + called_at(where) +
          (change->kind == Line::Kind::leaf ? "\n  Convert the results of one branch with astype or reshape."
                                            : change->advice()));
    }
  }
  const Arrays explicit_in = present(leaves);
  const std::size_t e = explicit_in.size();
  const Types types = types_of(joined(explicit_in, captures.all()));
  std::vector<Program> programs;
  for (std::size_t b = 0; b < traced.size(); ++b)
    programs.push_back(make_program("branch", types, [&](const Arrays& in) {
      Arrays args = part(in, 0, e);
      for (std::size_t k : mine[b]) args.push_back(in[e + k]);
      return splice(traced[b].closed.program, args);
    }));
  const Arrays out =
      run_whole("cond", joined(Arrays{which}, explicit_in, captures.all()), where, [&](const Arrays& in) {
        Array i = in[0];
        if (i.dtype() == boolean && programs.size() != 2) i = lax::convert_element_type(i, s32);
        if (i.dtype() == s64 || i.dtype() == u32 ||
            i.dtype() == u64)  // what s32 does not hold is clamped first
          i = lax::clamp(0, i, static_cast<std::int64_t>(programs.size()) - 1);
        if (i.dtype() != boolean && i.dtype() != s32) i = lax::convert_element_type(i, s32);
        return lax::cond(i, programs, part(in, 1, in.size()));
      });
  return traced[0].outputs(out);
}

}  // namespace baton::core
