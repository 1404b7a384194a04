// trace: the stack of traces of a thread, and how operations enter the innermost one.
#include "trace/trace.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "baton/name_scope.h"
#include "trace/executor.h"

namespace baton {
namespace {

thread_local Trace* innermost = nullptr;
thread_local Where frame;
// Pointers, deleted where they are empty again: objects with destructors would be gone before those of the
// user's threads and statics, which may still trace.
thread_local std::string* scope = nullptr;  // names joined by slashes
thread_local std::vector<std::pair<std::string, std::int64_t>>* axis_names = nullptr;

/// The end of the sentence about an operand that has no value.
std::string empty_text(const Array& a, Where where) {
  const Node* n = a.node();
  return n ? donated_text(*n) + called_at(where) + donated_cure : "is an empty array." + called_at(where);
}

constexpr int max_depth = 500;  // of traces inside of traces: each takes some of the stack

}  // namespace

// ---- Frame, AxisName
// ----------------------------------------------------------------------------------------------

Frame::Frame(Where where) : mine_(!frame.known() && where.known()) {
  if (mine_) frame = where;
}
Frame::~Frame() {
  if (mine_) frame = {};
}
Where Frame::blame(Where inner) { return frame.known() ? frame : inner; }

AxisName::AxisName(std::string name, std::int64_t size) {
  if (!axis_names) axis_names = new std::vector<std::pair<std::string, std::int64_t>>;
  axis_names->emplace_back(std::move(name), size);
}
AxisName::~AxisName() {
  axis_names->pop_back();
  if (!axis_names->empty()) return;
  delete axis_names;
  axis_names = nullptr;
}
std::vector<std::pair<std::string, std::int64_t>> AxisName::around() {
  std::vector<std::pair<std::string, std::int64_t>> named;
  if (!axis_names) return named;
  for (const auto& axis : *axis_names)
    if (!axis.first.empty()) named.push_back(axis);
  return named;
}
std::int64_t AxisName::size_of(std::string_view name, std::string_view who, Where where) {
  const auto names = axis_names ? *axis_names : std::vector<std::pair<std::string, std::int64_t>>();
  for (auto it = names.rbegin(); it != names.rend(); ++it)
    if (it->first == name) return it->second;
  std::vector<std::string> known;
  for (const auto& [n, size] : names) known.push_back("`" + n + "`");
  throw UsageError(
      std::string(who) + ": no vmap around this call has an axis named `" + std::string(name) + "`; " +
      (known.empty() ? "there are no axis names here." : "there are " + join(known, ", ") + ".") +
      called_at(Frame::blame(where)) + "\n  Name the axis: vmap(f, {.axis_name = \"" + std::string(name) +
      "\"}).");
}

// ---- NameScope, listing
// --------------------------------------------------------------------------------------------

NameScope::NameScope(std::string_view name) : outer_length_(scope ? scope->size() : 0) {
  if (!scope) scope = new std::string;
  if (!scope->empty()) *scope += '/';
  *scope += name;
}
NameScope::~NameScope() {
  scope->resize(outer_length_);
  if (outer_length_ > 0) return;
  delete scope;
  scope = nullptr;
}

std::string listing(const Program& program) {
  return annotated(program, [](int number) { return origin_text(number); });
}

// ---- Trace
// --------------------------------------------------------------------------------------------------------

Trace::Trace(std::string name, Where where)
    : info_(
          std::make_shared<TraceInfo>(std::move(name), where, this, innermost ? innermost->info_ : nullptr)),
      outer_(innermost) {
  if (outer_) depth_ = outer_->depth_ + 1;
  if (depth_ > max_depth)
    throw UsageError(info_->name + ": traces are nested more than " + std::to_string(max_depth) + " deep." +
                     called_at(where) + "\n  Use scan, fori_loop or while_loop for what repeats.");
  if (outer_) origin_ = outer_->origin_;
  innermost = this;
}
Trace::~Trace() { end(); }

void Trace::end() {
  if (!info_->trace) return;
  info_->trace = nullptr;
  innermost = outer_;
}

Trace* Trace::current() { return innermost; }

Array Trace::traced(Var var, const Type& type, Where where) {
  auto* n = new Node;
  n->kind = Node::Kind::traced;
  n->type = type;
  n->trace = info_;
  n->var = var;
  n->where = where;
  return Array::from_node(n);
}

Array Trace::input(const Type& type) {
  if (!captures_.empty()) internal_error("an input of a trace after a capture");
  ++explicit_inputs_;
  return traced(builder_.input(type), type, info_->where);
}

const Literal* Trace::as_literal(const Array& a) const {
  const Node* n = a.node();
  return n && n->kind == Node::Kind::traced && n->trace->trace == this ? builder_.as_literal(n->var)
                                                                       : nullptr;
}
Array Trace::literal(const Literal& l) { return traced(builder_.literal(l), {l.dtype, {}}, info_->where); }

Var Trace::variable(const Array& a, std::string_view who, Where where) {
  const Node* n = a.node();
  if (a.empty()) throw EmptyOperand(std::string(who) + ": an operand " + empty_text(a, where));
  if (n->kind == Node::Kind::traced) {
    if (n->trace->trace == this) return n->var;
    if (n->trace->thread != std::this_thread::get_id())
      throw UsageError(std::string(who) + ": a traced value " + show(n->type) + " of `" + n->trace->name +
                       "` (made at " + show(n->where) +
                       ") is used in another thread than the one that traces it." + called_at(where) +
                       "\n  A traced value belongs to its trace and thread: pass arrays as arguments.");
    if (!n->trace->trace)
      throw UsageError(
          std::string(who) + ": a traced value " + show(n->type) + " that was made at " + show(n->where) +
          " while `" + n->trace->name + "` was traced has escaped: its trace has ended." + called_at(where) +
          "\n  Return the value from `" + n->trace->name + "` instead of keeping it in a variable outside.");
  }
  if (n->kind == Node::Kind::traced)
    if (const Literal* l = n->trace->trace.load()->builder_.as_literal(n->var)) {
      for (Trace* t = this; t && t != n->trace->trace; t = t->outer_) t->outer_literal_ = true;
      return builder_.literal(*l);
    }
  if (const auto known = captured_.find(n); known != captured_.end()) return known->second;
  const Var var = builder_.input(n->type);
  captured_.emplace(n, var);
  captures_.push_back(a);
  capture_lines_.push_back(where);
  return var;
}

Arrays Trace::record(const Primitive& primitive, const Arrays& inputs, Params params, Where where) {
  std::vector<Var> vars;
  Types in;
  for (const Array& a : inputs) {
    vars.push_back(variable(a, primitive.name, where));
    in.push_back(builder_.type(vars.back()));
  }
  const Types out = result_types(primitive, in, params);
  const int number =
      origin_ >= 0 ? origin_ : origin_number(where, scope ? std::string_view(*scope) : std::string_view());
  vars = builder_.equation(primitive, std::move(params), std::move(vars), out, number);
  Arrays results;
  for (std::size_t i = 0; i < vars.size(); ++i) results.push_back(traced(vars[i], out[i], where));
  return results;
}

Closed Trace::finish(const Arrays& outputs) {
  std::vector<Var> vars;
  for (const Array& a : outputs) vars.push_back(variable(a, info_->name, info_->where));
  Closed closed{builder_.finish(vars), captures_, capture_lines_, outer_literal_};
  end();
  if (checks_programs()) check(closed.program);
  return closed;
}

void require_values(const Arrays& arrays, std::string_view who, Where where) {
  for (const Array& a : arrays) {
    if (!a.traced()) continue;
    const TraceInfo& trace = *a.node()->trace;
    std::string array = std::string(who) + ": a traced value " + show(a.type());
    if (!trace.where.known() && trace.name == "abstract")
      throw UsageError(array + " has a type and no value: it comes from abstract or eval_shape." +
                       called_at(where));
    array += " that was made at " + show(a.node()->where) + " while `" + trace.name + "` was traced ";
    if (trace.trace)
      throw UsageError(array + "is used in another thread." + called_at(where) +
                       "\n  A traced value belongs to its trace and thread: pass arrays as arguments.");
    throw UsageError(array + "has escaped: its trace has ended." + called_at(where) +
                     "\n  Return the value from `" + trace.name +
                     "` instead of keeping it in a variable outside.");
  }
}

Arrays bind(const Primitive& primitive, const Arrays& inputs, Params params, Where where) {
  where = Frame::blame(where);
  std::optional<Frame> keep(where);  // an error of the type rule blames this line
  if (Trace* trace = Trace::current()) return trace->record(primitive, inputs, std::move(params), where);
  Types in;
  for (const Array& a : inputs) {
    if (a.empty()) throw EmptyOperand(std::string(primitive.name) + ": an operand " + empty_text(a, where));
    in.push_back(a.type());
  }
  require_values(inputs, primitive.name, where);
  const Types out = result_types(primitive, in, params);
  keep.reset();  // a host function that runs now has lines of its own
  return execute(primitive, inputs, params, out, where);
}

void type_error(std::string_view name, const std::string& message) {
  const std::size_t end = std::min(message.find('\n'), message.size());  // what to do comes after where
  const Trace* trace = Trace::current();
  throw UsageError(std::string(name) + ": " + message.substr(0, end) +
                   called_for(trace ? trace->origin() : -1) + message.substr(end));
}

// ---- functions of traces
// ------------------------------------------------------------------------------------------

Closed trace_body(const std::string& name, Where where, const Types& inputs,
                  FunctionRef<Arrays(const Arrays&)> body) {
  Trace trace(name, where);
  Arrays arguments;
  for (const Type& t : inputs) arguments.push_back(trace.input(t));
  return trace.finish(body(arguments));
}

Program make_program(const std::string& name, const Types& inputs, FunctionRef<Arrays(const Arrays&)> body) {
  Closed closed = trace_body(name, {}, inputs, body);
  if (!closed.captures.empty()) internal_error(name + " reads an array from outside its Program");
  return closed.program;
}

Arrays splice(const Program& program, const Arrays& inputs, Where where) {
  const ProgramData& p = *program;
  if (inputs.size() != static_cast<std::size_t>(p.input_count))
    internal_error("a Program of " + std::to_string(p.input_count) + " inputs was given " +
                   std::to_string(inputs.size()));
  Trace* trace = Trace::current();
  if (!trace) return execute(program, inputs, where);
  std::vector<Array> values(p.types.size());
  std::copy(inputs.begin(), inputs.end(), values.begin());
  for (std::size_t i = 0; i < p.literals.size(); ++i)
    values[static_cast<std::size_t>(p.input_count) + i] = trace->literal(p.literals[i]);
  struct Around {
    Trace& trace;
    const int origin = trace.origin();
    ~Around() { trace.set_origin(origin); }
  } const around{*trace};
  for (const Equation& e : p.equations) {
    Arrays in;
    for (Var v : e.inputs) in.push_back(values[static_cast<std::size_t>(v)]);
    trace->set_origin(origin_of(e.number).where.known() ? e.number : around.origin);
    const Arrays out = trace->record(*e.primitive, in, e.params, where);
    for (std::size_t k = 0; k < out.size(); ++k) values[static_cast<std::size_t>(e.outputs[k])] = out[k];
  }
  Arrays results;
  for (Var v : p.outputs) results.push_back(values[static_cast<std::size_t>(v)]);
  return results;
}

Type type_of(const Array& a) { return a.type(); }
Types types_of(const Arrays& arrays) {
  Types types;
  for (const Array& a : arrays) types.push_back(a.type());
  return types;
}

}  // namespace baton
