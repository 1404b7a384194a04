// dump: what BATON_DUMP leaves of a Program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "baton/baton.h"
#include "engines/cpu/cpu.h"

namespace baton {
namespace {

namespace fs = std::filesystem;

class Dump : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_), setenv("BATON_DUMP", folder_.c_str(), 1); }
  void TearDown() override { unsetenv("BATON_DUMP"), fs::remove_all(folder_); }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(of_program())) found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }
  std::string text(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(of_program() / name).rdbuf();
    return text.str();
  }

 private:
  fs::path of_program() const {
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.is_directory()) return entry.path();
    return {};
  }

 protected:
  const fs::path folder_ = fs::path(::testing::TempDir()) / "baton_dump";
};

TEST_F(Dump, HasAFileForEachPassTheCodeAndThePlan) {
  const Program program = Program::parse(R"({ a:f32[100] ->
    b:f32[100] = add a a
    c:f32[100] = mul b b
    return c })");
  cpu::compile(program, {});
  EXPECT_EQ(names(),
            (std::vector<std::string>{"00_traced.txt", "01_inline_calls.txt", "02_simplify.txt",
                                      "03_merge_equal.txt", "04_drop_unused.txt", "05_fold_layouts.txt",
                                      "06_set_updates_apart.txt", "07_reduce_in_parts.txt", "08_fuse.txt",
                                      "09_recompute.txt", "10_code.txt", "11_plan.txt"}));
  EXPECT_EQ(text("00_traced.txt"), program.text() + "\n");
  EXPECT_EQ(Program::parse(text("08_fuse.txt")).equation_count(), 1u);
  EXPECT_NE(text("10_code.txt").find(":f32x16 = mul "), std::string::npos) << text("10_code.txt");
  EXPECT_TRUE(text("11_plan.txt").starts_with(R"(arena of 0 bytes
input 0: a f32[100]
step 0: equation 0, fused
  reads  a f32[100] in input 0
  writes b f32[100] in output 0
output 0: b

peak )"))
      << text("11_plan.txt");
}

/// So that a folder's Program is known without a look into it.
TEST_F(Dump, TheIndexSaysWhichProgramIsWhose) {
  const int line = __LINE__ + 1;
  const Program program = trace([](const Array& x) { return lax::sin(x) + 1.f; }, abstract({f32, {2}}));
  cpu::compile(program, {});
  std::stringstream index;
  index << std::ifstream(folder_ / "index.txt").rdbuf();
  EXPECT_EQ(index.str().substr(16), "  " + std::to_string(program.equation_count()) +
                                        " equations, from dump_test.cc:" + std::to_string(line) + "\n");
}

/// A call that donates has another Plan, which does not overwrite the first one's; eager operations stand
/// apart.
TEST_F(Dump, EachDonationHasAFolderOfItsOwn) {
  const Program program = trace([](const Array& x, const Array& y) { return lax::sin(x) * y + 1.f; },
                                abstract({f32, {2}}), abstract({f32, {2}}));
  cpu::compile(program, {});
  cpu::compile(program, {0, -1});
  const Array operation = lax::cos(Array({1.f, 2.f, 3.f, 4.f, 5.f}));
  std::ifstream index(folder_ / "index.txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(index, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_FALSE(lines[0].ends_with("donated"));
  EXPECT_TRUE(lines[1].ends_with(", 1 of 2 inputs donated")) << lines[1];
  const auto plan_of = [&](const std::string& line) {
    std::stringstream text;
    text << std::ifstream(folder_ / line.substr(0, 16) / "11_plan.txt").rdbuf();
    return text.str();
  };
  EXPECT_EQ(plan_of(lines[0]).find("becomes"), std::string::npos) << plan_of(lines[0]);
  EXPECT_NE(plan_of(lines[1]).find("becomes"), std::string::npos) << plan_of(lines[1]);
  EXPECT_TRUE(fs::is_directory(folder_ / "operations"));
}

TEST_F(Dump, WhatCannotBeWrittenChangesNothing) {
  const fs::path file = fs::path(::testing::TempDir()) / "no_folder";
  std::ofstream(file) << "a file";
  setenv("BATON_DUMP", file.c_str(), 1);
  const ExecutablePtr executable =
      cpu::compile(Program::parse("{ a:f32[2] ->\n b:f32[2] = sin a\n return b }"), {});
  EXPECT_EQ(executable->result_count(), 1u);
  fs::remove(file);
}

}  // namespace
}  // namespace baton
