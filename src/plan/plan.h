#pragma once
// plan: in which order the equations of a Program run, and where each value lives meanwhile. Decided before
// the first run and exact to the byte. `validate` judges it.
#include "program/primitive.h"

namespace baton {

/// Where the bytes of a variable are.
struct Place {
  enum class Kind : unsigned char { input, literal, constant, output, arena };
  Kind kind = Kind::arena;
  int index = 0;            // which input, literal or output; constant: which equation
  std::int64_t offset = 0;  // arena: bytes from its start, a multiple of 64
  bool operator==(const Place&) const = default;
};

struct PlanStep {
  int equation = 0;
  std::int64_t scratch = 0;        // offset of its own memory in the arena
  std::int64_t scratch_bytes = 0;  // of it
};

/// An output that is filled when all steps have run.
struct OutputCopy {
  Var from = -1;
  int output = 0;
};

/// An output that is an input and takes no input's memory.
enum class Passing {
  handed_on,  // is the input's handle
  copied,     // is a copy in memory of its own, as every other output
};

struct Plan {
  Program program;
  Passing passing = Passing::handed_on;
  std::vector<int> take;  // for each input: the output that is written into its memory, or -1
  std::vector<PlanStep> steps;
  std::vector<Place> places;  // of each variable
  std::vector<OutputCopy> copies;
  std::int64_t arena_bytes = 0;
};

/// What a plan must know of the equations as the engine runs them.
class StepFacts {
 public:
  /// Bytes of its own that it needs while it runs.
  virtual std::int64_t scratch(const Equation&) const = 0;
  /// Whether this result may lie where this operand lies: every element of the operand is read before, or
  /// when, the element at its place is written.
  virtual bool in_place(const Equation&, std::size_t operand, std::size_t result) const = 0;
  /// Whether it may throw. Once the memory of a donated input is overwritten, no step may: an error leaves
  /// every donated leaf whole.
  virtual bool may_fail(const Equation&) const = 0;
  /// Whether the bytes of its one result are there before any run, so that it needs no step.
  virtual bool is_constant(const Equation&) const { return false; }

 protected:
  ~StepFacts() = default;
};

/// `take` names, for each input, the output that may be written into its memory, or -1; the types of the two
/// are equal, and no output is named twice. The plan may take fewer.
Plan make_plan(const Program&, std::vector<int> take, const StepFacts&, Passing = Passing::handed_on);

/// Throws InternalError unless every step and every output finds the bytes that the Program says, nothing
/// that must stay is overwritten, and everything lies in its memory. Shares no code with make_plan: it plays
/// the steps through and remembers which value lies where.
void validate(const Plan&, const StepFacts&);

/// The plan as text: inputs, steps with the place of each operand and result, copies.
std::string show(const Plan&);

/// Of three orders the one that keeps least alive: that of the Program; the same, but what frees memory runs
/// as soon as it can; and one that always takes what leaves least alive. Code with effects keeps its order.
/// What is written over a donated input (`take`, as in make_plan) goes behind the input's readers where that
/// costs nothing.
std::vector<int> order_of(const Program&, const StepFacts&, std::span<const int> take = {});

/// Equations whose result k is the bytes of operand k, so that they need no step.
inline bool is_view(const Equation& e) { return e.primitive->views; }
/// For each variable the one whose bytes it is, through views.
std::vector<Var> roots_of(std::span<const Equation>, std::size_t variables);
/// Which outputs are made in memory of their own: neither a donated input's nor an input that is handed on.
std::vector<bool> fresh_outputs(const Plan&);

}  // namespace baton
