// check: `baton check` from outside: a line for each file, the last line, exit codes; and fifty files whose
// expected values are altered.
#include <functional>

#include "tool.h"

namespace baton {
namespace {

using Check = Tool;

std::string checking(const std::string& expected) {
  return "func.func @main() {\n  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>\n"
         "  check.expect_eq_const %x, dense<" +
         expected + "> : tensor<2xi32>\n  func.return\n}\n";
}

TEST_F(Check, ALineForEachFileAndTheCounts) {
  put("good.mlir", checking("[1, 2]"));
  put("wrong.mlir", checking("[1, 3]"));
  put("empty.mlir", "func.func @main() { return }\n");
  put("broken.mlir", "func.func @main( {\n");
  put("foreign.mlir", "func.func @main() {\n  %x = stablehlo.unheard_of : tensor<f32>\n  return\n}\n");
  std::filesystem::create_directory(path("folder"));
  const Said s =
      baton("check good.mlir folder wrong.mlir none.mlir empty.mlir broken.mlir foreign.mlir good.mlir");
  EXPECT_EQ(s.code, 1);
  EXPECT_EQ(s.err, "");
  EXPECT_EQ(
      s.out,
      "ok good.mlir\n"
      "FAIL folder: check: folder cannot be read: Is a directory. Check the path.\n"
      "FAIL wrong.mlir: @main: check of line 3: 1 of 2 elements differ; element 1 is 2, expected 3\n"
      "FAIL none.mlir: check: none.mlir cannot be opened: No such file or directory. Check the path.\n"
      "FAIL empty.mlir: no check ran\n"
      "FAIL broken.mlir: broken.mlir:1:18: a type is required, found `{`.\n"
      "unsupported foreign.mlir: foreign.mlir:2:8: `stablehlo.unheard_of` is not an operation that Baton "
      "reads. Write the program with other operations.\n"
      "ok good.mlir\n"
      "2 passed, 5 failed, 1 skipped\n");
}

TEST_F(Check, ExitCodes) {
  put("good.mlir", checking("[1, 2]"));
  put("skipped.mlir",
      "func.func @main() {\n  %x = stablehlo.constant dense<1> : tensor<4xi3>\n  return\n}\n");
  Said s = baton("check good.mlir good.mlir --engine reference");
  EXPECT_EQ(s.code, 0);
  EXPECT_TRUE(s.out.ends_with("\n2 passed, 0 failed, 0 skipped\n"));
  s = baton("check good.mlir skipped.mlir");
  EXPECT_EQ(s.code, 1);
  EXPECT_TRUE(s.out.ends_with("\n1 passed, 0 failed, 1 skipped\n"));
  s = baton("check good.mlir --engine gpu");
  EXPECT_EQ(s.code, 2);
  EXPECT_EQ(s.out, "");
}

/// A pipe does not say how long it is.
TEST_F(Check, PipesAreReadToTheirEnd) {
  std::string comments;
  for (int i = 0; i < 5000; ++i) comments += "// as long as it takes to fill a pipe\n";
  put("good.mlir", comments + checking("[1, 2]"));
  const Said s = run("cat good.mlir | " BATON_TOOL " check /dev/stdin");
  EXPECT_EQ(s.out, "ok /dev/stdin\n1 passed, 0 failed, 0 skipped\n");
  EXPECT_EQ(s.code, 0);
}

/// A list of n elements with another one in the place `at`, or as it is.
std::string listed(int n, int at, const std::function<std::string(int)>& element, const std::string& other) {
  std::string text = "[";
  for (int i = 0; i < n; ++i) text += (i ? ", " : "") + (i == at ? other : element(i));
  return text + "]";
}
struct Kind {
  const char* name;
  std::function<std::string(int)> element;
  std::string other;  // what is expected where an element is altered: just too far away
  std::string type;
  std::string check;  // $a: actual, $e: expected, $v: its elements, $t: the type
};

TEST_F(Check, FiftyAlteredFilesFail) {
  const auto number = [](const char* end) { return [=](int i) { return std::to_string(3 * i - 4) + end; }; };
  const auto f32_bits = [](unsigned ulps) {
    return [=](int i) {
      const unsigned bits = 0x3F800000u + 1000u * static_cast<unsigned>(i) + ulps;
      static const char* const digits = "0123456789ABCDEF";
      std::string s = "0x";
      for (int k = 28; k >= 0; k -= 4) s += digits[bits >> k & 15];
      return s;
    };
  };
  const std::string constant = "check.expect_eq_const $a, dense<$v> : $t";
  const std::string almost = "check.expect_almost_eq_const $a, dense<$v> : $t";
  const Kind kinds[] = {
      {"integers", number(""), "77", "i32", constant},
      {"unsigned", [](int i) { return std::to_string(i); }, "255", "ui8", "check.expect_eq $a, $e : $t"},
      {"truth", [](int) { return std::string("true"); }, "false", "i1", constant},
      {"floats", number(".5"), "0.25", "f32", constant},
      {"halves", number(".5"), "0.25", "f16", "check.expect_eq $a, $e : $t"},
      {"almost", [](int) { return std::string("5.0"); }, "5.0002", "f32", almost},
      {"nan", number(".0"), "0x7FC00000", "f32", almost},
      {"close", f32_bits(0), "0x3F900000", "f32",
       "check.expect_close $a, $e, max_ulp_difference = 3 : $t, $t"},
      {"complex", [](int i) { return "(" + std::to_string(i) + ".0, -1.0)"; }, "(0.0, 1.0)", "complex<f32>",
       constant},
      {"call", number(".0"), "0.01", "f64",
       "stablehlo.custom_call @check.expect_almost_eq($a, $e) {has_side_effect = true} : ($t, $t) -> ()"},
  };
  std::string good, altered;
  for (const Kind& kind : kinds)
    for (int n = 1; n <= 5; ++n) {
      const std::string type = "tensor<" + std::to_string(n) + "x" + kind.type + ">";
      const auto file = [&](int at) {
        const std::string expected = listed(n, at, kind.element, kind.other);
        std::string check = kind.check;
        for (const auto& [mark, text] :
             {std::pair<std::string, std::string>{"$a", "%a"}, {"$e", "%e"}, {"$v", expected}, {"$t", type}})
          for (std::size_t i = 0; (i = check.find(mark, i)) != std::string::npos; i += text.size())
            check.replace(i, mark.size(), text);
        return "func.func @main() {\n  %a = stablehlo.constant dense<" + listed(n, -1, kind.element, "") +
               "> : " + type + "\n  %e = stablehlo.constant dense<" + expected + "> : " + type + "\n  " +
               check + "\n  func.return\n}\n";
      };
      const std::string name = std::string(kind.name) + std::to_string(n) + ".mlir";
      put("good_" + name, file(-1));
      put("altered_" + name, file(n / 2));
      good += " good_" + name;
      altered += " altered_" + name;
    }
  Said s = baton("check" + good);
  EXPECT_EQ(s.code, 0);
  EXPECT_TRUE(s.out.ends_with("\n50 passed, 0 failed, 0 skipped\n")) << s.out;
  s = baton("check" + altered);
  EXPECT_EQ(s.code, 1);
  EXPECT_TRUE(s.out.ends_with("\n0 passed, 50 failed, 0 skipped\n")) << s.out;
  std::size_t differ = 0;
  for (std::size_t i = 0; (i = s.out.find(": 1 of ", i)) != std::string::npos; ++i) ++differ;
  EXPECT_EQ(differ, 50u) << s.out;
}

}  // namespace
}  // namespace baton
