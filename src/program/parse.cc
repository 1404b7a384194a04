// parse: reads the text of a Program. A scanner without tokens: each function eats what it knows.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <map>

#include "base/text.h"
#include "program/primitive.h"

namespace baton {
namespace {

class Parser final : public FieldVisitor {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Program whole() {
    Program p = parse_program();
    skip();
    if (at_ != text_.size()) fail("the end of the text");
    return p;
  }

  // Fields of Params, in their order.
  void integer(std::string_view n, std::int64_t& x) override { name(n), x = parse_integer(); }
  void integers(std::string_view n, std::vector<std::int64_t>& x) override {
    name(n), list(x, [&] { return parse_integer(); });
  }
  void real(std::string_view n, double& x) override { name(n), x = parse_real(); }
  void boolean(std::string_view n, bool& x) override { name(n), x = parse_boolean(); }
  void text(std::string_view n, std::string& x) override { name(n), x = parse_quoted(); }
  void texts(std::string_view n, std::vector<std::string>& x) override {
    name(n), list(x, [&] { return parse_quoted(); });
  }
  void enumeration(std::string_view n, int& x, std::span<const std::string_view> names) override {
    name(n);
    const std::string_view w = word();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == w) {
        x = static_cast<int>(i);
        return;
      }
    fail_at(w, "a value of " + std::string(n));
  }
  void dtype(std::string_view n, Dtype& x) override { name(n), x = parse_dtype(); }
  void type(std::string_view n, Type& x) override { name(n), x = parse_type(); }
  void program(std::string_view n, Program& x) override { name(n), x = parse_program(); }
  void programs(std::string_view n, std::vector<Program>& x) override {
    name(n), list(x, [&] { return parse_program(); });
  }
  void bytes(std::string_view n, std::string& x) override {
    name(n);
    expect("0x");
    auto digit = [&](char c) {
      if (c >= '0' && c <= '9') return c - '0';
      if (c >= 'a' && c <= 'f') return c - 'a' + 10;
      return -1;
    };
    x.clear();
    while (at_ + 1 < text_.size() && digit(text_[at_]) >= 0 && digit(text_[at_ + 1]) >= 0) {
      x += static_cast<char>(digit(text_[at_]) * 16 + digit(text_[at_ + 1]));
      at_ += 2;
    }
  }

 private:
  [[noreturn]] void fail(const std::string& wanted) const {
    int line = 1;
    std::size_t start = 0;
    for (std::size_t i = 0; i < at_ && i < text_.size(); ++i)
      if (text_[i] == '\n') ++line, start = i + 1;
    std::string found(text_.substr(std::min(at_, text_.size()), 20));
    if (auto end = found.find('\n'); end != std::string::npos) found.resize(end);
    throw UsageError("Program::parse: expected " + wanted + ", found " +
                     (found.empty() ? "the end of the text" : "`" + found + "`") + " at line " +
                     std::to_string(line) + ", column " + std::to_string(at_ - start + 1) + ".");
  }
  /// The same where a piece of the text, read already, is at fault.
  [[noreturn]] void fail_at(std::string_view piece, const std::string& wanted) {
    at_ = static_cast<std::size_t>(piece.data() - text_.data());
    fail(wanted);
  }
  void skip() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool accept(std::string_view s) {
    skip();
    if (text_.substr(at_, s.size()) != s) return false;
    at_ += s.size();
    return true;
  }
  void expect(std::string_view s) {
    if (!accept(s)) fail("`" + std::string(s) + "`");
  }
  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  std::string_view word() {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (start == at_) fail("a name");
    return text_.substr(start, at_ - start);
  }
  std::string_view number_text() {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (is_word(text_[at_]) || text_[at_] == '.' || text_[at_] == '-' || text_[at_] == '+'))
      ++at_;
    if (start == at_) fail("a number");
    return text_.substr(start, at_ - start);
  }
  double to_real(std::string_view s) {
    if (s == "inf") return std::numeric_limits<double>::infinity();
    if (s == "-inf") return -std::numeric_limits<double>::infinity();
    if (s == "nan") return std::numeric_limits<double>::quiet_NaN();
    double x = 0;
    auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), x);
    if (error != std::errc() || end != s.data() + s.size()) fail_at(s, "a number");
    return x;
  }
  std::int64_t parse_integer() {
    const std::string_view s = number_text();
    std::int64_t x = 0;
    auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), x);
    if (error != std::errc() || end != s.data() + s.size()) fail_at(s, "an integer");
    return x;
  }
  double parse_real() { return to_real(number_text()); }
  bool parse_boolean() {
    const std::string_view w = word();
    if (w != "true" && w != "false") fail_at(w, "true or false");
    return w == "true";
  }
  std::string parse_quoted() {
    expect("\"");
    std::string s;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        s += text_[at_] == 'n' ? '\n' : text_[at_];
      } else {
        s += text_[at_];
      }
      ++at_;
    }
    expect("\"");
    return s;
  }
  Dtype parse_dtype() {
    const std::string_view w = word();
    for (int i = 0; i < dtype_count; ++i)
      if (name_of(static_cast<Dtype>(i)) == w) return static_cast<Dtype>(i);
    fail_at(w, "a dtype");
  }
  Type parse_type() {
    skip();
    const std::size_t start = at_;
    Type t{parse_dtype(), {}};
    list(t.shape, [&] { return parse_integer(); });
    if (const std::string fault = fault_of_extents(t); !fault.empty()) {
      at_ = start;
      fail("a type that can be (" + fault + ")");
    }
    return t;
  }
  template <class T, class F>
  void list(std::vector<T>& out, F element) {
    out.clear();
    expect("[");
    if (accept("]")) return;
    do out.push_back(element());
    while (accept(","));
    expect("]");
  }
  void name(std::string_view n) {
    if (!first_) expect(",");
    first_ = false;
    expect(n);
    expect("=");
  }

  using Names = std::map<std::string, Var, std::less<>>;
  /// The name of a variable that is defined here.
  std::string new_name(const Names& names) {
    std::string n(word());
    if (names.find(n) != names.end()) twice(n);
    return n;
  }
  [[noreturn]] void twice(const std::string& name) {
    at_ -= name.size();
    fail("a name that no variable has yet");
  }
  /// A number of an inexact dtype into its bytes: decimal, or the bits of a NaN in hex.
  void put_real(std::string_view s, Dtype d, unsigned char* bytes) {
    if (s.substr(0, 2) == "0x") {
      std::uint64_t bits = 0;
      const auto [end, error] = std::from_chars(s.data() + 2, s.data() + s.size(), bits, 16);
      if (error != std::errc() || end != s.data() + s.size()) fail_at(s, "a number");
      std::memcpy(bytes, &bits, size_of(d));  // little-endian
    } else {
      std::memcpy(bytes, make_literal(d, to_real(s)).bytes, size_of(d));
    }
  }
  Var literal(Builder& builder) {
    Literal l;
    if (accept("(")) {
      const std::string_view real = number_text();
      expect(",");
      const std::string_view imag = number_text();
      expect(")");
      expect(":");
      l.dtype = parse_dtype();
      if (!is_complex(l.dtype)) fail_at(real, "a pair of a complex dtype");
      const Dtype part = real_of(l.dtype);
      put_real(real, part, l.bytes);
      put_real(imag, part, l.bytes + size_of(part));
      return builder.literal(l);
    }
    const std::string_view s = number_text();
    expect(":");
    l.dtype = parse_dtype();
    if (l.dtype == Dtype::boolean) {
      if (s != "true" && s != "false") fail_at(s, "true or false");
      return builder.literal(make_integer_literal(l.dtype, s == "true"));
    }
    if (is_complex(l.dtype)) fail_at(s, "a pair (real,imaginary) for " + std::string(name_of(l.dtype)));
    if (is_inexact(l.dtype)) {
      put_real(s, l.dtype, l.bytes);
      return builder.literal(l);
    }
    std::uint64_t x = 0;
    const bool negative = s[0] == '-';
    auto [end, error] = std::from_chars(s.data() + negative, s.data() + s.size(), x);
    const int bits = static_cast<int>(size_of(l.dtype)) * 8 - is_signed(l.dtype);
    const std::uint64_t most = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    const bool fits = negative ? is_signed(l.dtype) && x <= most + 1 : x <= most;
    if (error != std::errc() || end != s.data() + s.size() || !fits)
      fail_at(s, "a number of " + std::string(name_of(l.dtype)));
    return builder.literal(make_integer_literal(l.dtype, static_cast<std::int64_t>(negative ? 0 - x : x)));
  }
  Var atom(Builder& builder, const Names& names) {
    skip();
    const std::size_t start = at_;
    if (at_ < text_.size() && text_[at_] >= 'a' && text_[at_] <= 'z') {
      const std::string_view w = word();
      if (at_ < text_.size() && text_[at_] == ':') {  // true:bool, nan:f32, inf:f32
        at_ = start;
        return literal(builder);
      }
      const auto found = names.find(w);
      if (found == names.end()) {
        at_ = start;
        fail("a variable defined above");
      }
      return found->second;
    }
    return literal(builder);
  }

  Program parse_program() {
    if (++depth_ > max_depth) fail("Programs at most " + std::to_string(max_depth) + " deep in each other");
    Program p = parse_level();
    --depth_;
    return p;
  }
  Program parse_level() {
    Builder builder;
    Names names;
    expect("{");
    if (!accept("->")) {
      do {
        std::string n = new_name(names);
        expect(":");
        names[std::move(n)] = builder.input(parse_type());
      } while (accept(","));
      expect("->");
    }
    constexpr int number = -1;  // of no line: a text has none
    while (true) {
      skip();
      const std::size_t before = at_;
      std::vector<std::string> defined;
      Types types;
      if (!accept("=")) {
        const std::string_view first = word();
        if (first == "return") break;
        at_ = before;
        do {
          std::string n = new_name(names);
          if (std::find(defined.begin(), defined.end(), n) != defined.end()) twice(n);
          defined.push_back(std::move(n));
          expect(":");
          types.push_back(parse_type());
        } while (accept(","));
        expect("=");
      }
      skip();
      const std::size_t name_at = at_;
      const Primitive* primitive = find_primitive(word());
      if (!primitive) {
        at_ = name_at;
        fail("a primitive");
      }
      std::vector<Var> inputs;
      while (true) {  // operands end at the end of the line or at the parameters
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        if (at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '{') break;
        inputs.push_back(atom(builder, names));
      }
      Params params = primitive->params;
      if (at_ < text_.size() && text_[at_] == '{') {
        expect("{");
        const bool outer = first_;
        first_ = true;
        const std::size_t fields_at = at_;
        try {
          params = primitive->params.with(*this);
        } catch (const UsageError& e) {  // of the field itself, which knows no text
          if (std::string_view(e.what()).starts_with("Program::parse")) throw;
          at_ = fields_at;
          fail("parameters that can be (" + std::string(e.what()) + ")");
        }
        first_ = outer;
        expect("}");
      }
      Types in;
      for (Var v : inputs) in.push_back(builder.type(v));
      const Types found = result_types(*primitive, in, params);
      if (found != types) {
        at_ = before;
        fail("result types that agree with the type rule of " + std::string(primitive->name));
      }
      const std::vector<Var> vars = builder.equation(*primitive, params, inputs, types, number);
      for (std::size_t k = 0; k < vars.size(); ++k) names[defined[k]] = vars[k];
    }
    std::vector<Var> outputs;
    if (!accept("}")) {
      do outputs.push_back(atom(builder, names));
      while (accept(","));
      expect("}");
    }
    return builder.finish(outputs);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool first_ = true;
  static constexpr int max_depth =
      500;  // as deep as traces nest, far beyond what transforms nest; the scanner calls itself
  int depth_ = 0;
};

}  // namespace

Program Program::parse(std::string_view text) { return Parser(text).whole(); }

}  // namespace baton
