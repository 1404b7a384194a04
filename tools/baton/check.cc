// check: one line for each file, then how many passed, failed and were skipped.
#include <iostream>

#include "commands.h"
#include "interop/stablehlo/verdict.h"

namespace baton::tool {

int check(const std::vector<std::string>& files, const std::string& engine) {
  require_engine(engine);
  using Kind = stablehlo::Verdict::Kind;
  int passed = 0, failed = 0, skipped = 0;
  for (const std::string& file : files) {
    const stablehlo::Verdict v = stablehlo::check_file(file);
    std::string reason = v.reason;
    for (std::size_t i = 0; (i = reason.find('\n', i)) != std::string::npos;) {  // one line
      std::size_t end = i;
      while (end < reason.size() && (reason[end] == '\n' || reason[end] == ' ')) ++end;
      reason.replace(i, end - i, " ");
    }
    if (v.kind == Kind::ok) {
      ++passed;
      std::cout << "ok " << file << "\n";
    } else if (v.kind == Kind::failed) {
      ++failed;
      std::cout << "FAIL " << file << ": " << reason << "\n";
    } else {
      ++skipped;
      std::cout << "unsupported " << file << ": " << reason << "\n";
    }
    std::cout.flush();
  }
  std::cout << passed << " passed, " << failed << " failed, " << skipped << " skipped\n";
  return failed == 0 && skipped == 0 ? 0 : 1;
}

}  // namespace baton::tool
