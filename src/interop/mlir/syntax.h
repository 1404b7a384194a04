#pragma once
// syntax: what an MLIR file says, as a tree of plain structs. Names and texts point into the file's text.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "baton/type.h"
#include "interop/mlir/narrow.h"

namespace baton::mlir {

using Text = std::string_view;

/// A type as written. `type` is set for tensors whose element type and shape Baton has, or can carry: then
/// `narrow` says what the elements are, and `type` has the carrier.
struct TypeSyntax {
  enum class Kind : unsigned char { tensor, scalar, tuple, token, function, other };
  Kind kind = Kind::other;
  std::optional<Type> type;          // tensor (or scalar, as a rank 0 tensor)
  const Narrow* narrow = nullptr;    // tensor
  Text text;                         // as written, for messages
  std::vector<TypeSyntax> elements;  // of a tuple
};

struct Field;  // a name and its Attribute; a std::pair would have to know Attribute's size before its end
using Fields = std::vector<Field>;

struct Attribute {
  enum class Kind : unsigned char {
    unit,
    integer,
    real,
    boolean,
    string,
    word,
    symbol,
    array,
    dict,
    dense,
    resource,
    type,
    opaque,
    alias
  };
  Kind kind = Kind::unit;
  std::int64_t integer = 0;      // integer, boolean
  double real = 0;               // real
  Text text;                     // string, word, symbol, the inside of dense<...> and of #name<...>, an alias
  Text name;                     // of an opaque attribute: stablehlo.gather
  std::size_t at = 0;            // offset in the file
  std::vector<Attribute> items;  // array
  Fields fields;                 // dict
  TypeSyntax type;               // of dense and resource; of a type attribute
};
struct Field {
  Field() = default;
  Field(Text name, Attribute value) : first(name), second(std::move(value)) {}
  Text first;
  Attribute second;
};

/// A use of a value: %name or %name#index.
struct Use {
  Text name;
  int index = 0;
  std::size_t at = 0;
};

struct Op;
struct BlockArgument {
  Text name;
  TypeSyntax type;
};
/// A region of one block: all that StableHLO has.
struct Region {
  std::vector<BlockArgument> arguments;
  std::vector<Op> ops;
};

struct Op {
  Text name;  // stablehlo.add
  std::size_t at = 0;
  std::vector<std::pair<Text, int>> results;  // names, and how many values each stands for
  std::vector<Use> operands;
  std::vector<Use> inits;         // of `reduce(%x init: %i)` and `inits(...)`
  Fields attributes;              // <{...}>, {...} and key = value of the pretty form
  std::vector<Text> words;        // LT, SIGNED, the name after `applies`, ...
  std::vector<Attribute> values;  // attributes without a key: dense<...> of a constant, [0:2] of a slice
  Text symbol;                    // @name of a call
  Text string;                    // the name of a composite
  std::vector<Region> regions;
  bool arrow = false;                                   // whether the signature has `->`
  std::vector<TypeSyntax> operand_types, result_types;  // without an arrow all types are operand_types
};

struct Function {
  Text name;
  bool is_public = true;
  std::vector<BlockArgument> arguments;
  std::vector<TypeSyntax> results;
  Region body;
  bool has_body = false;
  std::size_t at = 0;
};

/// One module: a part of a file between `// -----` lines.
struct ModuleSyntax {
  std::shared_ptr<const std::string> source;  // the whole file
  std::string file;                           // for messages
  std::vector<Function> functions;
  std::map<Text, Attribute> aliases;
  std::map<Text, Text> resources;  // name -> hexadecimal text

  const Function* find(Text name) const {
    for (const Function& f : functions)
      if (f.name == name) return &f;
    return nullptr;
  }
};

/// Line and column of an offset, both from 1.
struct Position {
  int line = 1, column = 1;
};
Position position_of(Text source, std::size_t at);
/// Throws a UsageError "file:line:column: message".
[[noreturn]] void syntax_error(const std::string& file, Text source, std::size_t at,
                               const std::string& message);

/// The `key = value` pairs inside #name<...>.
Fields fields_of(const Attribute&, const ModuleSyntax&);
/// Parses a file; throws a UsageError with line and column.
std::vector<ModuleSyntax> parse_modules(std::shared_ptr<const std::string> source, const std::string& file);

}  // namespace baton::mlir
