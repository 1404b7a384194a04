// main: the command line of Baton. `baton --help` names the commands.
#include <CLI/CLI.hpp>
#include <iostream>

#include "baton/error.h"
#include "commands.h"

namespace baton::tool {
namespace {

/// What was printed may still be in memory, and may not find a place.
int finish(int code) {
  std::cout.flush();
  if (std::cout) return code;
  std::cerr << "baton: the standard output cannot be written.\n";
  return code == 0 ? 1 : code;
}

int start(int argc, char** argv) {
  try {
    default_engine();  // what the environment says
  } catch (const UsageError& e) {
    std::cerr << "baton: " << e.what() << "\n";
    return 2;
  }
  CLI::App app("Runs and differentiates StableHLO programs.");
  app.name("baton");
  app.require_subcommand(1);
  RunOptions options;
  std::vector<std::string> files;

  const auto add_run_options = [&](CLI::App* command) {
    command->add_option("program", options.program, "StableHLO text")->required();
    command->add_option("--in", options.in, "safetensors file with the inputs in.0, in.1, ...")->required();
    command->add_option("--out", options.out, "safetensors file for the results")->required();
    command->add_option("--engine", options.engine, "reference or cpu")->capture_default_str();
  };
  CLI::App* run_command = app.add_subcommand("run", "Runs a program: reads in.*, writes out.*");
  add_run_options(run_command);
  run_command->add_option("--donate", options.donate, "inputs whose memory the results may take: 0,1")
      ->delimiter(',')
      ->check([](const std::string& number) { return number.empty() ? "a number is required" : ""; });
  run_command->add_flag("--report", options.report,
                        "says what became of each donated input, and the memory used");
  CLI::App* grad_command =
      app.add_subcommand("grad", "Differentiates a program: reads in.* and ct.*, writes out.* and grad.*");
  add_run_options(grad_command);
  grad_command->add_flag("--jvp", options.jvp, "forward mode: reads in.* and tan.*, writes out.* and jvp.*");
  CLI::App* plan_command =
      app.add_subcommand("plan", "Says what memory a program takes on the cpu, without running it");
  plan_command->add_option("program", options.program, "StableHLO text")->required();
  plan_command->add_option("--donate", options.donate, "inputs whose memory the results may take: 0,1")
      ->delimiter(',')
      ->check([](const std::string& number) { return number.empty() ? "a number is required" : ""; });
  CLI::App* check_command = app.add_subcommand("check", "Runs programs that hold their own checks");
  check_command->add_option("files", files, "StableHLO texts")->required();
  check_command->add_option("--engine", options.engine, "reference or cpu")->capture_default_str();
  app.add_subcommand("info", "Version, engines, primitives");
  app.set_version_flag("--version", "baton " BATON_VERSION);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const std::vector<std::string> left = app.remaining();
    if (app.get_subcommands().empty() && !left.empty()) {  // the library says only that one is required
      std::string names;
      for (const CLI::App* command : app.get_subcommands({}))
        names += (names.empty() ? "" : ", ") + command->get_name();
      std::cerr << "baton: `" << left[0] << "` is not a command; there are " << names
                << ".\nRun with --help for more information.\n";
      return 2;
    }
    const int code = app.exit(e);
    return code == 0 ? 0 : 2;
  }
  try {
    if (app.got_subcommand("run")) return run(options);
    if (app.got_subcommand("grad")) return grad(options);
    if (app.got_subcommand("plan")) return plan(options);
    if (app.got_subcommand("check")) return check(files, options.engine);
    return info();
  } catch (const OptionError& e) {
    std::cerr << "baton: " << e.what() << "\n";
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "baton: " << e.what() << "\n";
    return 1;
  }
}

}  // namespace
}  // namespace baton::tool

int main(int argc, char** argv) { return baton::tool::finish(baton::tool::start(argc, argv)); }
