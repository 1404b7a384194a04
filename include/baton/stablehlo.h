#pragma once
// stablehlo: programs of JAX and other frameworks, from the text of StableHLO modules.
// In Python: open("f.mlir", "w").write(jax.jit(f).lower(x).as_text())
#include <memory>
#include <string>
#include <vector>

#include "baton/error.h"
#include "baton/program.h"

namespace baton {

namespace mlir {
struct ModuleSyntax;
}

/// An operation, a type or a form that Baton does not read; the text says where and what to do.
class UnsupportedError : public UsageError {
 public:
  using UsageError::UsageError;
};

/// A function of a module.
struct StableHloFunction {
  std::string name;
  Types inputs, outputs;  // of types that Baton has; empty where there are others
  bool is_public = true;
};

/// A parsed module. Its functions become Programs when they are asked for.
class StableHloModule {
 public:
  explicit StableHloModule(std::shared_ptr<const mlir::ModuleSyntax> syntax) : syntax_(std::move(syntax)) {}
  std::vector<StableHloFunction> functions() const;
  /// The function as a Program with the function's inputs and outputs. Calls are inlined.
  Program program(const std::string& function = "main") const;
  const mlir::ModuleSyntax& syntax() const { return *syntax_; }

 private:
  std::shared_ptr<const mlir::ModuleSyntax> syntax_;
};

/// Parses one module. `name` stands for the file in messages. Throws a UsageError with line and column.
StableHloModule parse_stablehlo(std::string text, const std::string& name = "text");
/// Parses modules that `// -----` lines separate.
std::vector<StableHloModule> parse_stablehlo_modules(std::string text, const std::string& name = "text");
/// One function of a text as a Program.
Program import_stablehlo(std::string text, const std::string& function = "main",
                         const std::string& name = "text");

/// The same for files.
StableHloModule read_stablehlo(const std::string& path);
std::vector<StableHloModule> read_stablehlo_modules(const std::string& path);
Program load_stablehlo(const std::string& path, const std::string& function = "main");

}  // namespace baton
