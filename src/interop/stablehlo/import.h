#pragma once
// import: from the syntax tree of a module to Programs, by tracing its operations with the functions of lax.
// One table names the function that reads each operation; the files beside this one hold those functions.
#include <unordered_map>
#include <unordered_set>

#include "baton/lax.h"
#include "baton/stablehlo.h"
#include "interop/mlir/constants.h"
#include "interop/stablehlo/check.h"
#include "interop/stablehlo/narrow.h"
#include "trace/trace.h"

namespace baton::stablehlo {

using mlir::Attribute;
using mlir::Fields;
using mlir::Op;
using mlir::Region;
using mlir::Text;

/// What a name stands for.
struct Value {
  Array array;                                     // empty for tokens and tuples
  std::shared_ptr<const mlir::Elements> constant;  // of a constant
  int iota = -1;                                   // the axis of an iota
  std::vector<Value> tuple = {};
  const Narrow* narrow = nullptr;  // what the array carries, if it carries a narrow type
};
using Values = std::vector<Value>;

/// Names of one block; those of the blocks around it are seen through `outer`.
struct Scope {
  const Scope* outer = nullptr;
  std::unordered_map<Text, Values> names = {};
  const Value* find(const mlir::Use&) const;
};

class Importer {
 public:
  /// `checks`: where the operations of the check dialect put their operands; nullptr: they are refused.
  explicit Importer(const mlir::ModuleSyntax& module, std::vector<Check>* checks = nullptr);

  /// Traces a function. With checks, their operands are added to the outputs.
  Program function(const mlir::Function&);

  /// The values that a block returns: that of a function, or of the operation at `at`.
  Values block(const Region&, Scope&, std::size_t at, const mlir::Function* = nullptr);
  /// Those that a `return` names, checked against the types that it and the function declare.
  Values returned(const Op&, const Scope&, const mlir::Function*) const;
  /// Gives a name, which must be new, to these values.
  void define(Scope&, Text name, Values, std::size_t at) const;
  /// One operation; its results go into the scope.
  void operation(const Op&, Scope&);
  /// Gives the results of an operation their names, and checks them against the declared types. Those of
  /// narrow types are brought back to them.
  void name_results(const Op&, Scope&, Values results);
  /// A call, inlined.
  Values call(Text name, const Values& arguments, const Op& at);

  Where where(const Op&) const;
  [[noreturn]] void fail(std::size_t at, const std::string& message) const;
  [[noreturn]] void unsupported(std::size_t at, const std::string& message) const;

  const mlir::ModuleSyntax& module;
  std::vector<Check>* checks;
  Arrays checked;                              // operands of checks: actual, expected of each
  std::vector<std::pair<Text, Array>> probes;  // values of interpreter.probe, by name
  std::unordered_map<Node*, Array> qr_of;      // results of geqrf -> the matrix that was factored
  Arrays kept;                                 // keeps the keys of qr_of alive
  const Shape* map_shape = nullptr;            // inside stablehlo.map: the shape of everything
  std::int64_t replica = 0, partition = 0;     // inside interpreter.run_parallel: the process being walked

 private:
  std::string contradiction(const mlir::TypeSyntax&, const Value&) const;
  void check_operands(const Op&, const Scope&) const;
  void check_results(const Op&, const Values&) const;
  void narrow_results(const Op&, const Scope&, Values&) const;
  int line_of(std::size_t at) const;

  const char* file_;  // with static storage, for Where
  std::vector<std::size_t> lines_;
  std::vector<Text> calls_;
  std::int64_t imported_ = 0;
};

/// One operation while it is imported: its operands, attributes and results.
class Context {
 public:
  Context(Importer& i, const Op& o, Scope& s) : importer(i), op(o), scope(s), where(i.where(o)) {}

  Importer& importer;
  const Op& op;
  Scope& scope;
  const Where where;
  Values results;

  std::size_t count() const { return op.operands.size() + op.inits.size(); }
  const Value& value(std::size_t i) const;
  const Array& array(std::size_t i) const;
  /// The narrow type of an operand; nullptr: it has a dtype of Baton.
  const Narrow* narrow(std::size_t i) const { return value(i).narrow; }
  Operand in(std::size_t i) const { return Operand(array(i), where); }
  Operands in(std::size_t first, std::size_t end) const { return Operands(arrays(first, end), where); }
  Arrays arrays(std::size_t first, std::size_t end) const;
  Arrays arrays() const { return arrays(0, count()); }

  /// The declared type of a result; throws where Baton does not have it.
  Type result(std::size_t i = 0) const { return *result_type(i).type; }
  const Narrow* narrow_result(std::size_t i = 0) const { return result_type(i).narrow; }
  std::size_t result_count() const;

  const Attribute* find(Text key) const;  // aliases resolved; nullptr: absent
  const Attribute& need(Text key) const;
  const Attribute& resolve(const Attribute&) const;
  std::vector<std::int64_t> integers(Text key) const;  // empty where absent
  std::int64_t integer(Text key) const;
  std::int64_t integer(Text key, std::int64_t otherwise) const {
    return find(key) ? integer(key) : otherwise;
  }
  bool flag(Text key, bool otherwise = false) const { return find(key) ? integer(key) != 0 : otherwise; }
  Text word(Text key) const;  // the last word of an attribute, such as EQ; empty where absent
  std::vector<lax::Padding> padding(Text key) const;

  /// A region as a Program of these inputs and what it reads from outside.
  Closed region(std::size_t i, const Types& inputs) const;
  /// The same for a region that may read nothing from outside.
  Program closed_region(std::size_t i, const Types& inputs) const;

  void give(Array a) { results.push_back({std::move(a), nullptr, -1, {}}); }
  void give(const Arrays& list) {
    for (const Array& a : list) give(a);
  }
  [[noreturn]] void fail(const std::string& message) const { importer.fail(op.at, name() + ": " + message); }
  [[noreturn]] void unsupported(const std::string& message) const { importer.unsupported(op.at, message); }
  std::string name() const { return std::string(op.name); }
  /// Refuses narrow operands and results, for an operation whose meaning depends on their bits.
  void refuse_narrow() const;

 private:
  const mlir::TypeSyntax& result_type(std::size_t i) const;
};

using Handler = void (*)(Context&);
/// The function that reads an operation; nullptr if there is none.
Handler find_handler(Text op);
/// The function that reads a custom call of this target, or of a composite of this name.
Handler find_custom_call(Text target);
/// All operations that have one, and all targets; those of LAPACK as geqrf_ffi, without their first letters.
std::vector<std::string> handled_names();

Types scalars_of(const Arrays&);  // rank 0 types of the same dtypes
/// A Program with its inputs in another order: from (a..., captures...) to (captures..., a...).
Program captures_first(const Closed&, std::size_t own_inputs);

/// Operations that are single equations on two scalars, whatever the order of their operands.
enum class Monoid { none, add, mul, max, min, and_, or_, xor_ };
Monoid monoid_of(const Program& combiner);
/// Two arrays of one type.
Array combine(Monoid, const Array&, const Array&, Where);
/// Whether a constant is the one that changes nothing.
bool is_identity(Monoid, const Value&);

/// A while whose trip count is known becomes a scan, which has reverse mode. Nothing where it is not one.
std::optional<Arrays> counted_loop(const Closed& cond, const Closed& body, const Values& init, Where);

}  // namespace baton::stablehlo
