// check: files that hold their own checks, right and wrong.
#include <gtest/gtest.h>

#include "interop/stablehlo/verdict.h"

namespace baton::stablehlo {
namespace {

using Kind = Verdict::Kind;

Verdict verdict(const std::string& text) { return check_text(text, "f.mlir"); }

/// A file that adds two vectors of n integers and compares; `wrong`: the expected element that is altered, or
/// -1.
std::string addition(int n, int wrong) {
  std::string a, b, sum;
  for (int i = 0; i < n; ++i) {
    const std::string comma = i ? ", " : "";
    a += comma + std::to_string(3 * i);
    b += comma + std::to_string(i - 7);
    sum += comma + std::to_string(4 * i - 7 + (i == wrong));
  }
  const std::string type = "tensor<" + std::to_string(n) + "xi32>";
  return "func.func @main() {\n  %a = stablehlo.constant dense<[" + a + "]> : " + type +
         "\n  %b = stablehlo.constant dense<[" + b + "]> : " + type +
         "\n  %0 = stablehlo.add %a, %b : " + type + "\n  check.expect_eq_const %0, dense<[" + sum +
         "]> : " + type + "\n  func.return\n}\n";
}
/// Close to: 3 ulp are well, 4 are not.
std::string closeness(int n, int ulps, int at) {
  std::string x, y;
  for (int i = 0; i < n; ++i) {
    char bits[16];
    const unsigned base = 0x3F800000u + 1000u * static_cast<unsigned>(i);
    std::snprintf(bits, sizeof bits, "0x%08X", base);
    x += (i ? ", " : "") + std::string(bits);
    std::snprintf(bits, sizeof bits, "0x%08X", base + (i == at ? static_cast<unsigned>(ulps) : 0));
    y += (i ? ", " : "") + std::string(bits);
  }
  const std::string type = "tensor<" + std::to_string(n) + "xf32>";
  return "func.func @main() {\n  %x = stablehlo.constant dense<[" + x + "]> : " + type +
         "\n  %y = stablehlo.constant dense<[" + y + "]> : " + type +
         "\n  stablehlo.custom_call @check.expect_close(%x, %y) {has_side_effect = true} : (" + type + ", " +
         type + ") -> ()\n  return\n}\n";
}

TEST(Check, CloseIsThreeUlps) {
  for (int n : {2, 9, 26}) {
    EXPECT_EQ(verdict(closeness(n, 3, n / 2)).kind, Kind::ok);
    EXPECT_EQ(verdict(closeness(n, 4, n / 2)).kind, Kind::failed);
  }
}

TEST(Check, SaysWhatDiffers) {
  EXPECT_EQ(verdict(addition(3, 1)).reason,
            "@main: check of line 5: 1 of 3 elements differ; element 1 is -3, expected -2");
}
TEST(Check, AFileWithoutChecksFails) {
  EXPECT_EQ(verdict("func.func @main() { return }").kind, Kind::failed);
  EXPECT_EQ(verdict("func.func @main() { return }").reason, "no check ran");
  EXPECT_EQ(verdict("").reason, "no check ran");
  EXPECT_EQ(verdict("not a module").kind, Kind::failed);
}
TEST(Check, WhatCannotBeReadFails) {
  EXPECT_EQ(check_file("/").kind, Kind::failed);
  EXPECT_EQ(check_file("/").reason, "check: / cannot be read: Is a directory.\n  Check the path.");
  EXPECT_EQ(check_file("/none").reason,
            "check: /none cannot be opened: No such file or directory.\n  Check the path.");
}
TEST(Check, UnsupportedIsNotFailed) {
  const Verdict v =
      verdict("func.func @main() {\n  %0 = stablehlo.constant dense<1> : tensor<4xi3>\n  return\n}");
  EXPECT_EQ(v.kind, Kind::unsupported);
}
TEST(Check, AllFunctionsWithoutArgumentsRun) {
  std::string second = addition(2, 0);
  second.replace(second.find("@main"), 5, "@other");
  EXPECT_EQ(verdict(addition(2, -1) + second).kind, Kind::failed);
  EXPECT_EQ(verdict(addition(2, -1) + "// -----\n" + addition(3, 2)).kind, Kind::failed);
}
TEST(Check, AlmostEqual) {
  const auto text = [](const char* expected, const char* more) {
    return std::string(
               "func.func @main() {\n  %0 = stablehlo.constant dense<[5.0, 0x7FC00000]> : tensor<2xf32>\n"
               "  check.expect_almost_eq_const %0, dense<[") +
           expected + ", 0x7FC00000]> : tensor<2xf32> " + more + "\n  func.return\n}";
  };
  EXPECT_EQ(verdict(text("5.00005", "")).kind, Kind::ok);
  EXPECT_EQ(verdict(text("5.0002", "")).kind, Kind::failed);
  EXPECT_EQ(verdict(text("5.05", "{tolerance = 0.1 : f64}")).kind, Kind::ok);
}

}  // namespace
}  // namespace baton::stablehlo
