// log: lines on standard error that the environment asks for.
#include "base/log.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace baton {

bool log_compiles() {
  static const bool on = [] {
    const char* value = std::getenv("BATON_LOG_COMPILES");
    return value && *value && std::strcmp(value, "0") != 0;
  }();
  return on;
}

void log(const std::string& line) { std::fprintf(stderr, "baton: %s\n", line.c_str()); }

}  // namespace baton
