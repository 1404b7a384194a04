#pragma once
// engine: what runs Programs.
#include <string>
#include <string_view>

#include "baton/where.h"

namespace baton {

enum class Engine {
  reference,  // walks a Program equation by equation: slow, obvious, right
  cpu,        // plans memory and runs compiled kernels
};
std::string show(Engine);
/// The engine of this name; errors name those that there are.
Engine engine_named(std::string_view name, Where where = Where::here());

/// The engine of calls that name none: what `set_default_engine` said last, or else BATON_ENGINE in the
/// environment, or else the cpu.
Engine default_engine();
void set_default_engine(Engine);

}  // namespace baton
