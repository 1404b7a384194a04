// run: `baton run` and `baton grad` from outside: files in, files out, exit codes and messages.
#include "baton/lax.h"
#include "baton/safetensors.h"
#include "open_loop.h"
#include "tool.h"

namespace baton {
namespace {

std::vector<float> floats(const Array& a) { return a.read<float>().vector(); }
using Floats = std::vector<float>;

/// R23: an output that is the donated input, beside one that could take its memory.
const char* const doubled = R"(func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0, %a : tensor<2xf32>, tensor<2xf32>
}
)";
const char* const swapped =
    R"(func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %b, %a : tensor<2xf32>, tensor<2xf32>
}
)";
const char* const product =
    R"(func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>, %n: tensor<i32>) -> (tensor<2xf32>, tensor<i32>) {
  %0 = stablehlo.multiply %a, %b : tensor<2xf32>
  return %0, %n : tensor<2xf32>, tensor<i32>
}
)";

class Run : public Tool {
 protected:
  void inputs(NamedArrays arrays) const { save_safetensors(path("in.st"), arrays); }
  NamedArrays outputs() const { return load_safetensors(path("out.st")); }
  Said tool(const std::string& command, const std::string& program, const std::string& more = "") const {
    put("f.mlir", program);
    return baton(command + " f.mlir --in in.st --out out.st " + more);
  }
  static NamedArrays two() { return {{"in.0", Array({1.f, 2.f})}, {"in.1", Array({3.f, 4.f})}}; }
  static NamedArrays three() {
    NamedArrays a = two();
    a["in.2"] = Array(7);
    return a;
  }
};

TEST_F(Run, WritesOutputsAndIgnoresOtherKeys) {
  NamedArrays in = three();
  in["in.9"] = Array(1.f);
  in["weights"] = Array({true});
  inputs(in);
  const Said s = tool("run", product);
  EXPECT_EQ(s.code, 0) << s.err;
  EXPECT_EQ(s.out + s.err, "");
  const NamedArrays out = outputs();
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(floats(out.at("out.0")), (Floats{3, 8}));
  EXPECT_EQ(out.at("out.1").item<int>(), 7);
}

TEST_F(Run, R23_DonatedInputsThatAreOutputs) {
  inputs({{"in.0", Array({1.f, 2.f})}});
  Said s = tool("run", doubled, "--donate 0 --report");
  EXPECT_EQ(s.code, 0) << s.err;
  EXPECT_EQ(floats(outputs().at("out.0")), (Floats{2, 4}));
  EXPECT_EQ(floats(outputs().at("out.1")), (Floats{1, 2}));
  EXPECT_EQ(s.err.substr(0, s.err.find("peak memory of arrays: ")), "in.0 f32[2]: it is out.1, 8 bytes\n");
  EXPECT_TRUE(s.err.ends_with(" bytes\n"));

  inputs(two());
  s = tool("run", swapped, "--donate 0,1");
  EXPECT_EQ(s.code, 0) << s.err;
  EXPECT_EQ(floats(outputs().at("out.0")), (Floats{3, 4}));
  EXPECT_EQ(floats(outputs().at("out.1")), (Floats{1, 2}));
}

TEST_F(Run, TheReportNamesEachDonatedInput) {
  inputs(three());
  const Said s = tool("run", product, "--donate 2 --donate 1 --report --engine reference");
  EXPECT_EQ(s.code, 0) << s.err;
  EXPECT_EQ(s.err.substr(0, s.err.find("peak")),
            "in.1 f32[2]: its memory is reused by out.0, 8 bytes\nin.2 s32[]: it is out.1, 4 bytes\n");
}

/// Two inputs that change places in another shape are read to the end: their plan takes neither's memory.
TEST_F(Run, TheReportIsWhatThePlanDoes) {
  save_safetensors(
      path("in.st"),
      {{"in.0", lax::full({2, 3}, 0.f)}, {"in.1", lax::full({3, 2}, 0.f)}, {"in.2", lax::full({5}, 0.f)}});
  const char* const turned =
      R"(func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<5xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>) {
  %0 = stablehlo.reshape %b : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<3x2xf32>
}
)";
  Said s = tool("run", turned, "--donate 0,1,2 --report --engine cpu");
  EXPECT_EQ(s.code, 0) << s.err;
  EXPECT_EQ(s.err.substr(0, s.err.find("peak")),
            "in.0 f32[2,3]: not usable: it is still read when out.0 is made, 24 bytes\n"
            "in.1 f32[3,2]: not usable: it is still read when out.1 is made, 24 bytes\n"
            "in.2 f32[5]: not usable: no output of type f32[5] is left, 20 bytes\n");
}

/// The program's name stands before the message once, and arrays are called as in the file.
TEST_F(Run, RefusedMemoryIsNamed) {
  save_safetensors(path("in.st"), {{"in.0", lax::full({2}, 0.f)}});
  const Said s = tool("run", R"(func.func @main(%a: tensor<2xf32>) -> tensor<4398046511104x2xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2xf32>) -> tensor<4398046511104x2xf32>
  return %0 : tensor<4398046511104x2xf32>
}
)",
                      "--engine cpu");
  EXPECT_EQ(s.code, 1);
  EXPECT_EQ(
      s.err,
      R"(baton: run: a call takes 32.0 TiB beside its arguments (results 32.0 TiB, arena 0 B), and the system refuses it. Nothing has run.
  The largest values at its peak:
    32.0 TiB  f32[4398046511104,2]  broadcast_in_dim at f.mlir:2
    8 B  f32[2]  in.0
  Take less at once (a smaller batch, scan over parts), or keep less (checkpoint, donation).
)");
}

TEST_F(Run, Gradients) {
  NamedArrays in = three();
  in["ct.0"] = Array({1.f, 10.f});
  inputs(in);
  const Said s = tool("grad", product);
  EXPECT_EQ(s.code, 0) << s.err;
  const NamedArrays out = outputs();
  ASSERT_EQ(out.size(), 4u);  // none for the integer
  EXPECT_EQ(floats(out.at("out.0")), (Floats{3, 8}));
  EXPECT_EQ(floats(out.at("grad.0")), (Floats{3, 40}));
  EXPECT_EQ(floats(out.at("grad.1")), (Floats{1, 20}));
  EXPECT_TRUE(out.contains("out.1"));
}

TEST_F(Run, Tangents) {
  NamedArrays in = three();
  in["tan.0"] = Array({1.f, 0.f});
  in["tan.1"] = Array({0.f, 1.f});
  inputs(in);
  const Said s = tool("grad", product, "--jvp");
  EXPECT_EQ(s.code, 0) << s.err;
  const NamedArrays out = outputs();
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(floats(out.at("jvp.0")), (Floats{3, 2}));
}

TEST_F(Run, FailuresExitWithOneAndSayWhy) {
  inputs(two());
  const auto fails = [&](const Said& s, const std::string& message) {
    EXPECT_EQ(s.code, 1);
    EXPECT_EQ(s.out, "");
    EXPECT_EQ(s.err, "baton: " + message + "\n");
    EXPECT_FALSE(std::filesystem::exists(path("out.st")));
  };
  fails(tool("run", product), "in.st: the array `in.2` of type s32[] is required, but it is not there.");
  NamedArrays wrong = three();
  wrong["in.1"] = Array({1.f});
  inputs(wrong);
  fails(tool("run", product), "in.st: the array `in.1` must be f32[2], found f32[1].");
  inputs(three());
  fails(tool("grad", product), "in.st: the array `ct.0` of type f32[2] is required, but it is not there.");
  fails(tool("grad", product, "--jvp"),
        "in.st: the array `tan.0` of type f32[2] is required, but it is not there.");
  fails(baton("run none.mlir --in in.st --out out.st"),
        "stablehlo: none.mlir cannot be opened: No such file or directory.\n  Check the path.");
  fails(baton("run . --in in.st --out out.st"),
        "stablehlo: . cannot be read: Is a directory.\n  Check the path.");
  fails(tool("run", "func.func @f() { return }"), "f.mlir: there is no function @main; there are @f.");
  fails(tool("run", "func.func @main() { %0 = tosa.add : tensor<f32> return }"),
        "f.mlir:1:26: `tosa.add` is not an operation that Baton reads.\n"
        "  Lower the program to StableHLO for the CPU: jax.jit(f).lower(x).as_text().");
}

TEST_F(Run, BadFilesOfArrays) {
  put("f.mlir", product);
  Said s = baton("run f.mlir --in none.st --out out.st");
  EXPECT_EQ(s.code, 1);
  EXPECT_EQ(s.err,
            "baton: safetensors: none.st cannot be opened: No such file or directory.\n  Check the path.\n");
  put("in.st", "1234");
  s = baton("run f.mlir --in in.st --out out.st");
  EXPECT_EQ(s.code, 1);
  EXPECT_EQ(s.err,
            "baton: safetensors: in.st: byte 4: 8 bytes of header length are required; the file ends.\n");
  inputs(three());
  s = baton("run f.mlir --in in.st --out none/out.st");
  EXPECT_EQ(s.code, 1);
  EXPECT_EQ(s.err, "baton: safetensors: none/out.st cannot be written: No such file or directory.\n");
}

/// A device stays one, a pipe is written, and a link still leads where it led.
TEST_F(Run, OutputsThatAreNotFiles) {
  put("f.mlir", swapped);
  inputs(two());
  EXPECT_EQ(baton("run f.mlir --in in.st --out /dev/null").code, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const Said s = run(BATON_TOOL " run f.mlir --in in.st --out /dev/stdout | cat");
  EXPECT_EQ(s.code, 0) << s.err;
  EXPECT_EQ(floats(load_safetensors(put("piped.st", s.out)).at("out.0")), (Floats{3, 4}));
  put("file.st", "old");
  std::filesystem::create_symlink("file.st", path("out.st"));
  EXPECT_EQ(baton("run f.mlir --in in.st --out out.st").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("out.st")));
  EXPECT_EQ(floats(load_safetensors(path("file.st")).at("out.0")), (Floats{3, 4}));
  EXPECT_EQ(baton("run f.mlir --in in.st --out .").code, 1);
}

/// Large inputs are views of the file, whose bytes stay as they are.
TEST_F(Run, DonatedInputsOfALargeFile) {
  const Floats one(400000, 1.f), two(400000, 2.f);
  inputs({{"in.0", Array(one, {400000})}, {"in.1", Array(two, {400000})}});
  const Said s = tool(
      "run",
      R"(func.func @main(%a: tensor<400000xf32>, %b: tensor<400000xf32>) -> (tensor<400000xf32>, tensor<400000xf32>) {
  %0 = stablehlo.add %a, %b : tensor<400000xf32>
  return %0, %a : tensor<400000xf32>, tensor<400000xf32>
}
)",
      "--donate 0,1");
  EXPECT_EQ(s.code, 0) << s.err;
  EXPECT_EQ(floats(outputs().at("out.0")), Floats(400000, 3.f));
  EXPECT_EQ(floats(outputs().at("out.1")), one);
  EXPECT_EQ(floats(load_safetensors(path("in.st")).at("in.1")), two);
}

TEST_F(Run, ALoopWithoutReverseModeIsNamedByItsLine) {
  inputs({{"in.0", Array(3.f)}, {"ct.0", Array(1.f)}, {"tan.0", Array(1.f)}});
  const Said s = tool("grad", open_loop);
  EXPECT_EQ(s.code, 1);
  EXPECT_EQ(
      s.err,
      "baton: while: reverse mode is not possible through this operation.\n"
      "  for the operation at f.mlir:2\n"
      "  Give while_loop a bound with {.max_steps = n}, or use scan or fori_loop; in a program of a file, a "
      "loop of fixed length.\n");
  EXPECT_EQ(tool("grad", open_loop, "--jvp").code, 0);
  EXPECT_EQ(outputs().at("jvp.0").item(), 64.f);
}

TEST_F(Run, APlanNeedsNoInputs) {
  put("f.mlir", R"(func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.sine %a : tensor<64xf32>
  %1 = stablehlo.multiply %0, %a : tensor<64xf32>
  return %1 : tensor<64xf32>
}
)");
  const Said plain = baton("plan f.mlir"), donated = baton("plan f.mlir --donate 0");
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_NE(plain.out.find("peak 512 B: arguments 256 B, results 256 B, arena 0 B\n"), std::string::npos)
      << plain.out;
  EXPECT_NE(plain.out.find("256 B  f32[64]  in.0\n"), std::string::npos) << plain.out;
  EXPECT_NE(plain.out.find("the arena at each step:\n"), std::string::npos) << plain.out;
  EXPECT_NE(donated.out.find("arguments 256 B, results 0 B"), std::string::npos) << donated.out;
  EXPECT_EQ(baton("plan f.mlir --donate 1").code, 2);
}

TEST_F(Run, AWrongEngineInTheEnvironmentIsNamed) {
  const char* const before = std::getenv("BATON_ENGINE");
  const std::string saved = before ? before : "";
  setenv("BATON_ENGINE", "gpu", 1);
  const Said s = baton("info");
  setenv("BATON_ENGINE", saved.c_str(), 1);
  EXPECT_EQ(s.code, 2);
  EXPECT_EQ(s.err,
            "baton: BATON_ENGINE: reference or cpu is required, found `gpu`.\n  Unset it to run on cpu.\n");
}

TEST_F(Run, WrongOptionsExitWithTwo) {
  inputs(two());
  Said s = tool("run", swapped, "--engine gpu");
  EXPECT_EQ(s.code, 2);
  EXPECT_EQ(s.err, "baton: --engine: `gpu` is not an engine of this build.\n  There are: reference, cpu.\n");
  s = tool("run", swapped, "--donate 0,2");
  EXPECT_EQ(s.code, 2);
  EXPECT_EQ(s.err, "baton: --donate: there is no input 2; f.mlir has 2, counted from 0.\n");
  EXPECT_EQ(tool("run", swapped, "--donate -1").code, 2);
  EXPECT_EQ(tool("run", swapped, "--unheard-of").code, 2);
  for (const char* line : {"", "run", "run f.mlir", "run f.mlir --in in.st", "fly", "check", "info more"})
    EXPECT_EQ(baton(line).code, 2) << line;
  EXPECT_EQ(baton("--help").code, 0);
  EXPECT_EQ(baton("grad --help").code, 0);
}

TEST_F(Run, InfoNamesEnginesLibrariesAndLicences) {
  const Said s = baton("info");
  EXPECT_EQ(s.code, 0);
  for (const char* text :
       {"baton ", " (Apache-2.0)\n", "\nengines: reference, cpu\n", "\ncpu features:", "\nlibraries:\n",
        "\n  nlohmann-json ", "\n  xxHash ", "\n  Boost.Math ", "\n  zlib ", "\n  LLVM ", "\n  CLI11 ",
        " (MIT)\n", " (BSD-2-Clause)\n", " (BSL-1.0)\n", " (Zlib)\n", " (BSD-3-Clause)\n",
        "\nprimitives: ", ", without a kernel on reference: "})
    EXPECT_NE(s.out.find(text), std::string::npos) << text << "\n" << s.out;
}

TEST_F(Run, AnswersThatFindNoPlaceAreErrors) {
  put("f.mlir", swapped);
  for (const char* command : {"info", "check f.mlir", "--help"}) {
    const Said s = run("{ " BATON_TOOL " " + std::string(command) + " > /dev/full; echo $? 1>&2; }");
    EXPECT_EQ(s.err, "baton: the standard output cannot be written.\n1\n") << command;
  }
}

TEST_F(Run, UnknownCommandsAreNamed) {
  const Said s = baton("bogus f.mlir");
  EXPECT_EQ(s.code, 2);
  EXPECT_EQ(
      s.err,
      "baton: `bogus` is not a command; there are run, grad, plan, check, info.\nRun with --help for more "
      "information.\n");
  EXPECT_EQ(baton("").code, 2);
  inputs(two());
  EXPECT_EQ(tool("run", swapped, "--donate ''").code, 2);
  EXPECT_EQ(tool("run", swapped, "--donate ,").code, 2);
}

}  // namespace
}  // namespace baton
