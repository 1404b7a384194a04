// transform: the compiled half of grad, jvp, vjp, linearize, jacobians, vmap and checkpoint.
// Each traces the user's function to a Program, transforms that, and splices the result into the trace around
// it, or runs it where there is none.
#include "baton/transform.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/text.h"
#include "jit/cache.h"
#include "jit/donation.h"
#include "jit/traced_tree.h"
#include "ops/loops.h"
#include "ops/structure.h"
#include "trace/executor.h"
#include "transforms/derive.h"

namespace baton {
namespace core {
namespace {

using ops::joined;
using ops::part;

bool matches(std::string_view pattern, std::string_view path) {  // `*` stands for any text
  std::size_t p = 0, at = 0, star = pattern.npos,
              tried = 0;  // the last star, and where its text ends for now
  while (at < path.size()) {
    if (p < pattern.size() && pattern[p] == '*')
      star = p++, tried = at;
    else if (p < pattern.size() && pattern[p] == path[at])
      ++p, ++at;
    else if (star != pattern.npos)
      p = star + 1, at = ++tried;
    else
      return false;
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

/// The Program's inputs that are differentiated: present leaves of an inexact dtype that `chosen` (over
/// leaves) names.
Mask differentiated(const TracedTree& traced, const Mask& chosen) {
  Mask wrt;
  const Types types = traced.closed.program.inputs();
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (traced.present_in[i]) wrt.push_back(chosen[i] && is_inexact(types[wrt.size()].dtype));
  wrt.resize(types.size(), false);  // captures
  return wrt;
}

/// Leaves for the whole tree from values of the differentiated ones.
Arrays spread(const TracedTree& traced, const Mask& wrt, const Arrays& values) {
  Arrays all(traced.present_in.size());
  std::size_t input = 0, next = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!traced.present_in[i]) continue;
    if (wrt[input++]) all[i] = values[next++];
  }
  return all;
}

/// A moved-from leaf is named before anything is traced.
void refuse_donated(const char* who, TreeRef tree, const Arrays& leaves, std::string_view root, Where where) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Node* n = leaves[i].node();
    if (n && n->kind == Node::Kind::donated) donated_error(who, "leaf " + paths(tree, root)[i], *n, where);
  }
}

}  // namespace

// ---- options
// ------------------------------------------------------------------------------------------------------

namespace {
template <class Options>
const Options* kept(const std::string& key, const Options& options) {
  static std::mutex& mutex = *new std::mutex;
  static auto& all = *new std::map<std::string, Options>;  // a program writes a handful of them
  const std::lock_guard lock(mutex);
  return &all.try_emplace(key, options).first->second;
}
std::string key_of(const std::vector<std::string>& texts) {
  std::string key;
  for (const std::string& t : texts) key += std::to_string(t.size()) + ":" + t;
  return key;
}
std::string key_of(const Axis& a) { return std::to_string(a.index) + (a.mapped ? "m" : "w"); }
}  // namespace

const GradOptions* kept(const GradOptions& o) { return kept(key_of(o.trainable), o); }
const VmapOptions* kept(const VmapOptions& o) {
  std::string key = key_of(o.out) + "," + std::to_string(o.axis_size) + "," + o.axis_name + ",";
  for (const Axis& a : o.in) key += key_of(a);
  return kept(key, o);
}
const CheckpointOptions* kept(const CheckpointOptions& o) {
  return kept(std::to_string(static_cast<int>(o.save.save)) + key_of(o.save.names), o);
}

// ---- gradients
// ----------------------------------------------------------------------------------------------------

Differentiated value_and_grad(TreeRef tree, const GradOptions& options, Body body, Where where,
                              detail::Result& pattern) {
  const Arrays leaves = flatten(tree);
  refuse_donated("value_and_grad", tree, leaves, "", where);
  const TracedTree traced = trace_tree("value_and_grad", leaves, {}, body, where, pattern);
  const Frame frame(where);  // for the errors of rules
  const Program& program = traced.closed.program;
  const Type loss =
      traced.present_out.empty() || !traced.present_out[0] ? Type{boolean, {}} : program.outputs()[0];
  if (traced.present_out.empty() || !traced.present_out[0] || loss.rank() != 0 ||
      !is_real_floating(loss.dtype))
    throw UsageError(
        "value_and_grad: the function must return a real floating scalar, found " +
        (traced.present_out.empty() || !traced.present_out[0] ? "an empty array" : show(loss)) + "." +
        called_at(where) +
        (is_complex(loss.dtype) ? "\n  Take the real part or the absolute value of the loss."
         : loss.rank() == 0
             ? "\n  Convert the loss with astype, or return one that is computed in a floating dtype."
             : "\n  Reduce the loss with mean or sum, or use jacrev for the gradient of every element."));
  Mask chosen;
  const std::vector<Role> all_roles = roles(tree);
  const std::vector<std::string> all_paths =
      options.trainable.empty() ? std::vector<std::string>{} : paths(tree, "");
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    bool named = options.trainable.empty();
    for (const std::string& p : options.trainable) named = named || matches(p, all_paths[i]);
    chosen.push_back(named && all_roles[i] == Role::trainable);
  }
  for (const std::string& p : options.trainable)
    if (std::none_of(all_paths.begin(), all_paths.end(),
                     [&](const std::string& path) { return matches(p, path); }))
      throw UsageError("value_and_grad: the pattern `" + p + "` matches no leaf." + called_at(where) +
                       "\n  The leaves are " + join(all_paths, ", ") + ".");
  const Mask wrt = differentiated(traced, chosen);
  if (ops::count_of(wrt) == 0)
    throw UsageError(
        "value_and_grad: the argument has no leaf to differentiate: floating, trainable, and named by "
        "the options." +
        called_at(where));
  const Arrays all = splice(gradient(program, wrt), traced.inputs(leaves), where);
  const std::size_t n = program->outputs.size();
  return {traced.outputs(part(all, 0, n)), spread(traced, wrt, part(all, n, all.size()))};
}

Moved jvp(TreeRef tree, TreeRef tangents, Body body, Where where, detail::Result& pattern) {
  const Arrays leaves = flatten(tree), moves = flatten(tangents);
  require_same_structure("jvp", tree, tangents, where);
  refuse_donated("jvp", tree, leaves, "args", where);
  const std::vector<std::string> names = paths(tree, "args");
  Mask chosen;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    chosen.push_back(!moves[i].empty() && !leaves[i].empty() && is_inexact(leaves[i].dtype()));
    if (chosen[i] && moves[i].type() != leaves[i].type())
      throw UsageError("jvp: the tangent of " + names[i] + " must be " + show(leaves[i].type()) + ", found " +
                       show(moves[i].type()) + "." + called_at(where));
  }
  const TracedTree traced = trace_tree("jvp", leaves, {}, body, where, pattern);
  const Frame frame(where);
  const Program& program = traced.closed.program;
  const Mask wrt = differentiated(traced, chosen), moved = inexact_outputs(program);
  const JvpProgram d = transformer().jvp(program, wrt, moved);
  require_forward_rules(d.program, "jvp", where);
  Arrays in = traced.inputs(leaves);
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (chosen[i]) in.push_back(moves[i]);
  const Arrays all = splice(d.program, in, where);
  const std::size_t n = program->outputs.size();
  return {traced.outputs(part(all, 0, n)), traced.outputs(ops::placed(part(all, n, all.size()), d.out))};
}

class LinearState {
 public:
  Program program;
  Arrays residuals;
  bool residuals_first = false;  // a transposed Program takes them first
  std::vector<Type> arguments;   // of its other inputs
  Mask arguments_present;        // over the leaves it is called with: which are inputs
  Mask results_present;          // over the leaves of its result
  const char* who = "";
  bool consumed = false;
  Where consumed_at;
};

namespace {

std::shared_ptr<LinearState> linear_state(const char* who, const TracedTree& traced, const Mask& wrt,
                                          bool reverse, const Program& program, Arrays residuals) {
  auto state = std::make_shared<LinearState>();
  state->who = who;
  state->program = program;
  state->residuals = std::move(residuals);
  state->residuals_first = reverse;
  const Types in_types = traced.closed.program.inputs(), out_types = traced.closed.program.outputs();
  Mask in_leaves, out_leaves;
  std::vector<Type> in_moved, out_moved;
  std::size_t input = 0, output = 0;
  for (bool present : traced.present_in) {
    const bool moves = present && wrt[input];
    if (moves) in_moved.push_back(in_types[input]);
    input += present;
    in_leaves.push_back(moves);
  }
  for (bool present : traced.present_out) {
    const bool moves = present && is_inexact(out_types[output].dtype);
    if (moves) out_moved.push_back(out_types[output]);
    output += present;
    out_leaves.push_back(moves);
  }
  state->arguments = reverse ? out_moved : in_moved;
  state->arguments_present = reverse ? out_leaves : in_leaves;
  state->results_present = reverse ? in_leaves : out_leaves;
  return state;
}

Linearized linearized(const char* who, bool reverse, TreeRef tree, Body body, Where where,
                      detail::Result& pattern) {
  const Arrays leaves = flatten(tree);
  refuse_donated(who, tree, leaves, "args", where);
  const TracedTree traced = trace_tree(who, leaves, {}, body, where, pattern);
  const Frame frame(where);
  const Program& program = traced.closed.program;
  const Mask wrt = differentiated(traced, Mask(leaves.size(), true));
  const LinearProgram linear = linearize(program, wrt);
  if (!reverse) require_forward_rules(linear.linear, who, where);
  const Arrays known = splice(linear.known, traced.inputs(leaves), where);
  const std::size_t n = program->outputs.size();
  return {traced.outputs(part(known, 0, n)),
          linear_state(who, traced, wrt, reverse, reverse ? transpose_linear(linear, wrt) : linear.linear,
                       part(known, n, known.size()))};
}

}  // namespace

Linearized linearize(TreeRef tree, Body body, Where where, detail::Result& pattern) {
  return linearized("linearize", false, tree, body, where, pattern);
}
Linearized vjp(TreeRef tree, Body body, Where where, detail::Result& pattern) {
  return linearized("vjp", true, tree, body, where, pattern);
}

namespace {

/// For each input the result that is written into its memory, where it is a residual that nobody else holds.
std::vector<int> into_residuals(const LinearState& s, std::size_t given) {
  const std::size_t first = s.residuals_first ? 0 : given;
  Mask donated(given + s.residuals.size());
  for (std::size_t i = 0; i < s.residuals.size(); ++i) donated[first + i] = sole_owner(s.residuals[i]);
  std::vector<int> take = match_donated(*s.program, donated);
  if (std::all_of(take.begin(), take.end(), [](int t) { return t < 0; })) take.clear();
  return take;
}

}  // namespace

Types residual_types(const LinearState& s) { return types_of(s.residuals); }

Arrays apply_linear(LinearState& s, TreeRef tree, bool consume, Where where) {
  const Arrays leaves = flatten(tree);
  if (s.consumed)
    throw UsageError(std::string(s.who) + ": the residuals of this function were given back at " +
                     show(s.consumed_at) + "." + called_at(where) +
                     "\n  Call the pullback as an lvalue to keep them.");
  if (leaves.size() != s.arguments_present.size())
    throw UsageError(std::string(s.who) + ": the " + (s.residuals_first ? "cotangent" : "tangent") +
                     " must have " + std::to_string(s.arguments_present.size()) + " leaves, found " +
                     std::to_string(leaves.size()) + "." + called_at(where));
  Arrays given;
  std::size_t next = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!s.arguments_present[i]) continue;
    const Type& want = s.arguments[next++];
    if (leaves[i].empty()) {
      given.push_back(ops::zeros_of(want));
      continue;
    }
    if (leaves[i].type() != want)
      throw UsageError(std::string(s.who) + ": " +
                       paths(tree, s.residuals_first ? "cotangent" : "tangent")[i] + " must be " +
                       show(want) + ", found " + show(leaves[i].type()) + "." + called_at(where));
    given.push_back(leaves[i]);
  }
  const std::vector<int> take =
      consume && !Trace::current() ? into_residuals(s, given.size()) : std::vector<int>();
  Arrays inputs = s.residuals_first ? joined(s.residuals, given) : joined(given, s.residuals);
  const Arrays out = Trace::current() ? splice(s.program, inputs, where)
                                      : execute(s.program, std::move(inputs), take, where);
  if (consume) {  // only now: after an error everything is as before
    s.residuals.clear();
    s.consumed = true;
    s.consumed_at = where;
  }
  return ops::placed(out, s.results_present);
}

std::shared_ptr<LinearState> linear_transpose(TreeRef tree, Body body, Where where) {
  const Arrays leaves = flatten(tree);
  detail::Result pattern;
  const TracedTree traced = trace_tree("linear_transpose", leaves, {}, body, where, pattern);
  const Program& program = traced.closed.program;
  const Frame frame(where);
  const Mask wrt = differentiated(traced, Mask(leaves.size(), true)), outs = inexact_outputs(program);
  require_linear(program, wrt, "linear_transpose", where);
  const TransposeProgram back = transformer().transpose(program, wrt, outs, wrt);
  return linear_state("linear_transpose", traced, wrt, true, back.program, traced.closed.captures);
}

Array jacobian(bool forward, const Array& x, FunctionRef<Array(const Array&)> f, Where where) {
  const char* who = forward ? "jacfwd" : "jacrev";
  if (x.empty() || !is_inexact(x.dtype()))
    throw UsageError(std::string(who) + ": the argument must be floating, found " +
                     (x.empty() ? "an empty array" : show(x.type())) + "." + called_at(where));
  detail::Result pattern;
  const TracedTree traced = trace_tree(
      who, {x}, {},
      [&](std::span<const Array> leaves) {
        auto result = std::make_shared<Array>(f(leaves[0]));
        return detail::Result{result, &detail::visit_erased<Array>};
      },
      where, pattern);
  const Frame frame(where);
  const Program& program = traced.closed.program;
  const Type out = traced.present_out[0] ? program.outputs()[0] : Type{boolean, {}};
  if (!is_inexact(out.dtype))
    throw UsageError(std::string(who) + ": the function must return a floating array, found " +
                     (traced.present_out[0] ? show(out) : "an empty array") + "." + called_at(where));
  // One basis of real numbers cannot tell both parts of a derivative.
  if (forward ? is_complex(x.dtype()) && !is_complex(out.dtype)
              : is_complex(out.dtype) && !is_complex(x.dtype()))
    throw UsageError(std::string(who) + ": the derivative of " + show(out) + " in " + show(x.type()) +
                     " has a real and an imaginary part of its own." + called_at(where) +
                     (forward ? "\n  Let the function take the two parts as real arrays, and join them with "
                                "lax::complex."
                              : "\n  Let the function return its two parts as real arrays, with real and "
                                "imag."));
  Mask wrt(program.inputs().size(), false);
  wrt[0] = true;
  const LinearProgram linear = linearize(program, wrt);
  if (forward) require_forward_rules(linear.linear, who, where);
  const Program back = forward ? linear.linear : transpose_linear(linear, wrt);
  const std::size_t residuals = linear.residuals;
  const Type moved = forward ? x.type() : out;
  const std::int64_t n = moved.size();
  const BatchAxis axis{n, ""};
  const Mask lanes =
      forward ? joined(Mask{true}, Mask(residuals, false)) : joined(Mask(residuals, false), Mask{true});
  const BatchProgram batched = transformer().batch(back, axis, lanes, {true});
  const Program whole = make_program(who, program.inputs(), [&](const Arrays& args) -> Arrays {
    const Arrays known = splice(linear.known, args);
    const Array rows = lax::iota({s32, {n, n}}, 0), columns = lax::iota({s32, {n, n}}, 1);
    Shape basis_shape = moved.shape;
    basis_shape.insert(basis_shape.begin(), n);
    const Array basis =
        lax::reshape(lax::convert_element_type(lax::eq(rows, columns), moved.dtype), basis_shape);
    const Arrays res = part(known, 1, known.size());
    Array j = splice(batched.program, forward ? joined(Arrays{basis}, res) : joined(res, Arrays{basis}))[0];
    if (forward) j = ops::move_axis(j, 0, j.rank() - 1);
    return {lax::reshape(j, joined(out.shape, x.shape()))};
  });
  return splice(whole, traced.inputs({x}), where)[0];
}

// ---- vmap
// ---------------------------------------------------------------------------------------------------------

Arrays vmap(std::span<const TreeRef> args, const VmapOptions& o, Body body, Where where,
            detail::Result& pattern) {
  if (!o.in.empty() && o.in.size() != args.size())
    throw UsageError("vmap: one axis for each of the " + std::to_string(args.size()) +
                     " arguments is required, found " + std::to_string(o.in.size()) + "." + called_at(where));
  Arrays leaves;
  std::vector<Axis> axes;
  std::vector<std::string> names;
  for (std::size_t a = 0; a < args.size(); ++a) {
    const Arrays some = flatten(args[a]);
    leaves.insert(leaves.end(), some.begin(), some.end());
    axes.resize(leaves.size(), o.in.empty() ? axis(0) : o.in[a]);
    const auto more = paths(args[a], "args[" + std::to_string(a) + "]");
    names.insert(names.end(), more.begin(), more.end());
  }
  std::int64_t size = o.axis_size;
  std::string sized_by = "axis_size";
  Types lane;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].empty()) {
      lane.emplace_back();
      continue;
    }
    Type t = leaves[i].type();
    if (axes[i].mapped) {
      if (axes[i].index < -t.rank() || axes[i].index >= t.rank())
        throw UsageError("vmap: " + names[i] + " has no axis " + std::to_string(axes[i].index) + ", found " +
                         show(t) + "." + called_at(where) +
                         "\n  Say `whole` for arguments that all lanes share: {.in = {axis(0), whole}}.");
      axes[i].index = static_cast<int>(ops::canonical_axis(axes[i].index, t.rank()));
      const std::int64_t extent = t.shape[static_cast<std::size_t>(axes[i].index)];
      if (size >= 0 && extent != size)
        throw UsageError("vmap: all mapped axes must have one extent; " + names[i] + " " + show(t) + " has " +
                         std::to_string(extent) + " on axis " + std::to_string(axes[i].index) + ", " +
                         sized_by + " has " + std::to_string(size) + "." + called_at(where));
      size = extent;
      sized_by = names[i];
      t.shape.erase(t.shape.begin() + axes[i].index);
    }
    lane.push_back(std::move(t));
  }
  if (size < 0)
    throw UsageError("vmap: at least one argument must be mapped, or axis_size given." + called_at(where));
  TracedTree traced;
  {
    const AxisName name(o.axis_name, size);
    traced = trace_tree("vmap", leaves, lane, body, where, pattern, Customs::as_outside);
  }
  const Frame frame(where);
  const Program& program = traced.closed.program;
  Mask in;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (traced.present_in[i]) in.push_back(axes[i].mapped);
  in.resize(program.inputs().size(), false);
  const BatchProgram b =
      transformer().batch(program, {size, o.axis_name}, in, Mask(program->outputs.size(), o.out.mapped));
  for (std::size_t k = 0; k < b.out.size(); ++k)
    if (b.out[k] && !o.out.mapped)
      throw UsageError("vmap: .out says `whole`, but " + output_paths(traced, pattern, "result")[k] +
                       " differs from lane to lane." + called_at(where) +
                       "\n  Reduce it over the axis name, or let .out be an axis.");
  const Program whole_program =
      make_program("vmap", types_of(traced.inputs(leaves)), [&](const Arrays& args) {
        Arrays moved = args;
        std::size_t next = 0;
        for (std::size_t i = 0; i < leaves.size(); ++i) {
          if (!traced.present_in[i]) continue;
          if (axes[i].mapped) moved[next] = ops::move_axis(args[next], axes[i].index, 0);
          ++next;
        }
        Arrays out = splice(b.program, moved);
        if (o.out.mapped)
          for (Array& a : out) {
            const int rank = a.rank();
            if (o.out.index < -rank || o.out.index >= rank)
              throw UsageError("vmap: a result " + show(a.type()) + " has no axis " +
                               std::to_string(o.out.index) + " for its lanes." + called_at(where));
            a = ops::move_axis(a, 0, static_cast<int>(ops::canonical_axis(o.out.index, rank)));
          }
        return out;
      });
  return traced.outputs(splice(whole_program, traced.inputs(leaves), where));
}

// ---- checkpoint, stop_gradient
// ----------------------------------------------------------------------------------

Arrays checkpoint(TreeRef tree, const SavePolicy& policy, Body body, Where where, detail::Result& pattern) {
  const Arrays leaves = flatten(tree);
  const TracedTree traced = trace_tree("checkpoint", leaves, {}, body, where, pattern, Customs::as_outside);
  const Arrays in = traced.inputs(leaves);
  if (Trace::current()) return traced.outputs(lax::checkpoint(traced.closed.program, in, policy, where));
  const Frame frame(where);
  lax::require_repeatable(traced.closed.program);
  return traced.outputs(execute(traced.closed.program, in, where));
}

Arrays stop_gradient(Arrays leaves, Where where) {
  const Frame frame(where);
  for (Array& a : leaves)
    if (!a.empty() && is_inexact(a.dtype())) a = lax::stop_gradient(a);
  return leaves;
}

}  // namespace core
}  // namespace baton
