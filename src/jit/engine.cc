// engine: names of engines, and which one runs what names none.
#include "baton/engine.h"

#include <atomic>
#include <cstdlib>
#include <optional>

#include "base/text.h"

namespace baton {
namespace {

constexpr Engine engines[] = {Engine::reference, Engine::cpu};

std::optional<Engine> find(std::string_view name) {
  for (Engine e : engines)
    if (show(e) == name) return e;
  return std::nullopt;
}

std::atomic<Engine>& chosen() {
  static std::atomic<Engine> engine = [] {
    const char* named = std::getenv("BATON_ENGINE");
    if (!named || !*named) return Engine::cpu;
    if (const auto engine = find(named)) return *engine;
    throw UsageError("BATON_ENGINE: reference or cpu is required, found `" + std::string(named) +
                     "`.\n  Unset it to run on cpu.");
  }();
  return engine;
}

}  // namespace

std::string show(Engine engine) { return engine == Engine::cpu ? "cpu" : "reference"; }

Engine engine_named(std::string_view name, Where where) {
  if (const auto engine = find(name)) return *engine;
  std::vector<std::string> names;
  for (Engine e : engines) names.push_back(show(e));
  throw UsageError("engine: `" + std::string(name) + "` is not an engine of this build." + called_at(where) +
                   "\n  There are: " + join(names, ", ") + ".");
}

Engine default_engine() { return chosen().load(std::memory_order_relaxed); }
void set_default_engine(Engine engine) { chosen().store(engine, std::memory_order_relaxed); }

}  // namespace baton
