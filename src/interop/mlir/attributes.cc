// attributes: types and attributes of MLIR text.
#include <charconv>
#include <limits>

#include "interop/mlir/parser.h"

namespace baton::mlir {

std::optional<Dtype> element_type(Text name) {
  static const std::map<Text, Dtype> types = {
      {"i1", boolean}, {"i8", s8},    {"i16", s16},   {"i32", s32},          {"i64", s64},
      {"si8", s8},     {"si16", s16}, {"si32", s32},  {"si64", s64},         {"ui8", u8},
      {"ui16", u16},   {"ui32", u32}, {"ui64", u64},  {"f16", f16},          {"bf16", bf16},
      {"f32", f32},    {"f64", f64},  {"index", s64}, {"complex<f32>", c64}, {"complex<f64>", c128}};
  const auto it = types.find(name);
  if (it == types.end()) return {};
  return it->second;
}

// ---- types
// --------------------------------------------------------------------------------------------------------

TypeSyntax Parser::type() {
  const Depth guard(depth_, scan_);
  TypeSyntax t;
  const char c = scan_.peek();
  const std::size_t begin = scan_.at();
  if (c == '!') {
    scan_.advance();
    const Text name = scan_.suffix_name("a type");
    if (scan_.raw() == '<') scan_.balanced();
    if (const auto it = type_aliases_.find(name); it != type_aliases_.end()) return it->second;
    if (name == "stablehlo.token" || name == "mhlo.token") t.kind = TypeSyntax::Kind::token;
    t.text = scan_.from(begin);
    return t;
  }
  if (c == '(') {
    t.kind = TypeSyntax::Kind::function;
    scan_.balanced();
    scan_.expect("->", "in a function type");
    if (scan_.peek() == '(')
      scan_.balanced();
    else
      type();
    t.text = scan_.from(begin);
    return t;
  }
  const Text name = scan_.word();
  if (name.empty()) scan_.fail("a type is required" + scan_.found());
  if (name == "tensor") {
    tensor(t);
  } else if (name == "tuple") {
    t.kind = TypeSyntax::Kind::tuple;
    scan_.expect("<", "after `tuple`");
    while (!scan_.take(">")) {
      t.elements.push_back(type());
      if (!scan_.take(",") && scan_.peek() != '>')
        scan_.fail("`,` or `>` is required in a tuple type" + scan_.found());
    }
  } else if (name == "complex") {
    scan_.balanced();
    t.kind = TypeSyntax::Kind::scalar;
    if (const auto d = element_type(scan_.from(begin))) t.type = Type{*d, {}};
  } else {
    t.kind = TypeSyntax::Kind::scalar;
    if (const auto d = element_type(name)) t.type = Type{*d, {}};
    if (scan_.raw() == '<') {
      t.kind = TypeSyntax::Kind::other;
      scan_.balanced();
    }
  }
  t.text = scan_.from(begin);
  return t;
}

void Parser::tensor(TypeSyntax& t) {
  t.kind = TypeSyntax::Kind::tensor;
  if (scan_.peek() != '<') scan_.fail("`<` is required after `tensor`" + scan_.found());
  const std::size_t begin = scan_.at();
  const Text inside = scan_.balanced();
  Shape shape;
  bool known = true;
  std::int64_t size = 1;
  std::size_t i = 0;
  while (i < inside.size()) {  // extents, each followed by x
    while (i < inside.size() && inside[i] == ' ') ++i;
    if (i < inside.size() && (inside[i] == '?' || inside[i] == '*')) {
      known = false;
      ++i;
    } else if (i < inside.size() && std::isdigit(static_cast<unsigned char>(inside[i]))) {
      std::int64_t extent = 0;
      const auto [end, code] = std::from_chars(inside.data() + i, inside.data() + inside.size(), extent);
      if (code != std::errc{}) scan_.fail_at(begin, "an extent of a tensor type is too large.");
      i = static_cast<std::size_t>(end - inside.data());
      // 16 bytes an element at most: the size in bytes must fit.
      if (extent != 0 && size > (std::int64_t{1} << 58) / extent)
        scan_.fail_at(begin, "a tensor type is too large.");
      size *= extent;
      shape.push_back(extent);
    } else {
      break;
    }
    while (i < inside.size() && inside[i] == ' ') ++i;
    if (i >= inside.size() || inside[i] != 'x')
      scan_.fail_at(begin, "`x` is required after an extent of a tensor type.");
    ++i;
  }
  Text element = inside.substr(std::min(i, inside.size()));
  while (!element.empty() && element.front() == ' ') element.remove_prefix(1);
  int nested = 0;
  for (std::size_t k = 0; k < element.size(); ++k) {  // an encoding may follow
    if (element[k] == '<') ++nested;
    if (element[k] == '>') --nested;
    if (element[k] == ',' && nested == 0) {
      element = element.substr(0, k);
      break;
    }
  }
  while (!element.empty() && element.back() == ' ') element.remove_suffix(1);
  if (element.empty()) scan_.fail_at(begin, "a tensor type needs an element type.");
  t.narrow = narrow_type(element);
  if (!known) return;
  if (t.narrow)
    t.type = Type{t.narrow->carrier, std::move(shape)};
  else if (const auto d = element_type(element))
    t.type = Type{*d, std::move(shape)};
}

// ---- numbers
// ------------------------------------------------------------------------------------------------------

bool read_real(Text text, double& value) {
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (negative || text[0] == '+')) text.remove_prefix(1);
  if (text.empty() || (!std::isdigit(static_cast<unsigned char>(text[0])) && text[0] != '.')) return false;
  double v = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (end != text.data() + text.size()) return false;
  if (code == std::errc::result_out_of_range) {  // by the place of its first digit
    const std::size_t e = std::min(text.find_first_of("eE"), text.size());
    const std::size_t dot = std::min(text.find('.'), e), digit = text.find_first_of("123456789");
    Text power = text.substr(std::min(e + 1, text.size()));
    const bool shrinks = power.starts_with('-');
    if (shrinks || power.starts_with('+')) power.remove_prefix(1);
    std::int64_t exponent = 0;
    if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec ==
        std::errc::result_out_of_range)
      exponent = std::numeric_limits<std::int32_t>::max();
    if (shrinks) exponent = -exponent;
    exponent += static_cast<std::int64_t>(dot) - static_cast<std::int64_t>(digit);
    v = exponent < 0 ? 0 : std::numeric_limits<double>::infinity();
  } else if (code != std::errc{}) {
    return false;
  }
  value = negative ? -v : v;
  return true;
}

// ---- attributes
// ---------------------------------------------------------------------------------------------------

Attribute Parser::number(bool typed) {
  Attribute a;
  a.at = scan_.at();
  const std::size_t begin = scan_.at();
  if (scan_.raw() == '-' || scan_.raw() == '+') scan_.advance();
  while (std::isalnum(static_cast<unsigned char>(scan_.raw())) || scan_.raw() == '.' ||
         ((scan_.raw() == '-' || scan_.raw() == '+') && (scan_.source()[scan_.at() - 1] | 32) == 'e'))
    scan_.advance();
  const std::string text(scan_.from(begin));
  const std::size_t first = text.find_first_not_of("+-");
  const bool hex = first != std::string::npos && text.compare(first, 2, "0x") == 0;
  const bool real = !hex && text.find_first_of(".eE") != std::string::npos;
  const auto bad = [&] { scan_.fail_at(begin, "a number is required, found `" + text + "`."); };
  if (real) {
    a.kind = Attribute::Kind::real;
    if (!read_real(text, a.real)) bad();
  } else {
    a.kind = Attribute::Kind::integer;
    const bool negative = text[0] == '-', sign = negative || text[0] == '+';
    const Text digits = Text(text).substr(sign + (hex ? 2 : 0));
    std::uint64_t v = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), v, hex ? 16 : 10);
    if (code == std::errc::result_out_of_range || (negative && v > std::uint64_t{1} << 63))
      scan_.fail_at(begin, "the number `" + text + "` is too large.");
    if (code != std::errc{} || end != digits.data() + digits.size()) bad();
    a.integer = static_cast<std::int64_t>(negative ? 0 - v : v);
    a.real = static_cast<double>(a.integer);
  }
  a.text = scan_.from(begin);
  if (typed) {
    if (scan_.take(":")) a.type = type();
  } else if (scan_.peek() == ':') {  // key = 0.1 : f64 : tensor<...> of the pretty form
    const std::size_t saved = scan_.at();
    scan_.advance();
    const Text word = scan_.word();
    if (element_type(word).has_value() && scan_.peek() == ':')
      a.type.type = Type{*element_type(word), {}};
    else
      scan_.seek(saved);
  }
  return a;
}

Attribute Parser::hash_attribute() {
  Attribute a;
  a.at = scan_.at();
  scan_.advance();  // #
  a.name = scan_.suffix_name("an attribute");
  if (scan_.raw() == '<') {
    a.kind = Attribute::Kind::opaque;
    a.text = scan_.balanced();
  } else {
    a.kind = Attribute::Kind::alias;
    a.text = a.name;
  }
  return a;
}

void Parser::dict(Fields& fields) {
  const Depth guard(depth_, scan_);
  scan_.expect("{", "to begin attributes");
  while (!scan_.take("}")) {
    Text key;
    if (scan_.peek() == '"')
      key = scan_.string();
    else
      key = scan_.word();
    if (key.empty()) scan_.fail("the name of an attribute is required" + scan_.found());
    Attribute value;
    value.at = scan_.at();
    if (scan_.take("=")) value = attribute(true);
    fields.emplace_back(key, std::move(value));
    if (!scan_.take(",") && scan_.peek() != '}')
      scan_.fail("`,` or `}` is required after an attribute" + scan_.found());
  }
}

Attribute Parser::attribute(bool typed) {
  const Depth guard(depth_, scan_);
  const char c = scan_.peek();
  Attribute a;
  a.at = scan_.at();
  if (std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '+') return number(typed);
  if (c == '"') {
    a.kind = Attribute::Kind::string;
    a.text = scan_.string();
    if (typed && scan_.take(":")) a.type = type();
    return a;
  }
  if (c == '[') {
    a.kind = Attribute::Kind::array;
    scan_.advance();
    while (!scan_.take("]")) {
      a.items.push_back(attribute(typed));
      if (!scan_.take(",") && scan_.peek() != ']')
        scan_.fail("`,` or `]` is required in a list" + scan_.found());
    }
    return a;
  }
  if (c == '{') {
    a.kind = Attribute::Kind::dict;
    dict(a.fields);
    return a;
  }
  if (c == '#') return hash_attribute();
  if (c == '@') {
    a.kind = Attribute::Kind::symbol;
    scan_.advance();
    a.text = scan_.suffix_name("a symbol");
    while (scan_.take("::@")) scan_.suffix_name("a symbol");
    return a;
  }
  if (c == '<') {  // key = <...> of the pretty form
    a.kind = Attribute::Kind::opaque;
    a.text = scan_.balanced();
    return a;
  }
  if (c == '!' || c == '(') {
    a.kind = Attribute::Kind::type;
    a.type = type();
    return a;
  }
  const std::size_t begin = scan_.at();
  const Text word = scan_.word();
  if (word.empty()) scan_.fail("the value of an attribute is required" + scan_.found());
  a.text = word;
  if (word == "true" || word == "false") {
    a.kind = Attribute::Kind::boolean;
    a.integer = word == "true";
  } else if (word == "unit") {
    a.kind = Attribute::Kind::unit;
  } else if ((word == "dense" || word == "dense_resource") && scan_.raw() == '<') {
    a.kind = word == "dense" ? Attribute::Kind::dense : Attribute::Kind::resource;
    a.text = scan_.balanced();
    scan_.expect(":", "and a type after dense<...>");
    a.type = type();
  } else if (word == "array" && scan_.raw() == '<') {
    a.kind = Attribute::Kind::array;
    scan_.advance();
    scan_.word();
    if (scan_.take(":")) {
      while (scan_.peek() != '>') {
        a.items.push_back(attribute(false));
        if (!scan_.take(",")) break;
      }
    }
    scan_.expect(">", "after array<...");
  } else if (word == "loc" && scan_.peek() == '(') {
    scan_.balanced();
  } else if (scan_.raw() == '<') {  // a type, an affine map
    scan_.seek(begin);
    a.kind = Attribute::Kind::type;
    a.type = type();
  } else {
    a.kind = Attribute::Kind::word;
    if (const auto d = element_type(word)) {
      a.kind = Attribute::Kind::type;
      a.type.kind = TypeSyntax::Kind::scalar;
      a.type.type = Type{*d, {}};
    }
  }
  return a;
}

Fields Parser::fields() {
  Fields list;
  while (!scan_.done()) {
    const Text key = scan_.word();
    if (key.empty()) scan_.fail("the name of a field is required" + scan_.found());
    scan_.expect("=", "after the name of a field");
    list.emplace_back(key, attribute(true));
    if (!scan_.take(",") && !scan_.done()) scan_.fail("`,` is required between fields" + scan_.found());
  }
  return list;
}

Fields fields_of(const Attribute& a, const ModuleSyntax& module) {
  if (a.kind == Attribute::Kind::dict) return a.fields;
  if (a.kind != Attribute::Kind::opaque)
    syntax_error(module.file, *module.source, a.at, "fields in #name<...> are required.");
  ModuleSyntax part{module.source, module.file, {}, {}, {}};
  const auto begin = static_cast<std::size_t>(a.text.data() - module.source->data());
  return Parser(part, begin, begin + a.text.size()).fields();
}

}  // namespace baton::mlir
