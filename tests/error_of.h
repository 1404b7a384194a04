#pragma once
// error_of: what a user reads when a call goes wrong.
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

}  // namespace baton
