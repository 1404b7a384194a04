#pragma once
// constants: the elements of dense<...> and dense_resource<...>.
#include "interop/mlir/syntax.h"

namespace baton::mlir {

/// Elements in row-major order, little-endian. A splat holds one element for all.
struct Elements {
  Type type;
  std::string bytes;
  bool splat = false;
};
/// Throws a UsageError with line and column where the text does not fit the type.
Elements decode(const Attribute&, const ModuleSyntax&);
/// Integers of an array<i64: ...>, of [...] or of dense<...>; throws if there are others.
std::vector<std::int64_t> integers(const Attribute&, const ModuleSyntax&);

}  // namespace baton::mlir
