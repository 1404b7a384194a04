#pragma once
// verdict: runs the functions of files that hold their own checks.
#include <string>

namespace baton::stablehlo {

struct Verdict {
  enum class Kind { ok, failed, unsupported } kind = Kind::ok;
  std::string reason;
};

/// Runs every function without arguments that no other function calls, in every module of the file, and
/// judges its checks. Never throws for what a file holds.
Verdict check_file(const std::string& path);
Verdict check_text(std::string text, const std::string& name);

}  // namespace baton::stablehlo
