#pragma once
// program: what a Program holds. Only the Builder makes one; nothing changes it afterwards.
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "baton/function_ref.h"
#include "baton/program.h"
#include "program/params.h"

namespace baton {

struct Primitive;

enum class Effects { none, print, io };  // io is ordered; print may be dropped by no pass

/// A variable of one Program: an index into its types. Inputs come first, then literals, then results in
/// order.
using Var = int;

struct Equation {
  const Primitive* primitive = nullptr;
  Params params;
  std::vector<Var> inputs;
  std::vector<Var> outputs;
  int number = 0;  // names a line and scope in a trace record; not content
};

/// A scalar written into the Program: its bytes, little-endian, size_of(dtype) of them used.
struct Literal {
  Dtype dtype = Dtype::f32;
  alignas(16) unsigned char bytes[16] = {};  // engines read them in place
  bool operator==(const Literal& o) const = default;
};

struct ProgramData {
  int input_count = 0;
  std::vector<Literal> literals;  // in the order of their first use, no two alike
  std::vector<Type> types;        // of every variable
  std::vector<Equation> equations;
  std::vector<Var> outputs;
  Effects effects = Effects::none;  // the strongest of any equation
  Hash hash;
  std::size_t bytes = 0;  // that it takes, about, Programs inside it included: what bounds of caches count

  bool is_input(Var v) const { return v < input_count; }
  bool is_literal(Var v) const {
    return v >= input_count && v < input_count + static_cast<int>(literals.size());
  }
  const Literal& literal(Var v) const { return literals[static_cast<std::size_t>(v - input_count)]; }
  const Type& type(Var v) const { return types[static_cast<std::size_t>(v)]; }
};

/// Collects equations in order and ends as a Program: unused equations without effects are dropped, variables
/// are numbered by first use, and the content is hashed.
class Builder {
 public:
  Var input(const Type&);
  Var literal(const Literal&);
  std::vector<Var> equation(const Primitive&, Params, std::vector<Var> inputs, const Types& outputs,
                            int number);
  const Type& type(Var v) const { return types_[static_cast<std::size_t>(v)]; }
  /// The literal that this variable stands for, or nullptr.
  const Literal* as_literal(Var v) const {
    const auto i = static_cast<std::size_t>(v);
    return kinds_[i] == Kind::literal ? &literals_[static_cast<std::size_t>(index_[i])] : nullptr;
  }
  Program finish(const std::vector<Var>& outputs) const;

 private:
  enum class Kind : unsigned char { input, literal, result };
  std::vector<Type> types_;
  std::vector<Kind> kinds_;
  std::vector<int> index_;  // of an input or a literal: which
  std::vector<Literal> literals_;
  std::unordered_map<std::string, Var> literal_vars_;  // by bytes and dtype
  std::vector<Equation> equations_;
  std::vector<Var> inputs_;
};

/// The effects of one equation: its own, and those of every Program that its Params hold.
Effects effects_of(const Equation&);

/// Throws InternalError unless every equation reads variables defined before it, its type rule gives the
/// types that stand in the Program, and Programs inside it check as well. Shares no code with the Builder.
void check(const Program&);
/// Whether every Program and Plan is checked when it is made: in debug builds, and where BATON_CHECK is not
/// 0.
bool checks_programs();

Literal make_literal(Dtype, double real, double imag = 0);
Literal make_integer_literal(Dtype, std::int64_t);
std::string show(const Literal&);  // 2.0, -inf, 3, true, (1.0,2.0)

/// The Program's text with a remark behind each equation, made from its number; an empty remark leaves no
/// mark.
std::string annotated(const Program&, FunctionRef<std::string(int number)> note);

/// The hash of types and params of one operation, for caches of single operations.
Hash hash(const Primitive&, const Params&, std::span<const Type> inputs);

}  // namespace baton
