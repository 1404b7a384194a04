#pragma once
// error_of: what a user reads when a call goes wrong.
#include <algorithm>
#include <string>

#include "baton/array.h"
#include "baton/error.h"

namespace baton {

/// The message of the UsageError that f throws, or "no error".
inline std::string error_of(FunctionRef<void()> f) {
  try {
    f();
  } catch (const UsageError& e) {
    return e.what();
  }
  return "no error";
}

/// A message without the line of the call, or of the operation in a file.
inline std::string without_line(const std::string& text) {
  const auto at = std::min(text.find("\n  called at "), text.find("\n  for the operation at "));
  if (at == std::string::npos) return text;
  return text.substr(0, at) + text.substr(std::min(text.find('\n', at + 1), text.size()));
}
inline std::string message(FunctionRef<void()> f) { return without_line(error_of(f)); }

}  // namespace baton
