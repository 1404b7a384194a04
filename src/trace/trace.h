#pragma once
// trace: from a function on arrays to a Program. While a Trace lives, every operation of its thread is
// recorded in it.
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>

#include "baton/error.h"
#include "program/primitive.h"
#include "trace/node.h"
#include "trace/origin.h"

namespace baton {

class Trace;

/// What outlives a trace, so that a value that escaped can say where it came from.
struct TraceInfo {
  TraceInfo(std::string n, Where w, Trace* t, std::shared_ptr<const TraceInfo> o = nullptr)
      : name(std::move(n)), where(w), outer(std::move(o)), trace(t) {}
  const std::string name;
  const Where where;
  const std::shared_ptr<const TraceInfo> outer;  // of the trace around it
  const std::thread::id thread = std::this_thread::get_id();
  std::atomic<Trace*> trace;  // nullptr once the trace has ended; other threads look at it to say so
};

/// The Program's text with the line and scope of each equation: "c:f32[2] = sin a    # train.cc:41 dense".
std::string listing(const Program&);

/// A Program and the arrays that its function read from outside: its last inputs.
struct Closed {
  Program program;
  Arrays captures;
  std::vector<Where> capture_lines = {};  // where each was first read
  bool outer_literal = false;  // a literal of an outer trace was read: its value stands in the Program
};

class Trace {
 public:
  /// Becomes the innermost trace of this thread, until `finish` or destruction.
  Trace(std::string name, Where where);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  static Trace* current();

  /// Inputs come before everything else.
  Array input(const Type&);
  Array literal(const Literal&);
  Arrays record(const Primitive&, const Arrays& inputs, Params params, Where where);
  /// The literal of this trace that the array is, or nullptr.
  const Literal* as_literal(const Array&) const;
  /// The variable of an array here; an array from outside becomes a captured input.
  Var variable(const Array&, std::string_view who, Where where);
  Closed finish(const Arrays& outputs);

  /// The number of the equations to come, as trace/origin.h counts; -1: each has its own line. A transform
  /// gives the equations that it makes the number of the one they come from.
  void set_origin(int number) { origin_ = number; }
  int origin() const { return origin_; }
  const TraceInfo& info() const { return *info_; }
  const std::shared_ptr<TraceInfo>& shared_info() const { return info_; }
  Trace* outer() const { return outer_; }

 private:
  Array traced(Var var, const Type& type, Where where);
  void end();

  std::shared_ptr<TraceInfo> info_;
  Trace* outer_;
  Builder builder_;
  std::vector<Array> captures_;  // in order
  std::unordered_map<const Node*, Var> captured_;
  std::vector<Where> capture_lines_;
  bool outer_literal_ = false;
  int explicit_inputs_ = 0;
  int origin_ = -1;
  int depth_ = 0;
};

/// Thrown by an operation that is given an empty array. The rules of transposition have one for everything
/// that must be linear: there it means that an operation is not.
class EmptyOperand : public UsageError {
 public:
  using UsageError::UsageError;
};

/// Traces `body` on inputs of these types.
Closed trace_body(const std::string& name, Where where, const Types& inputs,
                  FunctionRef<Arrays(const Arrays&)> body);
/// A Program from operations on its own inputs alone, as transforms and rules make them; capturing is an
/// internal error.
Program make_program(const std::string& name, const Types& inputs, FunctionRef<Arrays(const Arrays&)> body);
/// The results of a Program on these inputs: recorded equation by equation in a trace, run where there is
/// none.
Arrays splice(const Program&, const Arrays& inputs, Where where = {});

/// Refuses traced arrays where values are needed: no trace of this thread can hold them.
void require_values(const Arrays&, std::string_view who, Where where);

Type type_of(const Array&);
Types types_of(const Arrays&);

/// The line that operations made inside blame: the outermost frame of the thread wins.
class Frame {
 public:
  explicit Frame(Where where);
  ~Frame();
  Frame(const Frame&) = delete;
  static Where blame(Where inner);  // the frame's line, or `inner` where there is no frame

 private:
  bool mine_;
};

/// An axis name of a vmap whose function is being traced.
class AxisName {
 public:
  AxisName(std::string name, std::int64_t size);
  ~AxisName();
  AxisName(const AxisName&) = delete;
  /// Its size; throws a UsageError of `who` where no vmap around the call has this name.
  static std::int64_t size_of(std::string_view name, std::string_view who, Where where);
  /// The names around this call with their sizes, outermost first: what a trace may depend on besides its
  /// arguments.
  static std::vector<std::pair<std::string, std::int64_t>> around();
};

}  // namespace baton
