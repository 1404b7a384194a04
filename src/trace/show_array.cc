// show_array: arrays as NumPy prints them: nested brackets, columns of one width, long axes elided.
// A format is found from all elements that will be seen (the shortest digits of each, at most 8 after the
// point, and whether a scale is needed); then each element is written in it, and the text is laid out.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>

#include "base/element.h"
#include "base/text.h"
#include "trace/node.h"

namespace baton {
namespace {

constexpr std::int64_t threshold = 1000;  // of elements, above which axes are elided
constexpr std::int64_t edge = 3;          // elements that stay at each end of an elided axis
constexpr std::size_t line_width = 75;
constexpr int precision = 8;

/// The digits of a finite number and its place: 0.d1d2d3... times 10^point.
struct Digits {
  std::string digits;
  int point = 0;
  bool negative = false;
};

/// From here on a number of this type has more places than digits, and is written with an exponent.
template <class T>
constexpr double whole_limit = std::is_same_v<T, double>  ? 1e16
                               : std::is_same_v<T, float> ? 1e6
                                                          : 1e3;

template <class T>
double rounded(double x) {  // to a number of this type
  return static_cast<double>(convert_element<float>(convert_element<T>(x)));
}
template <>
double rounded<double>(double x) {
  return x;
}

/// "-1.2345e-05" with this many digits after the point, whatever the locale.
std::string scientific(double x, int digits) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, x, std::chars_format::scientific, digits).ptr};
}
/// From "-1.2345e-05".
Digits parse_scientific(std::string_view s) {
  Digits d;
  if (s[0] == '-') d.negative = true, s.remove_prefix(1);
  const std::size_t e = s.find('e');
  for (char c : s.substr(0, e))
    if (c != '.') d.digits += c;
  while (d.digits.size() > 1 && d.digits.back() == '0') d.digits.pop_back();
  d.point = (d.digits == "0" ? 0 : std::atoi(std::string(s.substr(e + 1)).c_str())) + 1;
  return d;
}

/// The fewest digits that read back as the same T.
template <class T>
Digits shortest(double x) {
  if constexpr (is_half_v<T>) {
    std::string text;
    for (int p = 0; p < 9; ++p) {
      text = scientific(x, p);
      double back = 0;
      std::from_chars(text.data(), text.data() + text.size(), back);
      if (rounded<T>(back) == x) break;
    }
    return parse_scientific(text);
  } else {
    char text[40];
    const auto end =
        std::to_chars(text, text + sizeof text, static_cast<T>(x), std::chars_format::scientific);
    return parse_scientific({text, end.ptr});
  }
}

std::string integer_part(const Digits& d) {
  std::string s = d.negative ? "-" : "";
  if (d.point <= 0) return s + "0";
  for (int i = 0; i < d.point; ++i)
    s += static_cast<std::size_t>(i) < d.digits.size() ? d.digits[static_cast<std::size_t>(i)] : '0';
  return s;
}
std::string fraction_part(const Digits& d) {  // nothing for whole numbers
  if (d.digits == "0") return "";
  std::string s;
  for (int i = d.point; i < 0; ++i) s += '0';
  const auto from = static_cast<std::size_t>(std::max(d.point, 0));
  if (from < d.digits.size()) s += d.digits.substr(from);
  return s;
}

/// x with at most `precision` digits after the point, split there; `exponent` as in "-05" for scaled ones.
struct Pieces {
  std::string whole, fraction, exponent;
};
template <class T>
Pieces plain(double x, int most) {
  const Digits d = shortest<T>(x);
  Pieces p{integer_part(d), fraction_part(d), {}};
  if (p.fraction.size() <= static_cast<std::size_t>(most)) return p;
  std::string text(400, ' ');
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::fixed, most);
  text.resize(static_cast<std::size_t>(written.ptr - text.data()));
  const std::size_t dot = text.find('.');
  p = {text.substr(0, dot), dot == std::string::npos ? "" : text.substr(dot + 1), {}};
  while (!p.fraction.empty() && p.fraction.back() == '0') p.fraction.pop_back();
  return p;
}
template <class T>
Pieces scaled(double x, int most) {
  Digits d = shortest<T>(x);
  if (d.digits.size() > static_cast<std::size_t>(most) + 1) {
    d = parse_scientific(scientific(x, most));
  }
  const int e = d.digits == "0" ? 0 : d.point - 1;
  std::string exponent = std::to_string(std::abs(e));
  if (exponent.size() < 2) exponent.insert(0, "0");
  return {(d.negative ? "-" : "") + d.digits.substr(0, 1), d.digits.substr(1),
          (e < 0 ? "-" : "+") + exponent};
}

/// How the numbers of one array are written.
template <class T>
class RealFormat {
 public:
  RealFormat(const std::vector<double>& values, bool plus) : plus_(plus) {
    double low = INFINITY, high = 0;
    bool negative_infinity = plus, special = false;
    for (double x : values) {
      if (!std::isfinite(x)) {
        special = true;
        negative_infinity = negative_infinity || (std::isinf(x) && x < 0);
      } else if (x != 0) {
        low = std::min(low, std::fabs(x));
        high = std::max(high, std::fabs(x));
      }
    }
    if (high > 0) {
      const double ratio = is_half_v<T> ? rounded<float>(high / low) : high / low;
      scaled_ = high >= std::min(1e8, whole_limit<T>) || low < rounded<T>(0.0001) || rounded<T>(ratio) > 1000;
    }
    for (double x : values) {
      if (!std::isfinite(x)) continue;
      const Pieces p = pieces(x, precision);
      left_ = std::max(left_, p.whole.size());
      right_ = std::max(right_, p.fraction.size());
      if (scaled_) exponent_ = std::max(exponent_, p.exponent.size());
    }
    digits_ = right_;
    if (scaled_) right_ += exponent_ + 1;
    if (special) {
      const std::size_t room = right_ + 1;
      for (const std::size_t need : {std::size_t{3}, std::size_t{3} + negative_infinity})
        if (need > room) left_ = std::max(left_, need - room);
    }
  }

  std::string operator()(double x) const {
    if (!std::isfinite(x)) {
      const std::string s = std::isnan(x) ? (plus_ ? "+nan" : "nan")
                            : x < 0       ? "-inf"
                            : plus_       ? "+inf"
                                          : "inf";
      const std::size_t width = left_ + 1 + right_;
      return std::string(width > s.size() ? width - s.size() : 0, ' ') + s;
    }
    Pieces p = pieces(x, static_cast<int>(digits_));
    if (scaled_) {
      // Columns are filled with the digits that the number has, not with zeros.
      const std::string s = scientific(x, static_cast<int>(digits_));
      const std::size_t e = s.find('e'), dot = std::min(s.find('.'), e);
      p = {(plus_ && s[0] != '-' ? "+" : "") + s.substr(0, dot),
           dot < e ? s.substr(dot + 1, e - dot - 1) : "", s.substr(e + 1)};
      p.exponent.insert(1, exponent_ - p.exponent.size(), '0');
      p.fraction += "e" + p.exponent;
    } else {
      p.fraction.resize(right_, ' ');
    }
    return std::string(left_ - p.whole.size(), ' ') + p.whole + "." + p.fraction;
  }

 private:
  Pieces pieces(double x, int most) const {
    Pieces p = scaled_ ? scaled<T>(x, most) : plain<T>(x, most);
    if (plus_ && p.whole[0] != '-') p.whole.insert(0, "+");
    return p;
  }
  bool plus_, scaled_ = false;
  std::size_t left_ = 0, right_ = 0, digits_ = 0, exponent_ = 0;
};

/// A number by itself: as many digits as it needs.
template <class T>
std::string alone(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  const double size = std::fabs(x);
  if (size != 0 && (size >= whole_limit<T> || size < 0.0001)) {
    const Pieces p = scaled<T>(x, 40);
    return p.whole + (p.fraction.empty() ? "" : "." + p.fraction) + "e" + p.exponent;
  }
  const Pieces p = plain<T>(x, 40);
  return p.whole + "." + (p.fraction.empty() ? "0" : p.fraction);
}

template <class T>
double number(T x) {
  if constexpr (is_half_v<T>)
    return static_cast<double>(static_cast<float>(x));
  else
    return static_cast<double>(x);
}

template <class T>
std::string scalar_text(T x) {
  if constexpr (std::is_same_v<T, bool>) {
    return x ? "True" : "False";
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(x);
  } else if constexpr (is_complex_v<T>) {
    using R = typename T::value_type;
    // A number by itself, without ".0", as C++ and Python write complex numbers.
    const auto part = [](R r) {
      std::string s = alone<R>(number(r));
      if (s.size() > 2 && s.ends_with(".0")) s.resize(s.size() - 2);
      return s;
    };
    const std::string imag = part(x.imag()) + "j";
    if (x.real() == 0 && !std::signbit(x.real())) return imag;
    return "(" + part(x.real()) + (imag[0] == '-' ? "" : "+") + imag + ")";
  } else {
    return alone<T>(number(x));
  }
}

/// The text of each element that is seen, all of one width.
template <class T>
std::vector<std::string> words(const T* data, const std::vector<std::int64_t>& seen) {
  std::vector<std::string> out;
  if constexpr (std::is_same_v<T, bool>) {
    for (std::int64_t i : seen) out.push_back(data[i] ? " True" : "False");
  } else if constexpr (std::is_integral_v<T>) {
    std::size_t width = 0;
    for (std::int64_t i : seen) width = std::max(width, std::to_string(data[i]).size());
    for (std::int64_t i : seen) {
      const std::string s = std::to_string(data[i]);
      out.push_back(std::string(width - s.size(), ' ') + s);
    }
  } else if constexpr (is_complex_v<T>) {
    using R = typename T::value_type;
    std::vector<double> re, im;
    for (std::int64_t i : seen) re.push_back(number(data[i].real())), im.push_back(number(data[i].imag()));
    const RealFormat<R> real(re, false), imag(im, true);
    for (std::size_t k = 0; k < re.size(); ++k) {
      std::string s = imag(im[k]);
      s.insert(s.find_last_not_of(' ') + 1, "j");
      out.push_back(real(re[k]) + s);
    }
  } else {
    std::vector<double> values;
    for (std::int64_t i : seen) values.push_back(number(data[i]));
    const RealFormat<T> format(values, false);
    for (double x : values) out.push_back(format(x));
  }
  return out;
}

/// Lays the words out. `next` walks over them in order.
class Layout {
 public:
  Layout(const Shape& shape, bool elide, const std::vector<std::string>& words)
      : shape_(shape), elide_(elide), words_(words) {}

  /// Without its indent, which the caller has written already.
  std::string text(std::size_t axis, const std::string& indent, std::size_t width) {
    if (axis == shape_.size()) return words_[next_++];
    const std::int64_t n = shape_[axis];
    const bool elided = elide_ && n > 2 * edge;
    const bool row = axis + 1 == shape_.size();
    std::string all, line = indent;
    for (std::int64_t i = 0; i < n; ++i) {
      const bool gap = elided && i == edge;
      const std::string item = gap ? "..." : text(axis + 1, indent + " ", width - 1);
      if (gap) i = n - edge - 1;
      if (row) {
        if (line.size() + item.size() > width - 1 && line.size() > indent.size()) {
          all += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
          line = indent;
        }
        line += item + (i + 1 < n ? " " : "");
      } else {
        all += indent + item + (i + 1 < n ? std::string(shape_.size() - axis - 1, '\n') : "");
      }
    }
    if (row) all += line;
    return "[" + all.substr(indent.size()) + "]";
  }

 private:
  const Shape& shape_;
  bool elide_;
  const std::vector<std::string>& words_;
  std::size_t next_ = 0;
};

/// Flat places of the elements that are seen, in order.
void collect(const Shape& shape, bool elide, std::size_t axis, std::int64_t at,
             std::vector<std::int64_t>& seen) {
  if (axis == shape.size()) {
    seen.push_back(at);
    return;
  }
  const std::int64_t n = shape[axis];
  for (std::int64_t i = 0; i < n; ++i) {
    if (elide && n > 2 * edge && i == edge) i = n - edge;
    collect(shape, elide, axis + 1, at * n + i, seen);
  }
}

}  // namespace

std::string show(const Array& a) {
  const Node* n = a.node();
  if (!n) return "empty array";
  if (n->kind == Node::Kind::donated) return "empty array, donated at " + show(n->where);
  if (n->kind == Node::Kind::traced) return "traced " + show(n->type);
  if (n->type.size() == 0) return "[]";
  return with_type(n->type.dtype, [&]<class T>(Tag<T>) -> std::string {
    const T* data = static_cast<const T*>(n->buffer->data);
    if (n->type.rank() == 0) return scalar_text(*data);
    const bool elide = n->type.size() > threshold;
    std::vector<std::int64_t> seen;
    collect(n->type.shape, elide, 0, 0, seen);
    const std::vector<std::string> text = words(data, seen);
    return Layout(n->type.shape, elide, text).text(0, " ", line_width);
  });
}

std::ostream& operator<<(std::ostream& out, const Array& a) { return out << show(a); }

}  // namespace baton
