// npy: a short Python literal of type, axis order and shape, then the data.
#include "baton/npy.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "base/text.h"
#include "interop/file.h"
#include "interop/zip.h"

namespace baton {
namespace {

constexpr std::string_view who = "npy";

struct Code {
  std::string_view code;
  Dtype dtype;
};
constexpr Code codes[] = {{"b1", boolean}, {"i1", s8},  {"i2", s16}, {"i4", s32},  {"i8", s64},
                          {"u1", u8},      {"u2", u16}, {"u4", u32}, {"u8", u64},  {"f2", f16},
                          {"f4", f32},     {"f8", f64}, {"c8", c64}, {"c16", c128}};

/// Reads the literal {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }.
class Header {
 public:
  Header(std::string_view text, const std::string& path, std::size_t offset)
      : text_(text), path_(path), offset_(offset) {}

  Type type;
  bool fortran = false, swapped = false;

  void read() {
    expect('{');
    bool have_descr = false, have_order = false, have_shape = false;
    while (!take('}')) {
      const std::string key = quoted();
      if ((key == "descr" && have_descr) || (key == "fortran_order" && have_order) ||
          (key == "shape" && have_shape))
        fail("the key `" + key + "` stands twice");
      expect(':');
      if (key == "descr") {
        skip();
        if (peek() != '\'' && peek() != '"') fail("structured arrays are not read");
        descr(quoted());
        have_descr = true;
      } else if (key == "fortran_order") {
        const std::string word = name();
        if (word != "True" && word != "False") fail("True or False is required");
        fortran = word == "True";
        have_order = true;
      } else if (key == "shape") {
        expect('(');
        while (!take(')')) {
          type.shape.push_back(number());
          if (!take(',') && peek() != ')') fail("`,` or `)` is required");
        }
        have_shape = true;
      } else {
        fail("the key `" + key + "` is not known");
      }
      if (!take(',') && peek() != '}') fail("`,` or `}` is required");
    }
    if (peek(); i_ < text_.size()) fail("nothing may follow `}`");
    if (!have_descr || !have_order || !have_shape) fail("descr, fortran_order and shape are required");
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    file_error(who, path_, offset_ + i_, message + " in the header.");
  }
  void skip() {
    while (i_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[i_]))) ++i_;
  }
  char peek() {
    skip();
    return i_ < text_.size() ? text_[i_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++i_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail("`" + std::string(1, c) + "` is required");
  }
  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("a text is required");
    const std::size_t begin = ++i_;
    while (i_ < text_.size() && text_[i_] != quote) ++i_;
    if (i_ >= text_.size()) fail("a text has no end");
    return std::string(text_.substr(begin, i_++ - begin));
  }
  std::string name() {
    skip();
    const std::size_t begin = i_;
    while (i_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[i_]))) ++i_;
    return std::string(text_.substr(begin, i_ - begin));
  }
  std::int64_t number() {
    skip();
    std::int64_t n = 0;
    const std::size_t begin = i_;
    for (; i_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[i_])); ++i_) {
      if (n > (std::int64_t{1} << 56)) fail("an extent is too large");
      n = n * 10 + (text_[i_] - '0');
    }
    if (i_ == begin) fail("an extent is required");
    if (i_ < text_.size() && text_[i_] == 'L') ++i_;
    return n;
  }
  void descr(const std::string& text) {
    const char order = text.empty() ? '\0' : text[0];
    const auto* known = std::find_if(std::begin(codes), std::end(codes), [&](const Code& c) {
      return text.size() > 1 && c.code == text.substr(1);
    });
    if ((order != '<' && order != '>' && order != '|' && order != '=') || known == std::end(codes))
      fail("the dtype '" + text + "' is not one that Baton has");
    type.dtype = known->dtype;
    swapped = order == '>';
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t offset_, i_ = 0;
};

/// `file` is the path, and which array of it.
std::string header_of(const Type& type, const std::string& file) {
  const auto* known =
      std::find_if(std::begin(codes), std::end(codes), [&](const Code& c) { return c.dtype == type.dtype; });
  if (known == std::end(codes))
    throw UsageError(std::string(who) + ": " + file + ": NumPy has no dtype for " + show(type) +
                     ".\n  Convert it first, to f32 for example.");
  std::string shape;
  for (std::int64_t extent : type.shape) shape += std::to_string(extent) + ", ";
  if (type.rank() > 1)
    shape.resize(shape.size() - 2);
  else if (type.rank() == 1)
    shape.pop_back();
  std::string text = "{'descr': '" + std::string(size_of(type.dtype) == 1 ? "|" : "<") +
                     std::string(known->code) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  const std::size_t begin =
      10;  // after a length of two bytes, which the axes that a shape may have never exceed
  text.resize((begin + text.size() + 1 + 63) / 64 * 64 - begin - 1, ' ');
  text += '\n';
  std::string out = "\x93NUMPY";
  out += '\1';
  out += '\0';
  for (int i = 0; i < 2; ++i) out += static_cast<char>(text.size() >> (8 * i) & 255);
  return out + text;
}

/// The array in `bytes`; `file` is given where they lie in a file, for views.
Array read_npy(std::string_view bytes, const std::string& path,
               const std::shared_ptr<const FileBytes>& file) {
  const auto fail = [&](std::size_t at, const std::string& message) { file_error(who, path, at, message); };
  if (bytes.size() < 10 || bytes.substr(0, 6) != "\x93NUMPY")
    fail(0, "the file does not begin as a .npy file does.");
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) fail(6, "version " + std::to_string(version) + " is not known.");
  const std::size_t begin = version == 1 ? 10 : 12;
  std::size_t length = 0;
  for (std::size_t i = begin; i-- > 8;)
    length = length << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0);
  if (bytes.size() < begin || length > bytes.size() - begin)
    fail(8, "the header is said to have " + std::to_string(length) + " bytes; the file ends before.");
  Header header(bytes.substr(begin, length), path, begin);
  header.read();
  std::uint64_t size = 0;
  const std::uint64_t have = bytes.size() - begin - length;
  if (!type_bytes(header.type, size) || size != have)
    fail(begin + length,
         show(header.type) + " does not take the " + std::to_string(have) + " bytes of data that follow.");
  const char* data = bytes.data() + begin + length;
  if (header.type.dtype == boolean)
    for (std::uint64_t i = 0; i < size; ++i)
      if (static_cast<unsigned char>(data[i]) > 1) fail(begin + length + i, "a bool is neither 0 nor 1.");
  std::string turned;
  if (header.swapped && size > 0) {
    turned.assign(data, size);
    const std::size_t width =
        is_complex(header.type.dtype) ? size_of(header.type.dtype) / 2 : size_of(header.type.dtype);
    for (std::size_t i = 0; i + width <= turned.size(); i += width)
      std::reverse(turned.begin() + static_cast<std::ptrdiff_t>(i),
                   turned.begin() + static_cast<std::ptrdiff_t>(i + width));
    data = turned.data();
  }
  if (header.fortran && header.type.rank() > 1) {
    std::vector<std::int64_t> strides;
    auto stride = static_cast<std::int64_t>(size_of(header.type.dtype));
    for (std::int64_t extent : header.type.shape) {
      strides.push_back(stride);
      stride *= std::max<std::int64_t>(extent, 1);
    }
    return Array::copy(header.type, data, strides);
  }
  if (file && turned.empty()) return array_over(file, begin + length, header.type);
  return Array(header.type, data);
}

}  // namespace

Array load_npy(const std::string& path) {
  const auto file = std::make_shared<const FileBytes>(path, who);
  return read_npy(file->text(), path, file);
}
void save_npy(const std::string& path, const Array& array, Where where) {
  require_saved(array, who, path, "", where);
  const std::string header = header_of(array.type(), path);
  const std::string_view parts[] = {header, {static_cast<const char*>(array.data()), array.type().bytes()}};
  write_file(path, who, parts);
}

NamedArrays load_npz(const std::string& path) {
  const FileBytes file(path, who);
  NamedArrays arrays;
  for (const auto& [name, bytes] : zip::read(file.text(), path)) {
    std::string key = name;
    if (key.ends_with(".npy")) key.resize(key.size() - 4);
    if (!arrays.emplace(key, read_npy(bytes, path + "(" + name + ")", nullptr)).second)
      throw UsageError(std::string(who) + ": " + path + ": two entries are named `" + key +
                       "`.\n  Write the archive again, with names that differ.");
  }
  return arrays;
}
void save_npz(const std::string& path, const NamedArrays& arrays, bool compressed, Where where) {
  std::vector<zip::Entry> entries;
  for (const auto& [name, array] : arrays) {
    require_saved(array, who, path, name, where);
    std::string bytes = header_of(array.type(), path + ": `" + name + "`");
    bytes.append(static_cast<const char*>(array.data()), array.type().bytes());
    entries.push_back({name + ".npy", std::move(bytes)});
  }
  const std::string archive = zip::write(entries, compressed);
  const std::string_view parts[] = {archive};
  write_file(path, who, parts);
}

}  // namespace baton
