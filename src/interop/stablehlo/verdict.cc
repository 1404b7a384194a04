// verdict: one answer for a file.
#include "interop/stablehlo/verdict.h"

#include "interop/file.h"
#include "interop/stablehlo/import.h"
#include "trace/executor.h"

namespace baton::stablehlo {
namespace {

/// Names of functions that operations of a region speak of.
void mentioned(const Region& region, std::unordered_set<Text>& names);
void mentioned(const Attribute& a, std::unordered_set<Text>& names) {
  if (a.kind == Attribute::Kind::symbol) names.insert(a.text);
  for (const Attribute& item : a.items) mentioned(item, names);
}
void mentioned(const Region& region, std::unordered_set<Text>& names) {
  for (const Op& op : region.ops) {
    if (!op.symbol.empty()) names.insert(op.symbol);
    for (const auto& [key, value] : op.attributes) mentioned(value, names);
    for (const Region& r : op.regions) mentioned(r, names);
  }
}

/// Adds the checks of one function that hold or not.
Verdict check_function(const mlir::ModuleSyntax& module, const mlir::Function& f, std::size_t& count) {
  std::vector<Check> checks;
  Importer importer(module, &checks);
  const Program program = importer.function(f);
  const Arrays results = execute(program, {}, {});
  const std::size_t first = results.size() - 2 * checks.size();
  for (std::size_t i = 0; i < checks.size(); ++i) {
    ++count;
    if (auto wrong = judge(checks[i], results[first + 2 * i], results[first + 2 * i + 1]))
      return {Verdict::Kind::failed, "@" + std::string(f.name) + ": " + *wrong};
  }
  return {};
}

}  // namespace

Verdict check_text(std::string text, const std::string& name) {
  try {
    std::size_t count = 0;
    for (const StableHloModule& m : parse_stablehlo_modules(std::move(text), name)) {
      const mlir::ModuleSyntax& module = m.syntax();
      std::unordered_set<Text> called;
      for (const mlir::Function& f : module.functions) mentioned(f.body, called);
      for (const mlir::Function& f : module.functions) {
        if (!f.has_body || !f.arguments.empty() || called.contains(f.name)) continue;
        if (Verdict v = check_function(module, f, count); v.kind != Verdict::Kind::ok) return v;
      }
    }
    if (count == 0) return {Verdict::Kind::failed, "no check ran"};
    return {};
  } catch (const UnsupportedError& e) {
    return {Verdict::Kind::unsupported, e.what()};
  } catch (const std::exception& e) {
    return {Verdict::Kind::failed, e.what()};
  }
}

Verdict check_file(const std::string& path) {
  std::string text;
  try {
    text = FileBytes(path, "check").text();
  } catch (const std::exception& e) {
    return {Verdict::Kind::failed, e.what()};
  }
  return check_text(std::move(text), path);
}

}  // namespace baton::stablehlo
