// text: small pieces of messages.
#include "base/text.h"

#include <charconv>
#include <cmath>
#include <ostream>

#include "baton/type.h"

namespace baton {
namespace {
template <class T>
std::string show_list(const std::vector<T>& values) {
  std::string s = "(";
  for (std::size_t i = 0; i < values.size(); ++i) s += (i ? "," : "") + std::to_string(values[i]);
  return s + ")";
}
}  // namespace

std::string show(const std::vector<std::int64_t>& values) { return show_list(values); }
std::string show(const std::vector<int>& values) { return show_list(values); }

std::string show(const Type& type) {
  std::string s(name_of(type.dtype));
  s += "[";
  for (std::size_t i = 0; i < type.shape.size(); ++i) s += (i ? "," : "") + std::to_string(type.shape[i]);
  return s + "]";
}

std::ostream& operator<<(std::ostream& out, const Type& type) { return out << show(type); }

std::string show(Where where) {
  if (!where.known()) return "an unknown line";
  std::string_view file = where.file;
  return std::string(file.substr(file.find_last_of('/') + 1)) + ":" + std::to_string(where.line);
}

namespace {
thread_local const TracedCall* traced_call = nullptr;
}
TracedCall::TracedCall(Where where) : where_(where), outer_(traced_call) { traced_call = this; }
TracedCall::~TracedCall() { traced_call = outer_; }
Where TracedCall::innermost() { return traced_call ? traced_call->where_ : Where{}; }

std::string while_tracing(Where where) {
  std::string text;
  for (const TracedCall* c = traced_call; c; c = c->outer_) {
    if (!c->where_.known() || show(c->where_) == show(where)) continue;
    text += (text.empty() ? ", while tracing for the call at " : ", in the call at ") + show(c->where_);
  }
  return text;
}
std::string called_at(Where where) {
  if (where.known()) return "\n  called at " + show(where) + while_tracing(where);
  const std::string calls = while_tracing(where);
  return calls.empty() ? "" : "\n  " + calls.substr(2);
}

std::string show_real(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[32];
  auto [end, error] = std::to_chars(text, text + sizeof text, value);
  std::string s(text, end);
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string s;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i) s += separator;
    s += parts[i];
  }
  return s;
}

std::string bytes_text(std::int64_t bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 4) value /= 1024, ++unit;
  char text[32];
  auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, unit ? 1 : 0);
  return std::string(text, end) + " " + units[unit];
}

void internal_error(const std::string& what, const char* file, int line) {
  throw InternalError("baton: internal error: " + what + " (at " + show(Where{file, line}) +
                      "). This is a fault of Baton; please report it with the printed Program.");
}

}  // namespace baton
