// command_line: options with their ranges, and exit statuses.
#include "command_line.h"

#include <cstdio>

namespace bench {

void add_engine(CLI::App& app, std::string& engine) {
  app.add_option("--engine", engine, "what runs the Programs")
      ->check(CLI::IsMember({"reference", "cpu"}))
      ->capture_default_str();
}
void add_seconds(CLI::App& app, double& seconds, const std::string& text) {
  app.add_option("--seconds", seconds, text)->check(CLI::Range(0.0, 1e5))->capture_default_str();
}
void add_threads(CLI::App& app, int& threads, const std::string& text) {
  app.add_option("--threads", threads, text)->check(CLI::Range(1, 1024))->capture_default_str();
}

int run_program(CLI::App& app, int argc, char** argv, const std::function<void()>& run) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    app.exit(e);
    return e.get_exit_code() == 0 ? 0 : 2;
  }
  try {
    run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}

}  // namespace bench
