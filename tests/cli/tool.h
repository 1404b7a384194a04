#pragma once
// tool: runs a program as a shell would, and gives what it says.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace baton {

struct Said {
  int code = -1;
  std::string out, err;
};

inline std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A folder of the test's own.
class Tool : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             ("baton_cli_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
              "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  /// Runs a command line; the test's folder is the current one, so that messages do not depend on it.
  Said run(const std::string& command) const {
    const std::string line = "cd '" + folder.string() + "' && " + command + " >'" + path("stdout") + "' 2>'" +
                             path("stderr") + "'";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(path("stdout")),
            read_text(path("stderr"))};
  }
  Said baton(const std::string& arguments) const { return run(BATON_TOOL " " + arguments); }

  std::filesystem::path folder;
};

}  // namespace baton
