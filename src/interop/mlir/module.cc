// module: regions, functions, aliases and resources of MLIR text.
#include "interop/mlir/parser.h"

namespace baton::mlir {

std::vector<BlockArgument> Parser::parameters() {
  std::vector<BlockArgument> list;
  scan_.expect("(", "before arguments");
  while (!scan_.take(")")) {
    BlockArgument a;
    if (scan_.peek() == '%') {
      scan_.advance();
      a.name = scan_.suffix_name("an argument");
      scan_.expect(":", "and a type after an argument");
    }
    a.type = type();
    Fields ignored;
    if (scan_.peek() == '{') dict(ignored);
    skip_location();
    list.push_back(std::move(a));
    if (!scan_.take(",") && scan_.peek() != ')')
      scan_.fail("`,` or `)` is required after an argument" + scan_.found());
  }
  return list;
}

std::vector<TypeSyntax> Parser::result_list() {
  std::vector<TypeSyntax> types;
  Fields ignored;
  if (!scan_.take("(")) {
    types.push_back(type());
    return types;
  }
  while (!scan_.take(")")) {
    types.push_back(type());
    if (scan_.peek() == '{') dict(ignored);
    if (!scan_.take(",") && scan_.peek() != ')')
      scan_.fail("`,` or `)` is required after a result type" + scan_.found());
  }
  return types;
}

Region Parser::region() {
  const Depth guard(depth_, scan_);
  Region r;
  scan_.expect("{", "to begin a region");
  if (scan_.peek() == '^') {
    scan_.advance();
    scan_.suffix_name("a block");
    if (scan_.peek() == '(') r.arguments = parameters();
    scan_.expect(":", "after the head of a block");
  }
  while (!scan_.take("}")) {
    if (scan_.done()) scan_.fail("`}` is required to end a region, found the end of the file.");
    if (scan_.peek() == '^') scan_.fail("a region with several blocks is not StableHLO.");
    r.ops.push_back(op());
  }
  return r;
}

void Parser::function() {
  Function f;
  f.at = scan_.at();
  scan_.word();  // func.func
  if (const Text w = scan_.peek_word(); w == "public" || w == "private" || w == "nested") {
    f.is_public = w == "public";
    scan_.word();
  }
  scan_.expect("@", "before the name of a function");
  f.name = scan_.suffix_name("a function");
  f.arguments = parameters();
  if (scan_.take("->")) f.results = result_list();
  if (scan_.peek_word() == "attributes") {
    scan_.word();
    Fields ignored;
    dict(ignored);
  }
  if (scan_.peek() == '{') {
    f.body = region();
    f.body.arguments = f.arguments;
    f.has_body = true;
  }
  skip_location();
  add(std::move(f));
}

void Parser::add(Function f) {
  if (module_.find(f.name))
    scan_.fail_at(f.at, "the function @" + std::string(f.name) + " is defined twice.");
  module_.functions.push_back(std::move(f));
}

void Parser::generic_function(Op& op) {
  Function f;
  f.at = op.at;
  for (const auto& [key, value] : op.attributes) {
    if (key == "sym_name") f.name = value.text;
    if (key == "sym_visibility") f.is_public = value.text == "public";
    if (key == "function_type" && value.type.kind == TypeSyntax::Kind::function) {
      const std::size_t saved = scan_.at();
      scan_.seek(static_cast<std::size_t>(value.type.text.data() - scan_.source().data()));
      scan_.balanced();
      scan_.expect("->", "in a function type");
      f.results = result_list();
      scan_.seek(saved);
    }
  }
  if (f.name.empty()) scan_.fail_at(op.at, "a function needs a sym_name.");
  if (!op.regions.empty() && !(op.regions[0].ops.empty() && op.regions[0].arguments.empty())) {
    f.body = std::move(op.regions[0]);
    f.arguments = f.body.arguments;
    f.has_body = true;
  }
  add(std::move(f));
}

void Parser::resources() {
  const Text inside = [&] {
    const std::size_t begin = scan_.at();
    const std::size_t end = scan_.source().find("#-}", begin);
    if (end == Text::npos) scan_.fail("`#-}` is required to end the resources.");
    scan_.seek(end + 3);
    return scan_.source().substr(begin + 3, end - begin - 3);
  }();
  // name: "0x..." pairs, whatever the nesting around them.
  std::size_t i = 0;
  while (true) {
    const std::size_t colon = inside.find(": \"0x", i);
    if (colon == Text::npos) return;
    Text name = inside.substr(0, colon);
    if (name.ends_with('"')) {  // quoted, if it is no word
      name.remove_suffix(1);
      name.remove_prefix(name.rfind('"') + 1);
    } else {
      std::size_t begin = colon;
      while (begin > 0 && Scanner::word_char(name[begin - 1])) --begin;
      name.remove_prefix(begin);
    }
    const std::size_t data = colon + 5, end = inside.find('"', data);
    if (end == Text::npos) return;
    module_.resources[name] = inside.substr(data, end - data);
    i = end;
  }
}

void Parser::top_level(bool in_module) {
  const Depth guard(depth_, scan_);
  while (!scan_.done()) {
    const char c = scan_.peek();
    if (in_module && c == '}') {
      scan_.advance();
      return;
    }
    if (c == '{' && scan_.raw(1) == '-' && scan_.raw(2) == '#') {
      resources();
      continue;
    }
    if (c == '#') {
      scan_.advance();
      const Text name = scan_.suffix_name("an alias");
      scan_.expect("=", "after the name of an alias");
      module_.aliases[name] = attribute(true);
      continue;
    }
    if (c == '!') {
      scan_.advance();
      const Text name = scan_.suffix_name("an alias");
      scan_.expect("=", "after the name of an alias");
      type_aliases_[name] = type();
      continue;
    }
    const Text word = scan_.peek_word();
    if (word == "module" || word == "builtin.module") {
      scan_.word();
      if (scan_.take("@")) scan_.suffix_name("a module");
      if (scan_.peek_word() == "attributes") {
        scan_.word();
        Fields ignored;
        dict(ignored);
      }
      scan_.expect("{", "to begin a module");
      top_level(true);
      skip_location();
    } else if (word == "func.func" || word == "func") {
      function();
    } else if (scan_.take("\"builtin.module\"") || scan_.take("\"module\"")) {
      scan_.expect("(", "after builtin.module");
      scan_.expect(")", "after builtin.module");
      if (scan_.peek() == '<') scan_.balanced();
      scan_.expect("(", "before the region of a module");
      scan_.expect("{", "to begin a module");
      if (scan_.take("^")) {
        scan_.suffix_name("a block");
        scan_.expect(":", "after the head of a block");
      }
      top_level(true);
      scan_.expect(")", "after the region of a module");
      Op rest;
      if (scan_.peek() == '{') dict(rest.attributes);
      signature(rest);
      skip_location();
    } else {
      Op other = op();
      if (other.name == "func.func") generic_function(other);
    }
  }
  if (in_module) scan_.fail("`}` is required to end a module, found the end of the file.");
}

void Parser::parse() { top_level(false); }

std::vector<ModuleSyntax> parse_modules(std::shared_ptr<const std::string> source, const std::string& file) {
  const Text text = *source;
  std::vector<ModuleSyntax> modules;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t end = text.find("\n// -----", begin);
    if (end == Text::npos) end = text.size();
    ModuleSyntax m;
    m.source = source;
    m.file = file;
    modules.push_back(std::move(m));
    Parser(modules.back(), begin, end).parse();
    if (modules.back().functions.empty()) modules.pop_back();  // comments only
    begin = end + 1;
  }
  return modules;
}

}  // namespace baton::mlir
