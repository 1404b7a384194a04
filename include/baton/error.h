#pragma once
// error: the exceptions that Baton throws. After one, everything is as before the call.
#include <stdexcept>
#include <string>

namespace baton {

/// Any error of Baton. The text says who, what was required, what was found, where, and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller's mistake: a wrong shape, dtype, axis, tree, file or option.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Our mistake: a broken invariant inside Baton. Please report it with the printed Program.
class InternalError : public Error {
 public:
  using Error::Error;
};

/// The machine's: out of memory, a device that failed, a file that could not be written.
class DeviceError : public Error {
 public:
  using Error::Error;
};

}  // namespace baton
