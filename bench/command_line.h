#pragma once
// command_line: what the programs here have in common for whoever calls them.
#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace bench {

void add_engine(CLI::App&, std::string& engine);
void add_seconds(CLI::App&, double& seconds, const std::string& text);
void add_threads(CLI::App&, int& threads, const std::string& text);
/// Reads the arguments and runs. Returns the exit status: 2 if they are wrong, 1 if the run throws, whose
/// message goes to standard error.
int run_program(CLI::App&, int argc, char** argv, const std::function<void()>& run);

}  // namespace bench
