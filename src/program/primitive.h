#pragma once
// primitive: all that is known of one operation, as one value of this struct, defined in one file of ops/.
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "baton/array.h"
#include "baton/error.h"
#include "baton/save.h"
#include "program/element.h"
#include "program/params.h"
#include "program/program.h"

namespace baton {

/// Dense, row-major memory of one operand or result, seen by `evaluate`.
struct View {
  const Type* type = nullptr;
  void* data = nullptr;  // written for results only

  template <class T>
  std::span<T> as() const {
    return {static_cast<T*>(data), static_cast<std::size_t>(type->size())};
  }
  const Shape& shape() const { return type->shape; }
  Dtype dtype() const { return type->dtype; }
};

/// Runs Programs for the primitives that hold some.
class Evaluator {
 public:
  virtual void run(const Program&, std::span<const View> in, std::span<const View> out) = 0;

 protected:
  ~Evaluator() = default;
};

using Mask = std::vector<bool>;

/// The derivative of a Program: (inputs, tangents of the inputs in the mask) -> (outputs, tangents of outputs
/// in `out`).
struct JvpProgram {
  Program program;
  Mask out;  // outputs that have a tangent; those of the others are zero
};
/// A Program cut in two: known: (known inputs) -> (known outputs, residuals);
/// unknown: (unknown inputs, residuals) -> (unknown outputs). A residual that is a known input is that input.
struct PartialProgram {
  Program known, unknown;
  Mask out;  // outputs that are unknown
  Types residuals;
};
/// The adjoint of a Program in its linear inputs: (non-linear inputs, cotangents of outputs in the mask) ->
/// (cotangents of the linear inputs in `in`).
struct TransposeProgram {
  Program program;
  Mask in;  // over all inputs: linear ones whose cotangent is not zero
};
/// A Program over a batch: inputs in the mask have the batch as axis 0; so have outputs in `out`.
struct BatchProgram {
  Program program;
  Mask out;
};
struct BatchAxis {
  std::int64_t size = 0;
  std::string name;  // empty: no name
};

/// Thrown by `transpose` where a Program needs the value of what it must be linear in.
class NotLinear : public UsageError {
 public:
  NotLinear(const std::string& text, std::string operation)
      : UsageError(text), operation_(std::move(operation)) {}
  /// "the operation `mul` at rule.cc:7"
  const std::string& operation() const { return operation_; }

 private:
  std::string operation_;
};

/// Transforms Programs for the rules of primitives that hold Programs. Every result is kept by content.
/// Masks are as long as the list they speak of: `in`, `unknown`, `linear` over inputs, `cotangents` over
/// outputs; `instantiate` names results that must be there even if they are zero, known or not batched: over
/// the outputs for jvp, partial and batch, over the inputs for transpose. Masks of tangents hold inexact
/// dtypes only.
class Transformer {
 public:
  virtual JvpProgram jvp(const Program&, const Mask& in, const Mask& instantiate) = 0;
  virtual PartialProgram partial(const Program&, const Mask& unknown, const Mask& instantiate,
                                 const SavePolicy& policy) = 0;
  virtual TransposeProgram transpose(const Program&, const Mask& linear, const Mask& cotangents,
                                     const Mask& instantiate) = 0;
  virtual BatchProgram batch(const Program&, const BatchAxis&, const Mask& in, const Mask& instantiate) = 0;

 protected:
  ~Transformer() = default;
};

/// An operand of an equation that is transposed: its type, and its value unless the equation is linear in it.
struct LinearOperand {
  Type type;
  Array value;  // empty: linear
  bool linear() const { return value.empty(); }
};
/// A value with a batch axis, or without one: axis < 0.
struct Batched {
  Array value;
  int axis = -1;
};
/// An equation cut in two, by a primitive that holds Programs; see `partial_eval`.
struct PartialEquation {
  Arrays known;      // values of the outputs that are known, empty where unknown
  Arrays residuals;  // what the unknown half needs
  /// The equation of the unknown half. Without a primitive there is none: everything turned out known.
  struct Unknown {
    const Primitive* primitive = nullptr;
    Params params;
    /// Its inputs in order: i >= 0 is input i of the equation (unknown), i < 0 is residual -1-i.
    std::vector<int> inputs;
    Types outputs;
    /// For each of the unknown equation's outputs: which output of the equation it is.
    std::vector<int> which;
  } unknown;
};

/// What an equation means, where that is a Program on some of its operands and no more.
struct Meaning {
  Program program;
  std::vector<std::size_t> operands;  // of the equation, in the order of the Program's inputs
};
/// An equation without some of its results: which operands and which results are left.
struct Trimmed {
  Params params;
  Mask operands, results;
};

enum class Cost { free, memory_bound, compute_bound };  // what checkpoint policies and fusion ask

/// One row of the generated tests: the op on inputs of these types against the judges of tests/ops.
struct Example {
  std::vector<Type> inputs = {};
  Params params = None{};
  double low = -2, high = 2;   // inputs are drawn from here; integers too
  int order = 2;               // to which derivatives are checked; 0: not differentiable
  int complex_order = 2;       // at most this for complex dtypes: 0 where their phases are free
  double tolerance = 1e-5;     // of finite differences in f64, relative
  std::string_view note = {};  // what the row is there for
  std::vector<std::vector<double>> values = {};  // given instead of drawn, for one input each; empty: drawn
  std::vector<int> fixed = {};                   // inputs that the op has no derivative in
  bool distinct = false;                // draw values that are all different, for sort, max and their like
  bool forward = true, reverse = true;  // the modes in which it can be differentiated
};

struct Primitive {
  std::string_view name;
  Cost cost = Cost::memory_bound;
  bool elementwise = false;  // result element i depends on element i of each operand alone; all shapes equal
  bool linear = false;       // in all operands together
  bool transpose_only = false;  // stands for a derivative until it is transposed, and cannot run
  Params params = None{};       // a value of the Params struct, from which the parser starts
  std::string_view no_transpose_advice = {};    // what to do where reverse mode meets it and it has no rule
  Effects (*effects)(const Params&) = nullptr;  // its own, apart from those of Programs in its Params

  /// The types of the results; raises every error that a user can cause.
  Types (*type)(std::span<const Type> in, const Params&) = nullptr;
  /// The reference: slow, obvious, right.
  void (*evaluate)(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) = nullptr;

  /// The element of a result at one position for each axis: from it engines write loops. 16-bit floats are
  /// rounded afterwards. Empty where there is none for these dtypes.
  Scalar (*element)(ElementWriter&, std::size_t result, std::span<const Position> at,
                    const Params&) = nullptr;

  /// Tangents of the results. An empty Array is a zero tangent, in and out; at least one is not zero.
  Arrays (*jvp)(const Arrays& primals, const Arrays& outs, const Arrays& tangents, const Params&) = nullptr;
  /// For primitives that hold Programs: results and tangents at once. Results must not depend on tangents, as
  /// equations or as what `partial_eval` cuts them into: reverse mode runs them before it knows any.
  std::pair<Arrays, Arrays> (*jvp_whole)(const Arrays& primals, const Arrays& tangents, const Params&,
                                         Transformer&) = nullptr;
  /// Cotangents of the linear operands, empty for others and for zeros. An empty cotangent is zero.
  Arrays (*transpose)(const Arrays& cotangents, std::span<const LinearOperand> operands, const Params&,
                      Transformer&) = nullptr;
  /// The equation over a batch. Called if an operand has a batch axis, or if `names_axis` says so.
  std::vector<Batched> (*batch)(const BatchAxis&, std::span<const Batched> in, const Params&,
                                Transformer&) = nullptr;
  /// Whether the equation speaks of this axis name itself, as collectives do; Programs in its Params apart.
  bool (*names_axis)(const Params&, std::string_view name) = nullptr;
  /// Cuts the equation. `known[i]` is empty where input i is unknown. Without this rule an equation with an
  /// unknown input is unknown as a whole.
  PartialEquation (*partial_eval)(const Arrays& known, std::span<const Type> in, std::span<const Type> out,
                                  const Params&, Transformer&, const SavePolicy&) = nullptr;

  /// Whether a checkpoint with this policy, neither `nothing` nor `everything`, keeps the results. Null:
  /// never.
  bool (*saved)(const Params&, const SavePolicy&) = nullptr;

  // What passes and plans ask.
  bool views = false;       // result k is the bytes of operand k as they lie
  bool rearranges = false;  // each element of the result is one of operand 0, whatever their values
  Meaning (*meaning)(const Params&, std::size_t operands) = nullptr;
  /// The operand that the result equals, or -1. `filled[i]`: the literal that every element of operand i is,
  /// or nullptr.
  int (*same_as)(std::span<const Type> in, std::span<const Literal* const> filled, const Params&) = nullptr;
  /// Asked where a result is not used; what it leaves holds at least the used ones.
  Trimmed (*drop_unused)(const Params&, const Mask& used) = nullptr;

  std::vector<Example> examples = {};
  /// Rows whose Params hold Programs: traced when asked for, because other primitives may not exist before
  /// main.
  std::vector<Example> (*program_examples)() = nullptr;
};

/// Every primitive, from ops/list.def; nullptr where no such name exists.
const Primitive* find_primitive(std::string_view name);
std::span<const Primitive* const> all_primitives();

/// What is wrong with the shape, as a clause: a negative extent, or more elements than can be. Empty:
/// nothing.
std::string fault_of_extents(const Type&);
/// What the type rule gives. Throws a UsageError where that is a shape that cannot be.
Types result_types(const Primitive&, std::span<const Type> in, const Params&);

/// Records the equation in the trace of this thread, or runs it where there is none.
Arrays bind(const Primitive&, const Arrays& inputs, Params params, Where where);
inline Array bind_one(const Primitive& p, const Arrays& inputs, Params params, Where where) {
  return std::move(bind(p, inputs, std::move(params), where)[0]);
}

/// What `Array` writes into the Program being traced: its bytes as an equation of their own.
Array constant(const Type&, const void* data, Where where);

/// Raised by type rules: "name: message" and the line of the user's call.
[[noreturn]] void type_error(std::string_view name, const std::string& message);

}  // namespace baton
