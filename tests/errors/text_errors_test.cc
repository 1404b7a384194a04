// text_errors: what is said of text that is not a Program, with its line and column.
#include "errors.h"

namespace baton {
namespace {

void returning(const std::string& literal) { Program::parse("{ ->\n  return " + literal + " }"); }
void equation(const std::string& text) { Program::parse("{ a:f32[2] ->\n  " + text + "\n  return a }"); }

TEST(TextMessages, Programs) {
  EXPECT_MESSAGE(Program::parse(""),
                 "Program::parse: expected `{`, found the end of the text at line 1, column 1.");
  EXPECT_MESSAGE(Program::parse("{ a:f32[2] ->\n  return a"),
                 "Program::parse: expected `}`, found the end of the text at line 2, column 11.");
  EXPECT_MESSAGE(Program::parse("{ a:f32[2] ->\n  return a } }"),
                 "Program::parse: expected the end of the text, found `}` at line 2, column 14.");
  EXPECT_MESSAGE(Program::parse("{ a:f32[2]\n  return a }"),
                 "Program::parse: expected `->`, found `return a }` at line 2, column 3.");
  EXPECT_MESSAGE(Program::parse("{ a ->\n  return a }"),
                 "Program::parse: expected `:`, found `->` at line 1, column 5.");
  EXPECT_MESSAGE(Program::parse("{ a:f32[-1] ->\n  return a }"),
                 "Program::parse: expected a type that can be (an extent of the shape (-1) is negative), "
                 "found `f32[-1] ->` at line 1, column 5.");
  EXPECT_MESSAGE(Program::parse("{ a:f32[2] ->\n  return b }"),
                 "Program::parse: expected a variable defined above, found `b }` at line 2, column 10.");
  EXPECT_MESSAGE(Program::parse("{ a:f31[2] ->\n  return a }"),
                 "Program::parse: expected a dtype, found `f31[2] ->` at line 1, column 5.");
  EXPECT_MESSAGE(Program::parse("{ a:f32[two] ->\n  return a }"),
                 "Program::parse: expected an integer, found `two] ->` at line 1, column 9.");
  EXPECT_MESSAGE(Program::parse("{ a:f32[99999999999999999999] ->\n  return a }"),
                 "Program::parse: expected an integer, found `99999999999999999999` at line 1, column 9.");
  std::string nested = "{ a:f32[] ->\n";
  for (int i = 0; i < 501; ++i) nested += "b:f32[] = call a {body={ a:f32[] ->\n";
  EXPECT_MESSAGE(Program::parse(nested),
                 "Program::parse: expected Programs at most 500 deep in each other, found `{ a:f32[] ->` at "
                 "line 501, column 24.");
}

TEST(TextMessages, Equations) {
  EXPECT_MESSAGE(equation("= sin a"),
                 "Program::parse: expected result types that agree with the type rule of sin, found `= sin "
                 "a` at line 2, column 3.");
  EXPECT_MESSAGE(equation("b:f32[2] sin a"),
                 "Program::parse: expected `=`, found `sin a` at line 2, column 12.");
  EXPECT_MESSAGE(equation("b:f32[2] = sine a"),
                 "Program::parse: expected a primitive, found `sine a` at line 2, column 14.");
  EXPECT_MESSAGE(equation("b:f32[2] = sin c"),
                 "Program::parse: expected a variable defined above, found `c` at line 2, column 18.");
  EXPECT_MESSAGE(equation("b:f32[3] = sin a"),
                 "Program::parse: expected result types that agree with the type rule of sin, found "
                 "`b:f32[3] = sin a` at line 2, column 3.");
  EXPECT_MESSAGE(equation("b:f32[2] = integer_pow a {power=2}"),
                 "Program::parse: expected `exponent`, found `power=2}` at line 2, column 29.");
  EXPECT_MESSAGE(equation("b:f32[2] = integer_pow a {exponent=2"),
                 "Program::parse: expected `}`, found `return a }` at line 3, column 3.");
  EXPECT_MESSAGE(equation("b:f32[2] = integer_pow a {exponent=two}"),
                 "Program::parse: expected an integer, found `two}` at line 2, column 38.");
  EXPECT_MESSAGE(equation("b:f32[2] = integer_pow a {exponent=4294967298}"),
                 "Program::parse: expected parameters that can be (exponent: 4294967298 is out of range.), "
                 "found `exponent=4294967298}` at line 2, column 29.");
  EXPECT_MESSAGE(equation("b:f32[2] = cumsum a {axis=0, reverse=no}"),
                 "Program::parse: expected true or false, found `no}` at line 2, column 40.");
  EXPECT_MESSAGE(equation("b:f32[2] = round a {method=up}"),
                 "Program::parse: expected a value of method, found `up}` at line 2, column 30.");
  EXPECT_MESSAGE(equation("b:f32[2] = checkpoint_name a {name=here}"),
                 "Program::parse: expected `\"`, found `here}` at line 2, column 38.");
}

TEST(TextMessages, Literals) {
  EXPECT_MESSAGE(returning("1"), "Program::parse: expected `:`, found `}` at line 2, column 12.");
  EXPECT_MESSAGE(returning("(1 2):c64"),
                 "Program::parse: expected `,`, found `2):c64 }` at line 2, column 13.");
  EXPECT_MESSAGE(returning("one:f32"),
                 "Program::parse: expected a number, found `one:f32 }` at line 2, column 10.");
  EXPECT_MESSAGE(returning("1e:f32"),
                 "Program::parse: expected a number, found `1e:f32 }` at line 2, column 10.");
  EXPECT_MESSAGE(returning("0xzz:f32"),
                 "Program::parse: expected a number, found `0xzz:f32 }` at line 2, column 10.");
  EXPECT_MESSAGE(returning("300:u8"),
                 "Program::parse: expected a number of u8, found `300:u8 }` at line 2, column 10.");
  EXPECT_MESSAGE(returning("1.5:s32"),
                 "Program::parse: expected a number of s32, found `1.5:s32 }` at line 2, column 10.");
  EXPECT_MESSAGE(returning("2:bool"),
                 "Program::parse: expected true or false, found `2:bool }` at line 2, column 10.");
  EXPECT_MESSAGE(
      returning("(1,2):f32"),
      "Program::parse: expected a pair of a complex dtype, found `1,2):f32 }` at line 2, column 11.");
  EXPECT_MESSAGE(
      returning("1:c64"),
      "Program::parse: expected a pair (real,imaginary) for c64, found `1:c64 }` at line 2, column 10.");
  EXPECT_MESSAGE(returning("1:f31"), "Program::parse: expected a dtype, found `f31 }` at line 2, column 12.");
  EXPECT_MESSAGE(returning("(1,x):c64"),
                 "Program::parse: expected a number, found `x):c64 }` at line 2, column 13.");
}

}  // namespace
}  // namespace baton
