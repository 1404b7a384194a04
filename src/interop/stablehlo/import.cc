// import: the walk over functions and blocks, and what the readers of single operations ask for.
#include "interop/stablehlo/import.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "base/text.h"
#include "interop/mlir/scanner.h"

namespace baton::stablehlo {
namespace {

/// Calls are inlined: a few lines that call one another twice would otherwise fill the memory.
constexpr std::int64_t most_operations = 1'000'000;

/// A name that lives as long as the process, as Where needs.
const char* interned(const std::string& name) {
  static std::mutex mutex;
  static auto& names = *new std::set<std::string>;
  std::lock_guard lock(mutex);
  return names.insert(name).first->c_str();
}

bool is_return(Text name) {
  return name == "return" || name == "func.return" || name == "stablehlo.return" || name == "mhlo.return" ||
         name == "chlo.return";
}

}  // namespace

const Value* Scope::find(const mlir::Use& use) const {
  for (const Scope* s = this; s; s = s->outer)
    if (const auto it = s->names.find(use.name); it != s->names.end())
      return static_cast<std::size_t>(use.index) < it->second.size()
                 ? &it->second[static_cast<std::size_t>(use.index)]
                 : nullptr;
  return nullptr;
}

Importer::Importer(const mlir::ModuleSyntax& m, std::vector<Check>* c)
    : module(m), checks(c), file_(interned(m.file)) {
  lines_.push_back(0);
  for (std::size_t i = m.source->find('\n'); i != std::string::npos; i = m.source->find('\n', i + 1))
    lines_.push_back(i + 1);
}

int Importer::line_of(std::size_t at) const {
  return static_cast<int>(std::upper_bound(lines_.begin(), lines_.end(), at) - lines_.begin());
}
Where Importer::where(const Op& op) const { return {file_, line_of(op.at)}; }

void Importer::fail(std::size_t at, const std::string& message) const {
  mlir::syntax_error(module.file, *module.source, at, message);
}
void Importer::unsupported(std::size_t at, const std::string& message) const {
  const mlir::Position p = mlir::position_of(*module.source, at);
  throw UnsupportedError(module.file + ":" + std::to_string(p.line) + ":" + std::to_string(p.column) + ": " +
                         message);
}

Program Importer::function(const mlir::Function& f) {
  if (!f.has_body) fail(f.at, "the function @" + std::string(f.name) + " has no body.");
  Types inputs;
  const auto refuse_narrow = [&](const Narrow* n, const std::string& what) {
    if (n)
      unsupported(f.at, what + " of @" + std::string(f.name) + " is of the narrow type " +
                            std::string(n->name) +
                            ", which stays inside a program.\n  Let the function take or return " +
                            std::string(n->carrier_name()) + " and convert inside.");
  };
  for (const auto& a : f.arguments) {
    refuse_narrow(a.type.narrow, "the argument %" + std::string(a.name));
    if (!a.type.type || a.type.kind != mlir::TypeSyntax::Kind::tensor)
      unsupported(f.at, "the argument %" + std::string(a.name) + " has the type " + std::string(a.type.text) +
                            ", which is not supported.");
    inputs.push_back(*a.type.type);
  }
  calls_ = {f.name};
  const Where at{file_, line_of(f.at)};
  Closed closed = trace_body(std::string(f.name), at, inputs, [&](const Arrays& in) -> Arrays {
    Scope scope;
    for (std::size_t i = 0; i < in.size(); ++i)
      define(scope, f.arguments[i].name, {{in[i], nullptr, -1, {}}}, f.at);
    Arrays out;
    for (const Value& v : block(f.body, scope, f.at, &f)) {
      if (v.array.empty() && !checks)
        unsupported(f.at, "a function that returns tokens or tuples is not supported.");
      if (!checks) refuse_narrow(v.narrow, "a result");
      if (!v.array.empty()) out.push_back(v.array);
    }
    out.insert(out.end(), checked.begin(), checked.end());
    return out;
  });
  return closed.program;
}

Values Importer::block(const Region& region, Scope& scope, std::size_t at, const mlir::Function* f) {
  scope.names.reserve(scope.names.size() + region.ops.size());
  for (const Op& op : region.ops) {
    if (!is_return(op.name)) {
      operation(op, scope);
      continue;
    }
    if (&op != &region.ops.back())
      fail((&op + 1)->at, "an operation follows `" + std::string(op.name) + "`.");
    return returned(op, scope, f);
  }
  fail(at, f ? "the function @" + std::string(f->name) + " has no `return`." : "a region has no `return`.");
}

Values Importer::returned(const Op& op, const Scope& scope, const mlir::Function* f) const {
  Values out;
  for (const mlir::Use& use : op.operands) {
    const Value* v = scope.find(use);
    if (!v) fail(use.at, "%" + std::string(use.name) + " is not defined.");
    out.push_back(*v);
  }
  if (op.operand_types.size() != out.size() && !(op.arrow && out.empty()))
    fail(op.at, "`" + std::string(op.name) + "`: as many types as values are required, found " +
                    std::to_string(op.operand_types.size()) + " and " + std::to_string(out.size()) + ".");
  check_operands(op, scope);
  if (!f) return out;
  const std::string who = "the function @" + std::string(f->name);
  if (out.size() != f->results.size())
    fail(op.at, who + ": as many results as declared, " + std::to_string(f->results.size()) +
                    ", are required, found " + std::to_string(out.size()) + ".");
  for (std::size_t i = 0; i < out.size(); ++i)
    if (const std::string found = contradiction(f->results[i], out[i]); !found.empty())
      fail(op.at, who + ": result " + std::to_string(i) + " is declared as " +
                      std::string(f->results[i].text) + found);
  return out;
}

void Importer::define(Scope& scope, Text name, Values values, std::size_t at) const {
  for (const Scope* s = &scope; s; s = s->outer)
    if (s->names.contains(name)) fail(at, "%" + std::string(name) + " is defined twice.");
  scope.names.emplace(name, std::move(values));
}

void Importer::operation(const Op& op, Scope& scope) {
  if (++imported_ > most_operations)
    fail(op.at, "the calls of this module unfold to more than a million operations.");
  const Handler handler = find_handler(op.name);
  if (!handler) {
    const bool ours = op.name.starts_with("stablehlo.") || op.name.starts_with("chlo.");
    unsupported(op.at,
                "`" + std::string(op.name) + "` is not an operation that Baton reads.\n  " +
                    (ours ? "Write the program with other operations."
                          : "Lower the program to StableHLO for the CPU: jax.jit(f).lower(x).as_text()."));
  }
  // LT, SIGNED of a comparison, and what a reduction applies: no other operation has bare words.
  const std::size_t words = op.name == "stablehlo.compare" ? 2 : op.name == "stablehlo.reduce" ? 1 : 0;
  if (op.words.size() > words)
    fail(op.at,
         "`" + std::string(op.name) + "`: the word `" + std::string(op.words[words]) + "` is not expected.");
  check_operands(op, scope);
  Context context(*this, op, scope);
  handler(context);
  name_results(op, scope, std::move(context.results));
}

void Importer::name_results(const Op& op, Scope& scope, Values results) {
  check_results(op, results);
  narrow_results(op, scope, results);
  std::size_t names = 0, next = 0;
  for (const auto& [name, count] : op.results) names += static_cast<std::size_t>(count);
  if (names > 0 && names != results.size())
    fail(op.at, "`" + std::string(op.name) + "` has " + std::to_string(results.size()) + " results; " +
                    (names > results.size() ? "more" : "fewer") + " names are given.");
  for (const auto& [name, count] : op.results) {
    Values part(results.begin() + static_cast<std::ptrdiff_t>(next),
                results.begin() + static_cast<std::ptrdiff_t>(next) + count);
    next += static_cast<std::size_t>(count);
    define(scope, name, std::move(part), op.at);
  }
}

namespace {

/// The declared type of result i of n; nullptr where the text does not say it.
const mlir::TypeSyntax* declared(const Op& op, std::size_t i, std::size_t n) {
  const auto& types = op.arrow ? op.result_types : op.operand_types;
  if (!op.arrow && n == 1 && !types.empty()) return &types.back();  // select: the predicate's comes first
  if (!op.arrow && types.size() != n) return nullptr;
  return i < types.size() ? &types[i] : nullptr;
}
std::string element_of(const Narrow* n, const Array& a) {
  return n ? std::string(n->name) : std::string(name_of(a.dtype()));
}

}  // namespace

/// The rest of a sentence about a declared type that is not that of the value; empty: it may be.
std::string Importer::contradiction(const mlir::TypeSyntax& t, const Value& v) const {
  if (t.kind != mlir::TypeSyntax::Kind::tensor) return {};
  if (v.array.empty()) return ", but it is a token or a tuple.";
  if (t.narrow != v.narrow) return ", but its elements are " + element_of(v.narrow, v.array) + ".";
  const bool differs = t.type && v.array.type() != *t.type && !map_shape;
  return differs ? ", but it is " + show(v.array.type()) + "." : "";
}

/// Whether operands are what the text says: nobody else would see i8 in the place of i4, for example.
void Importer::check_operands(const Op& op, const Scope& scope) const {
  const auto& types = op.operand_types;
  const std::size_t count = op.operands.size() + op.inits.size();
  if (types.size() != count && (op.arrow || types.size() != 1)) return;
  if (!op.arrow && op.name == "stablehlo.complex") return;  // its one type is the result's
  for (std::size_t i = 0; i < count; ++i) {
    const mlir::TypeSyntax& t = types[types.size() == count ? i : 0];
    const Value* v = scope.find(i < op.operands.size() ? op.operands[i] : op.inits[i - op.operands.size()]);
    if (!v) continue;  // whoever reads it says so
    if (const std::string found = contradiction(t, *v); !found.empty())
      fail(op.at, "`" + std::string(op.name) + "`: operand " + std::to_string(i) + " is declared as " +
                      std::string(t.text) + found);
  }
}

void Importer::narrow_results(const Op& op, const Scope& scope, Values& results) const {
  const auto is_narrow = [&](const mlir::Use& use) {
    const Value* v = scope.find(use);
    return v && v->narrow;
  };
  for (std::size_t i = 0; i < results.size(); ++i) {
    Value& v = results[i];
    const mlir::TypeSyntax* t = declared(op, i, results.size());
    if (v.array.empty() || (t && t->narrow == v.narrow && t->type)) continue;
    if (!t || !t->type) {  // a constant knows its type; others may only have seen the carrier
      if (!v.narrow && std::any_of(op.operands.begin(), op.operands.end(), is_narrow))
        unsupported(op.at, "`" + std::string(op.name) + "` of a narrow type: " +
                               (t ? "a result of type " + std::string(t->text) + " is not supported."
                                  : "the type of each result is required."));
      continue;
    }
    if (v.narrow || !t->narrow || v.array.dtype() != t->narrow->carrier)
      fail(op.at, "`" + std::string(op.name) + "`: the result is declared as " + std::string(t->text) +
                      ", but its elements are " + element_of(v.narrow, v.array) + ".");
    v.array = in_format(*t->narrow, v.array, where(op));
    v.narrow = t->narrow;
    v.iota = -1;  // its numbers may have wrapped
  }
}

void Importer::check_results(const Op& op, const Values& results) const {
  const auto& types = op.arrow ? op.result_types : op.operand_types;
  if (map_shape || types.empty() || (!op.arrow && types.size() != 1) || results.empty()) return;
  for (std::size_t i = 0; i < results.size() && i < types.size(); ++i) {
    const mlir::TypeSyntax& t = types[i];
    if (t.type && !results[i].array.empty() && results[i].array.type() != *t.type)
      fail(op.at, "`" + std::string(op.name) + "`: the result is declared as " +
                      (t.narrow ? std::string(t.text) + ", carried by " : "") + show(*t.type) +
                      ", but it is " + show(results[i].array.type()) + ".");
  }
}

Values Importer::call(Text name, const Values& arguments, const Op& at) {
  const mlir::Function* f = module.find(name);
  if (!f || !f->has_body) fail(at.at, "there is no function @" + std::string(name) + " to call.");
  if (std::find(calls_.begin(), calls_.end(), name) != calls_.end())
    fail(at.at, "the function @" + std::string(name) + " calls itself.");
  if (calls_.size() >= 200) fail(at.at, "calls nest more than 200 deep.");
  if (f->arguments.size() != arguments.size())
    fail(at.at, "@" + std::string(name) + " takes " + std::to_string(f->arguments.size()) +
                    " arguments, found " + std::to_string(arguments.size()) + ".");
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (const std::string found = contradiction(f->arguments[i].type, arguments[i]); !found.empty())
      fail(at.at, "argument " + std::to_string(i) + " of @" + std::string(name) + " is declared as " +
                      std::string(f->arguments[i].type.text) + found);
  calls_.push_back(name);
  Scope scope;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    define(scope, f->arguments[i].name, {arguments[i]}, f->at);
  Values out = block(f->body, scope, f->at, f);
  calls_.pop_back();
  return out;
}

// ---- Context
// ------------------------------------------------------------------------------------------------------

const Value& Context::value(std::size_t i) const {
  if (i >= count()) fail("operand " + std::to_string(i) + " is missing.");
  const mlir::Use& use = i < op.operands.size() ? op.operands[i] : op.inits[i - op.operands.size()];
  const Value* v = scope.find(use);
  if (!v)
    importer.fail(use.at, "%" + std::string(use.name) + (use.index ? "#" + std::to_string(use.index) : "") +
                              " is not defined.");
  return *v;
}
const Array& Context::array(std::size_t i) const {
  const Value& v = value(i);
  if (v.array.empty()) unsupported(name() + ": operand " + std::to_string(i) + " is a token or a tuple.");
  return v.array;
}
Arrays Context::arrays(std::size_t first, std::size_t end) const {
  Arrays list;
  for (std::size_t i = first; i < end; ++i) list.push_back(array(i));
  return list;
}

std::size_t Context::result_count() const {
  std::size_t n = 0;
  for (const auto& [name, count] : op.results) n += static_cast<std::size_t>(count);
  return n;
}
const mlir::TypeSyntax& Context::result_type(std::size_t i) const {
  const auto& types = op.arrow ? op.result_types : op.operand_types;
  const std::size_t at = !op.arrow && result_count() <= 1 && !types.empty() ? types.size() - 1 : i;
  if (at >= types.size()) fail("the type of result " + std::to_string(i) + " is missing.");
  if (!types[at].type || types[at].kind != mlir::TypeSyntax::Kind::tensor)
    unsupported(
        name() + ": the type " + std::string(types[at].text) +
        " is not supported; element types are i1, i2 to i64, ui2 to ui64, f16, bf16, f32, f64, complex and "
        "floats of 4 to 8 bits, and shapes are static.");
  return types[at];
}
void Context::refuse_narrow() const {
  const Narrow* n = nullptr;
  for (std::size_t i = 0; i < count() && !n; ++i) n = narrow(i);
  for (const auto& t : op.arrow ? op.result_types : op.operand_types)
    if (!n) n = t.narrow;
  if (n)
    unsupported(name() + " of " + std::string(n->name) + " is not supported.\n  Use " +
                std::string(n->carrier_name()) + " there and convert.");
}

const Attribute& Context::resolve(const Attribute& a) const {
  const Attribute* p = &a;
  for (int hops = 0; p->kind == Attribute::Kind::alias && hops < 16; ++hops) {
    const auto it = importer.module.aliases.find(p->text);
    if (it == importer.module.aliases.end())
      importer.fail(a.at, "#" + std::string(p->text) + " is not defined.");
    p = &it->second;
  }
  return *p;
}
const Attribute* Context::find(Text key) const {
  for (const auto& [k, a] : op.attributes)
    if (k == key) return &resolve(a);
  return nullptr;
}
const Attribute& Context::need(Text key) const {
  if (const Attribute* a = find(key)) return *a;
  fail("the attribute `" + std::string(key) + "` is missing.");
}
std::vector<std::int64_t> Context::integers(Text key) const {
  const Attribute* a = find(key);
  return a ? mlir::integers(*a, importer.module) : std::vector<std::int64_t>{};
}
std::int64_t Context::integer(Text key) const {
  const Attribute& a = need(key);
  if (a.kind == Attribute::Kind::unit) return 1;
  const auto list = mlir::integers(a, importer.module);
  if (list.size() != 1) fail("the attribute `" + std::string(key) + "` must be one integer.");
  return list[0];
}
Text Context::word(Text key) const {
  const Attribute* a = find(key);
  if (!a) return {};
  Text text = a->text;
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const std::size_t space = text.find_last_of(' ');
  return space == Text::npos ? text : text.substr(space + 1);
}
std::vector<lax::Padding> Context::padding(Text key) const {
  const auto list = integers(key);
  if (list.size() % 2) fail("`" + std::string(key) + "` must hold pairs.");
  std::vector<lax::Padding> pairs;
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) pairs.push_back({list[i], list[i + 1], 0});
  return pairs;
}

Closed Context::region(std::size_t i, const Types& inputs) const {
  if (i >= op.regions.size()) fail("region " + std::to_string(i) + " is missing.");
  const Region& r = op.regions[i];
  if (r.arguments.size() != inputs.size())
    fail("region " + std::to_string(i) + " must take " + std::to_string(inputs.size()) +
         " arguments, found " + std::to_string(r.arguments.size()) + ".");
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (r.arguments[k].type.type && *r.arguments[k].type.type != inputs[k])
      fail("argument %" + std::string(r.arguments[k].name) + " of region " + std::to_string(i) +
           " is declared as " + show(*r.arguments[k].type.type) + ", but it is " + show(inputs[k]) + ".");
  std::set<std::pair<Dtype, const Narrow*>> elements;  // of the operands
  for (std::size_t o = 0; o < count(); ++o)
    if (const Value& v = value(o); !v.array.empty()) elements.emplace(v.array.dtype(), v.narrow);
  std::vector<const Narrow*> narrow_inputs;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const mlir::TypeSyntax& t = r.arguments[k].type;
    // The pretty form of while does not write the types: they are those of the operands.
    narrow_inputs.push_back(t.text.empty() && k < count() ? narrow(k) : t.narrow);
    if (!elements.contains({inputs[k].dtype, narrow_inputs[k]}))
      fail("argument %" + std::string(r.arguments[k].name) + " of region " + std::to_string(i) +
           " is declared as " + std::string(t.text) + ", which is no operand's type.");
  }
  return trace_body(name(), where, inputs, [&](const Arrays& in) -> Arrays {
    Scope inner{&scope, {}};
    for (std::size_t k = 0; k < in.size(); ++k)
      importer.define(inner, r.arguments[k].name, {{in[k], nullptr, -1, {}, narrow_inputs[k]}}, op.at);
    Arrays out;
    for (const Value& v : importer.block(r, inner, op.at)) {
      if (v.array.empty()) unsupported(name() + ": a region that returns tokens or tuples is not supported.");
      out.push_back(v.array);
    }
    return out;
  });
}
Program Context::closed_region(std::size_t i, const Types& inputs) const {
  Closed c = region(i, inputs);
  if (!c.captures.empty())
    unsupported(name() + ": a region that reads values from outside is not supported here.");
  return c.program;
}

Types scalars_of(const Arrays& arrays) {
  Types types;
  for (const Array& a : arrays) types.push_back({a.dtype(), {}});
  return types;
}

Program captures_first(const Closed& closed, std::size_t own) {
  if (closed.captures.empty()) return closed.program;
  const Types in = closed.program.inputs();
  Types types(in.begin() + static_cast<std::ptrdiff_t>(own), in.end());
  types.insert(types.end(), in.begin(), in.begin() + static_cast<std::ptrdiff_t>(own));
  return make_program("region", types, [&](const Arrays& a) {
    const auto captures = static_cast<std::ptrdiff_t>(in.size() - own);
    Arrays order(a.begin() + captures, a.end());
    order.insert(order.end(), a.begin(), a.begin() + captures);
    return splice(closed.program, order);
  });
}

}  // namespace baton::stablehlo
