// print: the text of Programs. `parse` reads it back to a Program with the same hash.
#include <cmath>
#include <cstring>
#include <ostream>

#include "base/text.h"
#include "program/names.h"
#include "program/primitive.h"

namespace baton {
namespace {

std::string indent_text(int depth) { return std::string(static_cast<std::size_t>(depth) * 2, ' '); }
using Note = FunctionRef<std::string(int number)>;
constexpr auto no_note = [](int) { return std::string(); };
std::string print_program(const Program&, int depth, Note note = no_note);

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

class PrintFields final : public FieldVisitor {
 public:
  PrintFields(int depth, Note note) : depth_(depth), note_(note) {}
  std::string text_;

  void integer(std::string_view n, std::int64_t& x) override { add(n, std::to_string(x)); }
  void integers(std::string_view n, std::vector<std::int64_t>& x) override {
    std::string s = "[";
    for (std::size_t i = 0; i < x.size(); ++i) s += (i ? "," : "") + std::to_string(x[i]);
    add(n, s + "]");
  }
  void real(std::string_view n, double& x) override { add(n, show_real(x)); }
  void boolean(std::string_view n, bool& x) override { add(n, x ? "true" : "false"); }
  void text(std::string_view n, std::string& x) override { add(n, quoted(x)); }
  void texts(std::string_view n, std::vector<std::string>& x) override {
    std::string s = "[";
    for (std::size_t i = 0; i < x.size(); ++i) s += (i ? "," : "") + quoted(x[i]);
    add(n, s + "]");
  }
  void enumeration(std::string_view n, int& x, std::span<const std::string_view> names) override {
    add(n, std::string(names[static_cast<std::size_t>(x)]));
  }
  void dtype(std::string_view n, Dtype& x) override { add(n, std::string(name_of(x))); }
  void type(std::string_view n, Type& x) override { add(n, show(x)); }
  void program(std::string_view n, Program& x) override { add(n, print_program(x, depth_, note_)); }
  void programs(std::string_view n, std::vector<Program>& x) override {
    std::string s = "[";
    for (std::size_t i = 0; i < x.size(); ++i) s += (i ? ", " : "") + print_program(x[i], depth_, note_);
    add(n, s + "]");
  }
  void bytes(std::string_view n, std::string& x) override {
    static constexpr char digits[] = "0123456789abcdef";
    std::string s = "0x";
    for (char c : x) {
      s += digits[static_cast<unsigned char>(c) >> 4];
      s += digits[static_cast<unsigned char>(c) & 15];
    }
    add(n, s);
  }

 private:
  void add(std::string_view name, const std::string& value) {
    if (!text_.empty()) text_ += ", ";
    text_ += std::string(name) + "=" + value;
  }
  int depth_;
  Note note_;
};

std::string params_text(const Params& params, int depth, Note note = no_note) {
  PrintFields fields(depth, note);
  params.visit(fields);
  return fields.text_.empty() ? "" : "{" + fields.text_ + "}";
}

/// a, b, ..., z, aa, ab, ...
std::string letters(int i) {
  std::string s;
  for (++i; i > 0; i = (i - 1) / 26) s.insert(s.begin(), static_cast<char>('a' + (i - 1) % 26));
  return s;
}

}  // namespace

std::string name_of(const ProgramData& p, Var v) {
  if (p.is_literal(v)) return show(p.literal(v)) + ":" + std::string(name_of(p.type(v).dtype));
  return letters(p.is_input(v) ? v : v - static_cast<int>(p.literals.size()));
}

namespace {

std::string print_program(const Program& program, int depth, Note note) {
  const ProgramData& p = *program;
  const auto name = [&](Var v) { return name_of(p, v); };
  auto declared = [&](Var v) { return name(v) + ":" + show(p.type(v)); };
  std::string s = "{ ";
  for (int i = 0; i < p.input_count; ++i) s += (i ? ", " : "") + declared(i);
  s += p.input_count ? " ->\n" : "->\n";
  for (const Equation& e : p.equations) {
    s += indent_text(depth + 1);
    for (std::size_t k = 0; k < e.outputs.size(); ++k) s += (k ? ", " : "") + declared(e.outputs[k]);
    s += (e.outputs.empty() ? "= " : " = ") + std::string(e.primitive->name);
    for (Var v : e.inputs) s += " " + name(v);
    const std::string params = params_text(e.params, depth + 1, note);
    if (!params.empty()) s += " " + params;
    const std::string remark = note(e.number);
    if (!remark.empty()) s += "    # " + remark;
    s += "\n";
  }
  s += indent_text(depth + 1) + "return";
  for (std::size_t k = 0; k < p.outputs.size(); ++k) s += (k ? ", " : " ") + name(p.outputs[k]);
  return s + " }";
}

template <class T>
T read_as(const Literal& l) {
  T value;
  std::memcpy(&value, l.bytes, sizeof value);
  return value;
}

std::string real_text(const Literal& l, double value) {
  if (!std::isnan(value)) return show_real(value);
  const Literal canonical = make_literal(l.dtype, std::nan(""));
  if (std::memcmp(canonical.bytes, l.bytes, sizeof l.bytes) == 0) return "nan";
  std::uint64_t bits = 0;
  std::memcpy(&bits, l.bytes, size_of(l.dtype));
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(bits));
  return text;
}

}  // namespace

std::string show(const Literal& l) {
  switch (l.dtype) {
    case boolean:
      return l.bytes[0] ? "true" : "false";
    case s8:
      return std::to_string(read_as<std::int8_t>(l));
    case s16:
      return std::to_string(read_as<std::int16_t>(l));
    case s32:
      return std::to_string(read_as<std::int32_t>(l));
    case s64:
      return std::to_string(read_as<std::int64_t>(l));
    case u8:
      return std::to_string(read_as<std::uint8_t>(l));
    case u16:
      return std::to_string(read_as<std::uint16_t>(l));
    case u32:
      return std::to_string(read_as<std::uint32_t>(l));
    case u64:
      return std::to_string(read_as<std::uint64_t>(l));
    case f16:
      return real_text(l, static_cast<double>(static_cast<float>(read_as<float16>(l))));
    case bf16:
      return real_text(l, static_cast<double>(static_cast<float>(read_as<bfloat16>(l))));
    case f32:
      return real_text(l, static_cast<double>(read_as<float>(l)));
    case f64:
      return real_text(l, read_as<double>(l));
    case c64:
    case c128: {
      Literal real{real_of(l.dtype)}, imag{real.dtype};
      std::memcpy(real.bytes, l.bytes, size_of(real.dtype));
      std::memcpy(imag.bytes, l.bytes + size_of(real.dtype), size_of(real.dtype));
      return "(" + show(real) + "," + show(imag) + ")";
    }
  }
  return "?";
}

std::string show(const Params& params) { return params_text(params, 0); }
std::string Program::text() const { return print_program(*this, 0); }
std::string annotated(const Program& program, FunctionRef<std::string(int number)> note) {
  return print_program(program, 0, note);
}
std::string show(const Program& p) { return p.text(); }
std::ostream& operator<<(std::ostream& out, const Program& p) { return out << p.text(); }

}  // namespace baton
