// constants: lists of numbers, splats, hexadecimal bits and blobs.
#include "interop/mlir/constants.h"

#include <charconv>
#include <complex>
#include <cstring>

#include "base/element.h"
#include "base/text.h"
#include "interop/mlir/parser.h"

namespace baton::mlir {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Reads elements of T, appending their bytes.
template <class T>
class Reader {
 public:
  Reader(Text text, Scanner& scan, const Narrow* narrow) : text_(text), scan_(scan), narrow_(narrow) {}

  std::string bytes;
  std::vector<std::int64_t> shape;  // of the brackets
  bool bracketed = false;

  void read() {
    skip();
    if (i_ >= text_.size()) return;  // dense<>: no elements
    bracketed = text_[i_] == '[';
    value(0);
    skip();
    if (i_ < text_.size()) fail("nothing more is expected");
  }

 private:
  [[noreturn]] void fail(const std::string& message) {
    scan_.fail_at(static_cast<std::size_t>(text_.data() - scan_.source().data()) + i_,
                  message + " in dense<...>.");
  }
  void skip() {
    while (i_ < text_.size()) {
      if (text_[i_] == '/' && i_ + 1 < text_.size() && text_[i_ + 1] == '/')
        i_ = std::min(text_.find('\n', i_), text_.size());
      else if (std::isspace(static_cast<unsigned char>(text_[i_])))
        ++i_;
      else
        return;
    }
  }
  bool take(char c) {
    skip();
    if (i_ >= text_.size() || text_[i_] != c) return false;
    ++i_;
    return true;
  }
  void value(std::size_t depth) {
    if (!take('[')) {
      if (depth < shape.size()) fail("lists of one depth are required");
      element();
      return;
    }
    if (depth > 64) fail("lists nest more than 64 deep");
    const bool first = depth == shape.size();
    if (first) {
      if (!bytes.empty()) fail("lists of one depth are required");
      shape.push_back(-1);
    }
    std::int64_t count = 0;
    if (!take(']')) {
      do {
        value(depth + 1);
        ++count;
      } while (take(','));
      if (!take(']')) fail("`,` or `]` is required");
    }
    if (shape[depth] < 0) shape[depth] = count;
    if (shape[depth] != count) fail("lists of one length are required");
  }
  void element() {
    if constexpr (is_complex_v<T>) {
      using Part = typename T::value_type;
      if (take('(')) {
        const Part real = number<Part>();
        if (!take(',')) fail("`,` is required");
        const Part imag = number<Part>();
        if (!take(')')) fail("`)` is required");
        put(T(real, imag));
      } else {
        put(T(number<Part>()));
      }
    } else {
      put(number<T>());
    }
  }
  void put(T x) { bytes.append(reinterpret_cast<const char*>(&x), sizeof x); }

  template <class P>
  P number() {
    skip();
    const std::size_t begin = i_;
    while (i_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[i_])) || text_[i_] == '.' ||
                                 text_[i_] == '-' || text_[i_] == '+'))
      ++i_;
    const Text word = text_.substr(begin, i_ - begin);
    const auto bad = [&] {
      i_ = begin;
      fail("a number is required, found `" + std::string(word.substr(0, 24)) + "`");
    };
    if (word == "true" || word == "false") {
      if constexpr (std::is_integral_v<P>)
        return static_cast<P>(word == "true");
      else
        bad();
    }
    const bool negative = !word.empty() && word[0] == '-';
    const Text digits = negative ? word.substr(1) : word;
    const bool hex = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if constexpr (std::is_same_v<P, bool>) {
      std::int64_t v = 0;
      const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), v);
      if (code != std::errc{} || end != word.data() + word.size()) bad();
      return v != 0;
    } else if constexpr (std::is_integral_v<P>) {
      std::uint64_t v = 0;
      const Text d = hex ? digits.substr(2) : digits;
      const auto [end, code] = std::from_chars(d.data(), d.data() + d.size(), v, hex ? 16 : 10);
      if (code != std::errc{} || end != d.data() + d.size()) bad();
      const std::uint64_t wrapped = negative ? 0 - v : v;
      const P x = static_cast<P>(wrapped);
      // In range: as a value of P, or as its bits.
      const bool fits =
          static_cast<std::uint64_t>(static_cast<std::int64_t>(x)) == wrapped ||
          (!negative && static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<P>>(x)) == v);
      if (!fits) bad();
      if (!narrow_) return x;
      const P y = static_cast<P>(value_of(*narrow_, static_cast<unsigned char>(x)));
      if (y != x && (negative || v >> narrow_->bits)) bad();
      return y;
    } else if (hex) {  // the bits
      std::uint64_t v = 0;
      const auto [end, code] = std::from_chars(digits.data() + 2, digits.data() + digits.size(), v, 16);
      if (code != std::errc{} || end != digits.data() + digits.size() || negative) bad();
      if (narrow_) {
        if (v >> narrow_->bits) bad();
        return static_cast<P>(value_of(*narrow_, static_cast<unsigned>(v)));
      }
      if (sizeof(P) < 8 && v >> (8 * sizeof(P) % 64)) bad();
      P x;
      std::memcpy(static_cast<void*>(&x), &v, sizeof x);
      return x;
    } else {
      double v = 0;
      if (!read_real(word, v)) bad();
      if (narrow_) return static_cast<P>(nearest(*narrow_, v));
      if constexpr (std::is_same_v<P, float>) {
        float f = 0;  // rounded once
        const auto r = std::from_chars(word.data(), word.data() + word.size(), f);
        return r.ec == std::errc{} ? f : static_cast<float>(v);
      } else if constexpr (is_half_v<P>) {
        return to_half<P>(v);
      } else {
        return v;
      }
    }
  }

  Text text_;
  Scanner& scan_;
  const Narrow* narrow_;
  std::size_t i_ = 0;
};

std::string from_hex(Text digits, const Scanner& scan, std::size_t at) {
  if (digits.size() % 2) scan.fail_at(at, "an even number of hexadecimal digits is required.");
  std::string bytes(digits.size() / 2, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_digit(digits[2 * i]), low = hex_digit(digits[2 * i + 1]);
    if (high < 0 || low < 0) scan.fail_at(at, "hexadecimal digits are required.");
    bytes[i] = static_cast<char>(high * 16 + low);
  }
  return bytes;
}

}  // namespace

Elements decode(const Attribute& a, const ModuleSyntax& module) {
  Scanner scan(*module.source, 0, module.source->size(), module.file);
  if (a.kind != Attribute::Kind::dense && a.kind != Attribute::Kind::resource)
    scan.fail_at(a.at, "dense<...> is required.");
  if (!a.type.type) internal_error("decode of a constant of type " + std::string(a.type.text));
  Elements e{*a.type.type, {}, false};
  const Narrow* narrow = a.type.narrow;
  const std::size_t width = narrow ? 1 : size_of(e.type.dtype);  // in a blob
  const auto wrong_size = [&](std::size_t found) {
    scan.fail_at(a.at, "the constant " + show(e.type) + " takes " + std::to_string(e.type.size()) +
                           " elements, found " + std::to_string(found) + ".");
  };
  const auto blob = [&](std::string bytes) {
    const auto count = static_cast<std::size_t>(e.type.size());
    if (e.type.dtype == boolean) {
      // One byte 00 or FF stands for all; else one bit an element, the lowest first; or one byte an element.
      const bool same = bytes.size() == 1 && (bytes[0] == '\0' || bytes[0] == '\xff');
      if (same && count != 1) {
        e.splat = true;
        e.bytes = std::string(1, bytes[0] != '\0');
      } else if (bytes.size() == (count + 7) / 8) {
        for (std::size_t i = 0; i < count; ++i)
          e.bytes.push_back(static_cast<char>(bytes[i / 8] >> (i % 8) & 1));
      } else if (bytes.size() == count) {
        for (char c : bytes) e.bytes.push_back(c != 0);
      } else {
        wrong_size(bytes.size());
      }
      return;
    }
    e.splat = bytes.size() == width && count != 1;
    if (!e.splat && bytes.size() != count * width) wrong_size(bytes.size() / width);
    if (!narrow) {
      e.bytes = std::move(bytes);
      return;
    }
    with_type(e.type.dtype, [&]<class T>(Tag<T>) {  // a byte an element: MLIR does not pack them
      if constexpr (std::is_floating_point_v<T> || sizeof(T) == 1)
        for (char c : bytes) {
          const T x = static_cast<T>(value_of(*narrow, static_cast<unsigned char>(c)));
          e.bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
        }
    });
  };
  if (a.kind == Attribute::Kind::resource) {
    Text name = a.text;
    if (name.size() >= 2 && name.front() == '"') name = name.substr(1, name.size() - 2);
    const auto it = module.resources.find(name);
    if (it == module.resources.end())
      scan.fail_at(a.at, "there is no resource named `" + std::string(name) + "`.");
    std::string bytes = from_hex(it->second, scan, a.at);
    if (bytes.size() < 4) scan.fail_at(a.at, "a resource needs 4 bytes of alignment before its data.");
    blob(bytes.substr(4));
    return e;
  }
  Text text = a.text;
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  if (!text.empty() && text.front() == '"') {
    if (text.size() < 4 || text.substr(0, 3) != "\"0x" || text.back() != '"')
      scan.fail_at(a.at, "\"0x...\" is required in dense<\"...\">.");
    blob(from_hex(text.substr(3, text.size() - 4), scan, a.at));
    return e;
  }
  with_type(e.type.dtype, [&]<class T>(Tag<T>) {
    Reader<T> reader(text, scan, narrow);
    reader.read();
    if (!reader.bracketed && !reader.bytes.empty()) {
      e.splat = true;
    } else if (reader.bytes.size() / sizeof(T) != static_cast<std::size_t>(e.type.size())) {
      wrong_size(reader.bytes.size() / sizeof(T));
    } else if (e.type.size() > 0 && reader.shape != e.type.shape) {
      scan.fail_at(a.at,
                   "the constant " + show(e.type) + " has lists of the shape " + show(reader.shape) + ".");
    }
    e.bytes = std::move(reader.bytes);
  });
  if (e.type.shape.empty()) e.splat = true;
  return e;
}

std::vector<std::int64_t> integers(const Attribute& a, const ModuleSyntax& module) {
  Scanner scan(*module.source, 0, module.source->size(), module.file);
  std::vector<std::int64_t> values;
  if (a.kind == Attribute::Kind::integer || a.kind == Attribute::Kind::boolean) {
    values.push_back(a.integer);
  } else if (a.kind == Attribute::Kind::array) {
    for (const Attribute& item : a.items)
      for (std::int64_t v : integers(item, module)) values.push_back(v);
  } else if (a.kind == Attribute::Kind::dense && a.type.type) {
    const Elements e = decode(a, module);
    const std::int64_t n = e.type.size();
    if (n > (1 << 20)) scan.fail_at(a.at, "a list of at most 2^20 integers is required.");
    with_type(e.type.dtype, [&]<class T>(Tag<T>) {
      if constexpr (std::is_integral_v<T>) {
        for (std::int64_t i = 0; i < n; ++i) {
          T x;
          std::memcpy(&x, e.bytes.data() + (e.splat ? 0 : i * static_cast<std::int64_t>(sizeof x)), sizeof x);
          values.push_back(static_cast<std::int64_t>(x));
        }
      } else {
        scan.fail_at(a.at, "integers are required.");
      }
    });
  } else {
    scan.fail_at(a.at, "a list of integers is required.");
  }
  return values;
}

}  // namespace baton::mlir
