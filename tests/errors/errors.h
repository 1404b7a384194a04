#pragma once
// errors: what the tests of user mistakes share.
#include <gtest/gtest.h>

#include <regex>

#include "baton/baton.h"
#include "error_of.h"

namespace baton {

/// The message of the UsageError that f throws, or of the DeviceError, with LINE for lines of the tests.
inline std::string numberless(FunctionRef<void()> f) {
  std::string text;
  try {
    text = error_of(f);
  } catch (const DeviceError& e) {
    text = e.what();
  }
  return std::regex_replace(text, std::regex("(_errors_test.cc:)\\d+"), "$1LINE");
}

/// The message without the line of the call, which must be a line of the test.
inline std::string said(FunctionRef<void()> f) {
  std::string text = numberless(f);
  const auto at = text.find("\n  called at ");
  if (at == std::string::npos) return "no line: " + text;
  const auto end = text.find('\n', at + 1);
  if (text.substr(at, end - at).find("_errors_test.cc:LINE") == std::string::npos)
    return "another line: " + text;
  return text.erase(at, end - at);
}

/// A line of the user's code that all of these tests pretend to call from, where a function takes one.
inline constexpr Where train{"src/train.cc", 41};

}  // namespace baton

/// The statement fails with exactly this message.
#define EXPECT_MESSAGE(statement, text) EXPECT_EQ(baton::numberless([&] { statement; }), text)

/// The statement fails with this message and names the line that it stands on; the tables of the tests.
#define SAYS(statement, text) EXPECT_EQ(baton::said([&] { statement; }), text)
