#pragma once
// commands: one function for each command; each returns the exit code 0 (all well) or 1 (some failure), and
// throws an OptionError, which ends in 2, where the options themselves are wrong.
#include <stdexcept>
#include <string>
#include <vector>

#include "baton/engine.h"

namespace baton::tool {

struct RunOptions {
  std::string program, in, out, engine = show(default_engine());
  std::vector<int> donate;
  bool report = false;
  bool jvp = false;  // of grad
};

struct OptionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int run(const RunOptions&);
int grad(const RunOptions&);
int plan(const RunOptions&);
int check(const std::vector<std::string>& files, const std::string& engine);
int info();

/// Throws an OptionError where this build does not have the engine.
void require_engine(const std::string& name);

}  // namespace baton::tool
