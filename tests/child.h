#pragma once
// child: a test that runs itself once more, as another process, and compares what both say.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "baton/array.h"

namespace baton::testing {

inline bool is_child() { return std::getenv("BATON_TEST_CHILD") != nullptr; }

/// The command that runs these tests of this program alone, as a child.
inline std::string command_of_child(const std::string& tests, const std::string& environment = "") {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  return environment + " BATON_TEST_CHILD=1 '" + self + "' --gtest_filter='" + tests + "'";
}

/// What the child prints; `streams` says where its output goes, as a shell does.
inline std::string output_of_child(const std::string& tests, const std::string& environment = "",
                                   const std::string& streams = "") {
  std::FILE* child = popen((command_of_child(tests, environment) + " " + streams).c_str(), "r");
  if (!child) return "";
  std::string output;
  char part[4096];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, child)) > 0;) output.append(part, n);
  pclose(child);
  return output;
}

/// How the child ends; it prints nothing.
inline int status_of_child(const std::string& tests, const std::string& environment = "") {
  return std::system((command_of_child(tests, environment) + " >/dev/null 2>&1").c_str());
}

/// A number of all bits of arrays.
class BitsOf {
 public:
  void add(const Array& a) {
    const auto* bytes = static_cast<const unsigned char*>(a.data());
    for (std::size_t i = 0; i < a.type().bytes(); ++i) hash_ = (hash_ ^ bytes[i]) * 1099511628211u;
  }
  /// "name 0123456789abcdef", a line.
  std::string text(const std::string& name) const {
    char digits[32];
    std::snprintf(digits, sizeof digits, " %016llx\n", static_cast<unsigned long long>(hash_));
    return name + digits;
  }

 private:
  std::uint64_t hash_ = 1469598103934665603u;
};

}  // namespace baton::testing
