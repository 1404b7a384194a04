#pragma once
// names: what the text of a Program calls its variables.
#include "program/program.h"

namespace baton {

/// "a", "aa"; of a literal its value: "2.0:f32".
std::string name_of(const ProgramData&, Var);

}  // namespace baton
