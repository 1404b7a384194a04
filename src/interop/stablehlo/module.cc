// module: files and texts of StableHLO, and the functions in them.
#include "interop/file.h"
#include "interop/stablehlo/import.h"

namespace baton {
namespace {

const char* const export_line =
    "\n  Write the text of the program for the CPU: "
    "open(\"f.mlir\", \"w\").write(jax.jit(f).lower(x).as_text()).";

}  // namespace

std::vector<StableHloModule> parse_stablehlo_modules(std::string text, const std::string& name) {
  if (text.starts_with("ML\xefR"))
    throw UnsupportedError(name + ": this is MLIR bytecode; the text of a module is required." + export_line);
  if (text.find('\0') != std::string::npos)
    throw UsageError(name + ": this is a binary file; the text of a module is required." + export_line);
  std::vector<StableHloModule> modules;
  for (mlir::ModuleSyntax& m :
       mlir::parse_modules(std::make_shared<const std::string>(std::move(text)), name))
    modules.emplace_back(std::make_shared<const mlir::ModuleSyntax>(std::move(m)));
  return modules;
}
StableHloModule parse_stablehlo(std::string text, const std::string& name) {
  auto modules = parse_stablehlo_modules(std::move(text), name);
  if (modules.size() != 1)
    throw UsageError(name + ": one module with a function is required, found " +
                     std::to_string(modules.size()) + ".\n  Read several with parse_stablehlo_modules.");
  return modules[0];
}
Program import_stablehlo(std::string text, const std::string& function, const std::string& name) {
  return parse_stablehlo(std::move(text), name).program(function);
}
StableHloModule read_stablehlo(const std::string& path) {
  return parse_stablehlo(std::string(FileBytes(path, "stablehlo").text()), path);
}
std::vector<StableHloModule> read_stablehlo_modules(const std::string& path) {
  return parse_stablehlo_modules(std::string(FileBytes(path, "stablehlo").text()), path);
}
Program load_stablehlo(const std::string& path, const std::string& function) {
  return read_stablehlo(path).program(function);
}

std::vector<StableHloFunction> StableHloModule::functions() const {
  std::vector<StableHloFunction> list;
  for (const mlir::Function& f : syntax_->functions) {
    StableHloFunction entry{std::string(f.name), {}, {}, f.is_public};
    bool known = true;
    for (const auto& a : f.arguments) {
      known = known && a.type.type && !a.type.narrow;
      if (known) entry.inputs.push_back(*a.type.type);
    }
    for (const auto& t : f.results) {
      known = known && t.type && !t.narrow;
      if (known) entry.outputs.push_back(*t.type);
    }
    if (!known) entry.inputs.clear(), entry.outputs.clear();
    list.push_back(std::move(entry));
  }
  return list;
}

Program StableHloModule::program(const std::string& function) const {
  const mlir::Function* f = syntax_->find(function);
  if (!f) {
    std::string names;
    for (const mlir::Function& g : syntax_->functions)
      names += (names.empty() ? "@" : ", @") + std::string(g.name);
    throw UsageError(syntax_->file + ": there is no function @" + function + "; there are " + names + ".");
  }
  return stablehlo::Importer(*syntax_).function(*f);
}

}  // namespace baton
