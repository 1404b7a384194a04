// parser: operations of MLIR text, in the generic form and in the pretty forms of StableHLO, chlo, check and
// func.
#include "interop/mlir/parser.h"

#include <algorithm>

#include "baton/error.h"

namespace baton::mlir {

Position position_of(Text source, std::size_t at) {
  Position p;
  at = std::min(at, source.size());
  for (std::size_t i = 0; i < at; ++i) {
    if (source[i] == '\n') {
      ++p.line;
      p.column = 1;
    } else {
      ++p.column;
    }
  }
  return p;
}

void syntax_error(const std::string& file, Text source, std::size_t at, const std::string& message) {
  const Position p = position_of(source, at);
  throw UsageError(file + ":" + std::to_string(p.line) + ":" + std::to_string(p.column) + ": " + message);
}

// ---- operations
// ---------------------------------------------------------------------------------------------------

Use Parser::use() {
  Use u;
  scan_.skip();
  u.at = scan_.at();
  scan_.expect("%", "to begin a value");
  u.name = scan_.suffix_name("a value");
  if (scan_.raw() == '#') {
    scan_.advance();
    const std::size_t begin = scan_.at();
    while (std::isdigit(static_cast<unsigned char>(scan_.raw())) && scan_.at() - begin < 8) scan_.advance();
    if (scan_.at() == begin) scan_.fail("a number is required after `#`" + scan_.found());
    u.index = std::stoi(std::string(scan_.from(begin)));
  }
  return u;
}

void Parser::skip_location() {
  while (scan_.peek_word() == "loc") {
    scan_.word();
    if (scan_.peek() != '(') scan_.fail("`(` is required after `loc`" + scan_.found());
    scan_.balanced();
  }
}

Op Parser::op() {
  const Depth guard(depth_, scan_);
  Op op;
  scan_.skip();
  op.at = scan_.at();
  if (scan_.peek() == '%') {
    while (true) {
      scan_.expect("%", "to begin the name of a result");
      const Text name = scan_.suffix_name("a result");
      int count = 1;
      if (scan_.raw() == ':') {
        scan_.advance();
        const std::size_t begin = scan_.at();
        while (std::isdigit(static_cast<unsigned char>(scan_.raw())) && scan_.at() - begin < 6)
          scan_.advance();
        if (scan_.at() == begin) scan_.fail("the number of results is required" + scan_.found());
        count = std::stoi(std::string(scan_.from(begin)));
      }
      op.results.emplace_back(name, count);
      if (!scan_.take(",")) break;
      scan_.skip();
    }
    scan_.expect("=", "after the names of results");
    scan_.skip();
    op.at = scan_.at();
  }
  if (scan_.peek() == '"') {
    op.name = scan_.string();
    generic(op);
  } else {
    op.name = scan_.word();
    if (op.name.empty()) scan_.fail("an operation is required" + scan_.found());
    pretty(op);
  }
  skip_location();
  return op;
}

void Parser::generic(Op& op) {
  scan_.expect("(", "after the name of an operation");
  while (!scan_.take(")")) {
    op.operands.push_back(use());
    if (!scan_.take(",") && scan_.peek() != ')')
      scan_.fail("`,` or `)` is required after an operand" + scan_.found());
  }
  if (scan_.peek() == '[') scan_.balanced();  // successors: none in StableHLO
  if (scan_.take("<")) {
    dict(op.attributes);
    scan_.expect(">", "after <{...}");
  }
  if (scan_.take("(")) {
    while (!scan_.take(")")) {
      op.regions.push_back(region());
      if (!scan_.take(",") && scan_.peek() != ')')
        scan_.fail("`,` or `)` is required after a region" + scan_.found());
    }
  }
  if (scan_.peek() == '{') dict(op.attributes);
  signature(op);
}

void Parser::signature(Op& op) {
  scan_.expect(":", "and types after an operation");
  const auto list = [&](std::vector<TypeSyntax>& types) {
    if (scan_.take("(")) {
      while (!scan_.take(")")) {
        types.push_back(type());
        if (!scan_.take(",") && scan_.peek() != ')')
          scan_.fail("`,` or `)` is required after a type" + scan_.found());
      }
      return;
    }
    do types.push_back(type());
    while (scan_.take(","));
  };
  list(op.operand_types);
  if (scan_.take("->")) {
    op.arrow = true;
    list(op.result_types);
  }
}

void Parser::group(Op& op, bool inits) {
  scan_.expect("(", "before operands");
  bool init = inits;
  while (!scan_.take(")")) {
    if (scan_.peek() == '%') {
      Use u = use();
      if (scan_.take("=")) {  // while(%name = %value)
        if (op.regions.empty()) op.regions.emplace_back();
        op.regions[0].arguments.push_back({u.name, {}});
        u = use();
      }
      (init ? op.inits : op.operands).push_back(u);
      init = inits;
    } else {
      const Text key = scan_.word();
      if (key.empty()) scan_.fail("an operand is required" + scan_.found());
      if (key == "init" && scan_.take(":")) {
        init = true;
        continue;
      }
      scan_.expect("=", "after the name of an attribute");
      op.attributes.emplace_back(key, attribute(false));
    }
    if (!scan_.take(",") && scan_.peek() != ')' && scan_.peek_word() != "init")
      scan_.fail("`,` or `)` is required after an operand" + scan_.found());
  }
}

void Parser::word_form(Op& op, bool& operand_next, bool& done) {
  const std::size_t saved = scan_.at();
  const Text word = scan_.word();
  if (word == "loc" && scan_.peek() == '(') {
    scan_.seek(saved);
    skip_location();
  } else if (scan_.peek() == '=') {
    scan_.take("=");
    Attribute value;
    if (word == "dim_numbers") {
      value.kind = Attribute::Kind::opaque;
      value.at = (scan_.skip(), scan_.at());
      const std::size_t begin = scan_.at();
      for (int part = 0; part < 3; ++part) {
        if (part == 1) scan_.expect("x", "between the lists of dim_numbers");
        if (part == 2) scan_.expect("->", "before the last list of dim_numbers");
        if (scan_.peek() != '[') scan_.fail("`[` is required in dim_numbers" + scan_.found());
        scan_.balanced();
      }
      value.text = scan_.from(begin);
    } else {
      value = attribute(false);
      if (value.kind == Attribute::Kind::array && scan_.peek_word() == "x") {  // [0] x [1]
        scan_.word();
        Attribute pair;
        pair.kind = Attribute::Kind::array;
        pair.at = value.at;
        pair.items.push_back(std::move(value));
        pair.items.push_back(attribute(false));
        value = std::move(pair);
      }
    }
    op.attributes.emplace_back(word, std::move(value));
    operand_next = false;
  } else if (word == "dense" || word == "dense_resource" || word == "array") {
    scan_.seek(saved);
    op.values.push_back(attribute(true));
    operand_next = false;
  } else if (word == "applies") {
    op.words.push_back(scan_.word());
  } else if (word == "across" || word == "attributes") {
    // what follows says it all
  } else if (word == "inits") {
    group(op, true);
  } else if (word == "cond" || word == "do" || word == "reducer") {
    apply_loop_region(op, word);
  } else if (word.find('.') != Text::npos || word == "return" || word == "call" || word == "func" ||
             word == "module") {
    scan_.seek(saved);
    done = true;
  } else {
    op.words.push_back(word);
    operand_next = false;
  }
}

void Parser::apply_loop_region(Op& op, Text word) {
  if (word == "reducer") {  // reducer(%a: t, %b: t) (%c: t, %d: t): the arguments are a, c, b, d
    std::vector<BlockArgument> first, second;
    while (scan_.peek() == '(') {
      std::vector<BlockArgument> pair = parameters();
      if (pair.size() != 2) scan_.fail("two arguments are required for each operand of a reducer.");
      first.push_back(pair[0]);
      second.push_back(pair[1]);
    }
    Region r = region();
    r.arguments = std::move(first);
    r.arguments.insert(r.arguments.end(), second.begin(), second.end());
    op.regions.push_back(std::move(r));
    return;
  }
  if (op.regions.empty() || op.operand_types.size() != op.regions[0].arguments.size())
    scan_.fail("`" + std::string(word) + "` is required to follow the types of a while.");
  Region r = region();
  r.arguments = op.regions[0].arguments;
  for (std::size_t i = 0; i < r.arguments.size(); ++i) r.arguments[i].type = op.operand_types[i];
  if (word == "cond")
    op.regions[0] = std::move(r);
  else
    op.regions.push_back(std::move(r));
}

void Parser::pretty(Op& op) {
  bool operand_next = true, done = false, has_types = false;
  while (!done && !scan_.done()) {
    const char c = scan_.peek();
    if (c == '%') {
      if (!operand_next) return;
      op.operands.push_back(use());
      operand_next = false;
    } else if (c == ',') {
      scan_.advance();
      operand_next = true;
    } else if (c == '(') {
      group(op, false);
      operand_next = false;
    } else if (c == '[') {
      Attribute ranges;  // [0:4:2, 1:3], or [0]
      ranges.kind = Attribute::Kind::array;
      ranges.at = scan_.at();
      scan_.advance();
      while (!scan_.take("]")) {
        Attribute range;
        range.kind = Attribute::Kind::array;
        do {
          if (scan_.peek() != '-' && !std::isdigit(static_cast<unsigned char>(scan_.peek())))
            scan_.fail("a number is required" + scan_.found());
          const std::size_t begin = scan_.at();
          while (scan_.raw() == '-' || std::isdigit(static_cast<unsigned char>(scan_.raw()))) scan_.advance();
          Attribute n;
          n.kind = Attribute::Kind::integer;
          try {
            n.integer = std::stoll(std::string(scan_.from(begin)));
          } catch (const std::exception&) {
            scan_.fail_at(begin, "the number is too large.");
          }
          range.items.push_back(n);
        } while (scan_.take(":"));
        ranges.items.push_back(std::move(range));
        if (!scan_.take(",") && scan_.peek() != ']') scan_.fail("`,` or `]` is required" + scan_.found());
      }
      op.values.push_back(std::move(ranges));
    } else if (c == '{') {
      const std::size_t saved = scan_.at();
      scan_.advance();
      const char next = scan_.peek();
      scan_.seek(saved);
      if (next == '^' || next == '%')
        op.regions.push_back(region());
      else
        dict(op.attributes);
    } else if (c == '@') {
      scan_.advance();
      op.symbol = scan_.suffix_name("a symbol");
      operand_next = false;
    } else if (c == '"') {
      if (!operand_next || !op.string.empty() || !op.operands.empty() || has_types) return;
      op.string = scan_.string();
    } else if (c == ':') {
      if (has_types) return;
      signature(op);
      has_types = true;
      operand_next = false;
    } else if (Scanner::word_start(c)) {
      word_form(op, operand_next, done);
    } else {
      return;
    }
  }
}

}  // namespace baton::mlir
