// table: every operation that can be read is read by a test, most of them in tests/data/stablehlo, whose
// files hold their own checks.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "baton/engine.h"
#include "interop/stablehlo/import.h"
#include "interop/stablehlo/verdict.h"

namespace baton::stablehlo {
namespace {

namespace fs = std::filesystem;
const fs::path data = BATON_TEST_DATA;

std::vector<fs::path> files(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> list;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == extension) list.push_back(entry.path());
  std::sort(list.begin(), list.end());
  return list;
}

/// Whether a text holds a name that does not go on behind it.
bool names(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const char next = at + name.size() < text.size() ? text[at + name.size()] : ' ';
    if (!std::isalnum(static_cast<unsigned char>(next)) && next != '_') return true;
  }
  return false;
}

TEST(Table, EveryRowIsReadByATest) {
  std::vector<std::string> texts;
  for (const auto& [folder, extension] : {std::pair{data / "stablehlo", ".mlir"},
                                          {data / "grad", ".mlir"},
                                          {data.parent_path() / "interop", ".cc"}})
    for (const fs::path& file : files(folder, extension)) {
      std::ifstream in(file);
      texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
  for (const std::string& name : handled_names())
    EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [&](const std::string& t) { return names(t, name); }))
        << name << " is read by no test: add a function to a file of tests/data/stablehlo";
}

class OwnChecks : public testing::TestWithParam<fs::path> {};
TEST_P(OwnChecks, Hold) {
  const Verdict v = check_file(GetParam());
  EXPECT_EQ(v.kind, Verdict::Kind::ok) << v.reason;
}
INSTANTIATE_TEST_SUITE_P(Files, OwnChecks, testing::ValuesIn(files(data / "stablehlo", ".mlir")),
                         [](const auto& info) { return info.param.stem().string(); });

/// What only processes that run together can do is refused elsewhere, with what to do.
TEST(Table, CollectivesAloneAreRefused) {
  const Verdict v = check_text(R"(
func.func @main() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<i32>) -> tensor<i32>
  return
})",
                               "f.mlir");
  EXPECT_EQ(v.kind, Verdict::Kind::unsupported);
  EXPECT_EQ(v.reason,
            "f.mlir:4:8: `stablehlo.all_gather` speaks to other processes; it is read only at the top of the "
            "programs of interpreter.run_parallel.\n  Export the program for one device.");
}

/// One process that does not do as the others: an error with its line, whatever is wrong.
std::string together(const std::string& f, const std::string& g) {
  return "func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {\n" + f + "\n  return %0 : tensor<2xi32>\n}\n" +
         "func.func @g(%x: tensor<2xi32>) -> tensor<2xi32> {\n" + g + "\n  return %0 : tensor<2xi32>\n}\n" +
         R"(
func.func @main() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@f], [@g]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return
})";
}
std::string permute(const std::string& pairs) {
  return R"(  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = )" + pairs +
         "}> : (tensor<2xi32>) -> tensor<2xi32>";
}
std::string all_reduce(const std::string& operands, const std::string& groups, const std::string& types) {
  return R"(  %0 = "stablehlo.all_reduce"()" + operands + R"() <{replica_groups = )" + groups + R"(}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : )" +
         types + " -> tensor<2xi32>";
}
std::string reason(const std::string& f, const std::string& g) {
  return check_text(together(f, g), "f.mlir").reason;
}

TEST(Table, ProcessesThatDoNotFitAreRefused) {
  const std::string both = all_reduce("%x", "dense<[[0, 1]]> : tensor<1x2xi64>", "(tensor<2xi32>)");
  EXPECT_EQ(reason(both, both), "no check ran");
  const std::string narrow = permute("dense<[[0]]> : tensor<1x1xi64>");
  EXPECT_EQ(reason(narrow, narrow),
            "f.mlir:2:8: stablehlo.collective_permute: pairs of a source and a target are required.");
  const std::string negative = permute("dense<[[0, -1]]> : tensor<1x2xi64>");
  EXPECT_EQ(reason(negative, negative),
            "f.mlir:2:8: stablehlo.collective_permute: an id of a group is out of range.");
  const std::string twice = all_reduce("%x", "dense<[[0, 0]]> : tensor<1x2xi64>", "(tensor<2xi32>)");
  EXPECT_EQ(reason(twice, twice), "f.mlir:2:8: stablehlo.all_reduce: a group names a process twice.");
  const std::string more =
      all_reduce("%x, %x", "dense<[[0, 1]]> : tensor<1x2xi64>", "(tensor<2xi32>, tensor<2xi32>)");
  EXPECT_EQ(
      reason(more, both),
      "f.mlir:2:8: stablehlo.all_reduce: the processes of a group must bring operands of the same types.");
  EXPECT_EQ(reason(both, permute("dense<[[0, 1]]> : tensor<1x2xi64>")),
            "f.mlir:16:10: interpreter.run_parallel: the processes wait for one another.");
}

TEST(Table, AnOrgqrOfAScalarIsRefused) {
  const Verdict v = check_text(R"(
func.func @main() {
  %x = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%x) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>)
  %1 = stablehlo.custom_call @lapack_sorgqr_ffi(%0#0, %0#1) : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<f32>
  return
})",
                               "f.mlir");
  EXPECT_EQ(v.reason, "f.mlir:5:8: stablehlo.custom_call: the result must be a matrix, found f32[].");
}

/// The files again, with two characters of each changed: none may crash.
TEST(Table, ChangedFilesNeverCrash) {
  const std::string other = "%#@!{}()[]<>:,=\"x01-";
  std::uint64_t state = 1;
  const auto random = [&](std::size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % n;
  };
  for (const fs::path& file : files(data / "stablehlo", ".mlir")) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    for (int i = 0; i < 300; ++i) {
      std::string changed = text;
      for (int k = 0; k < 2; ++k) changed[random(changed.size())] = other[random(other.size())];
      check_text(changed, "f.mlir");
    }
  }
}

}  // namespace
}  // namespace baton::stablehlo
