#pragma once
// commands: one function for each command; each returns the exit code 0 (all well), 1 (some failure) or 2
// (usage).
#include <string>
#include <vector>

namespace baton::tool {

struct RunOptions {
  std::string program, in, out, engine = "reference";
  std::vector<int> donate;
  bool report = false;
  bool jvp = false;  // of grad
};

int run(const RunOptions&);
int grad(const RunOptions&);
int check(const std::vector<std::string>& files, const std::string& engine);
int info();

/// Throws a UsageError where this build does not have the engine.
void require_engine(const std::string& name);

}  // namespace baton::tool
