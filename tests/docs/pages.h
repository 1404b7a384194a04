#pragma once
// pages: what the tests of documents share.
#include <iostream>
#include <regex>
#include <sstream>
#include <string>

#include "error_of.h"

namespace baton {

inline std::string without_lines(const std::string& text) {  // LINE for lines of the tests
  return std::regex_replace(text, std::regex("(_test.cc:)\\d+"), "$1LINE");
}

/// What is written to standard output while it lives.
class Output {
 public:
  Output() : before_(std::cout.rdbuf(text_.rdbuf())) {}
  ~Output() { std::cout.rdbuf(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

}  // namespace baton
