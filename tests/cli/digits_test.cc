// digits: the main job as ./run runs it.
#include <regex>

#include "tool.h"

namespace baton {
namespace {

class Digits : public Tool {
 protected:
  Said digits(const std::string& arguments) const { return run(BATON_DIGITS " " + arguments); }
};

TEST_F(Digits, TrainsToMoreThan95PercentAndShowsWhatAStepCosts) {
  const Said s = digits("--epochs 12");
  EXPECT_EQ(s.code, 0) << s.err;
  std::smatch epoch, last;
  ASSERT_TRUE(std::regex_search(s.out, epoch,
                                std::regex("\nepoch 12/12  loss [0-9.]+  held-out accuracy ([0-9.]+) %\n")))
      << s.out;
  EXPECT_GT(std::stod(epoch[1]), 95.0);
  EXPECT_TRUE(std::regex_search(
      s.out, last,
      std::regex("\nnext step: 0 traces, 0 compiles, [0-9]+ allocations, 0 copies, 0 denied donations\n"
                 "peak of a step beside its arguments, state donated: planned ([0-9]+) bytes, measured \\1\n"
                 "peak of a step beside its arguments, state kept: planned ([0-9]+) bytes, measured \\2\n$")))
      << s.out;
  EXPECT_LT(std::stoul(last[1]), std::stoul(last[2]));
  EXPECT_NE(s.out.find("\nso far: 3 traces, 2 compiles, "), std::string::npos) << s.out;
  EXPECT_NE(s.out.find("\nthe last step: donated "), std::string::npos) << s.out;
}

/// A terminal gets a bar that grows in its line; a file gets whole lines only.
TEST_F(Digits, ATerminalSeesABar) {
  const Said s = run("script -qec '" BATON_DIGITS " --epochs 1 --batch 719' /dev/null </dev/null");
  EXPECT_EQ(s.code, 0) << s.err;
  for (const char* bar : {"\repoch  1/1 [===============...............]   1/2  loss ",
                          "\repoch  1/1 [==============================]   2/2  loss "})
    EXPECT_NE(s.out.find(bar), std::string::npos) << s.out;
  EXPECT_EQ(digits("--epochs 1 --batch 719").out.find('\r'), std::string::npos);
}

TEST_F(Digits, TheSeedDecides) {
  const std::string first = digits("--epochs 1 --batch 300 --seed 3").out;
  EXPECT_EQ(digits("--epochs 1 --batch 300 --seed 3").out, first);
  EXPECT_NE(digits("--epochs 1 --batch 300 --seed 4").out, first);
}

TEST_F(Digits, CompilesAreLogged) {
  EXPECT_EQ(digits("--epochs 1 --batch 1438").err, "");
  const Said s = run("BATON_LOG_COMPILES=1 " BATON_DIGITS " --epochs 1 --batch 1438");
  const std::string number = "[0-9]+", time = "[0-9.]+ ms\n";
  EXPECT_TRUE(std::regex_search(
      s.err,
      std::regex("^baton: traced `train` \\(jit at digits.cc:" + number + "\\): " + number + " equations, " +
                 time + "baton: compiled a Program of " + number + " equations in " + time +
                 "baton: traced `accuracy` \\(jit at digits.cc:" + number + "\\): " + number +
                 " equations, " + time + "baton: compiled a Program of " + number + " equations in " + time +
                 "baton: compiled a Program of " + number + " equations in " + time + "$")))  // state kept
      << s.err;
}

TEST_F(Digits, WrongOptionsAreRefused) {
  for (const auto& [line, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"--epoch 3", "The following arguments were not expected: "},
           {"--epochs none", "--epochs: Value none not in range 1 to 10000\n"},
           {"--epochs 0", "--epochs: Value 0 not in range 1 to 10000\n"},
           {"--batch 2000", "--batch: Value 2000 not in range 1 to 1438\n"},
           {"--engine gpu", "--engine: gpu not in {reference,cpu}\n"}}) {
    const Said s = digits(line);
    EXPECT_EQ(s.code, 2) << line;
    EXPECT_NE(s.err.find(message), std::string::npos) << s.err;
    EXPECT_NE(s.err.find("Run with --help for more information."), std::string::npos) << s.err;
  }
  const Said help = digits("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* option : {"--epochs", "--batch", "--engine", "--seed"})
    EXPECT_NE(help.out.find(option), std::string::npos) << help.out;
}

TEST_F(Digits, BadDataIsNamed) {
  EXPECT_EQ(digits("--data .").err,
            "digits: cannot read ./digits.csv.\n  Give the folder of digits.csv with --data.\n");
  std::string row = "1";
  for (int i = 0; i < 64; ++i) row += ",1";
  put("digits.csv", row + "\n" + row + ",1\n");
  Said s = digits("--data .");
  EXPECT_EQ(s.code, 1);
  EXPECT_EQ(s.err, "digits: line 2 of ./digits.csv must have 65 numbers, found 66.\n");
  put("digits.csv", row + "\n" + row.substr(0, row.size() - 1) + "x\n");
  s = digits("--data .");
  EXPECT_EQ(s.code, 1);
  EXPECT_EQ(s.err, "digits: line 2 of ./digits.csv must hold whole numbers, found `x`.\n");
}

}  // namespace
}  // namespace baton
