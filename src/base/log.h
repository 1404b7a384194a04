#pragma once
// log: lines on standard error that the environment asks for.
#include <string>

namespace baton {

bool log_compiles();                // BATON_LOG_COMPILES=1
void log(const std::string& line);  // "baton: line"

}  // namespace baton
