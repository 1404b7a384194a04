// program_errors: what type rules say to equations that were written by hand, as no call makes them.
#include "errors.h"

namespace baton {
namespace {

/// Reads a Program of one equation.
void read(const std::string& inputs, const std::string& equation) {
  Program::parse("{ " + inputs + " ->\n  z:f32[] = " + equation + "\n  return z }");
}
const std::string identity = "{ c:f32[] ->\n  return c }";
const std::string window = "base_dilation=[1], window_dilation=[1]";

TEST(ProgramMessages, Counts) {
  EXPECT_MESSAGE(read("a:f32[]", "sin"), "sin: 1 operands are required, found 0.");
  EXPECT_MESSAGE(read("a:f32[]", "add a"), "add: 2 operands are required, found 1.");
  EXPECT_MESSAGE(read("a:f32[]", "cond {branches=[" + identity + "]}"),
                 "cond: the index must be s32[], or bool[] with two branches, found nothing.");
  EXPECT_MESSAGE(
      read("a:f32[]", "scan a {body=" + identity + ", length=1, reverse=false, consts=-1, carry=1}"),
      "scan: its counts must not be negative nor speak of more than the 1 operands.");
  EXPECT_MESSAGE(
      read("a:f32[]", "scan a {body=" + identity + ", length=1, reverse=false, consts=0, carry=2}"),
      "scan: its counts must not be negative nor speak of more than the 1 operands.");
  EXPECT_MESSAGE(
      read("a:f32[]", "scan a {body=" + identity + ", length=-1, reverse=false, consts=0, carry=1}"),
      "scan: the body must take the consts and the carry and return the carry first.");
  EXPECT_MESSAGE(
      read("a:f32[]",
           "scan a {body=" + identity +
               ", length=1, reverse=false, consts=9223372036854775807, carry=9223372036854775807}"),
      "scan: 9223372036854775807 for carry is beyond what a shape can have.");
  EXPECT_MESSAGE(
      read("a:bool[], b:f32[]", "cond a b {branches=[" + identity + ", { ->\n  return 0.0:f32 }]}"),
      "cond: 0 operands of branch 1 are required, found 1.");
  EXPECT_MESSAGE(
      read("a:bool[], b:f32[]", "cond a b {branches=[" + identity + ", { c:f32[] ->\n  return 0:s32 }]}"),
      "cond: result 0 of branch 1 must be f32[], found s32[].\n"
      "  Convert it with astype.");
  EXPECT_MESSAGE(
      read("a:s32[]", "while a {cond=" + identity + ", body=" + identity + ", cond_consts=0, body_consts=0}"),
      "while: operand 0 of the condition must be f32[], found s32[].\n"
      "  Convert it with astype.");
  EXPECT_MESSAGE(read("a:f32[], b:f32[]",
                      "while a b {cond={ c:f32[], d:f32[] ->\n  return true:bool }, body={ c:f32[], d:f32[] "
                      "->\n  return c }, cond_consts=0, body_consts=0}"),
                 "while: 2 results of the body are required, found 1.");
  EXPECT_MESSAGE(
      read("a:s32[]",
           "scan a {body={ c:s32[] ->\n  return 0.0:f32 }, length=1, reverse=false, consts=0, carry=1}"),
      "scan: carry 0 of the result of the body must be s32[], found f32[].\n"
      "  Convert it with astype.");
  EXPECT_MESSAGE(read("a:f32[], b:f32[]", "call a b {body=" + identity + ", name=\"f\"}"),
                 "call: 1 operands are required, found 2.");
}

TEST(ProgramMessages, Operands) {
  EXPECT_MESSAGE(read("a:f32[]", "host_function a {name=\"f\", kind=pure, results=" + identity + "}"),
                 "host_function: the first operand must be the function.");
  EXPECT_MESSAGE(read("a:f32[2], b:f32[2]",
                      "dot_general a b {lhs_contract=[0], rhs_contract=[0], lhs_batch=[], rhs_batch=[], "
                      "preferred=\"f31\"}"),
                 "dot_general: the preferred dtype `f31` is unknown.");
  EXPECT_MESSAGE(read("a:u32[2], b:u32[], x:f32[]", "random_gamma a b x {log_space=false}"),
                 "random_gamma: a key of two words is required for each element of f32[], found u32[2].");
  EXPECT_MESSAGE(
      read("a:f32[2]", "reduce_window_sum a {dimensions=[1], strides=[], low=[0], high=[0], " + window + "}"),
      "reduce_window_sum: every list of the window must have one entry for each axis of f32[2], found ().");
}

TEST(ProgramMessages, CustomRules) {
  const std::string two = "{ c:f32[] ->\n  return c, c }", none = "{ c:f32[] ->\n  return }";
  const auto vjp = [](const std::string& call, const std::string& forward, const std::string& backward) {
    read("a:f32[]",
         "custom_vjp a {call=" + call + ", forward=" + forward + ", backward=" + backward + ", captures=0}");
  };
  EXPECT_MESSAGE(vjp(two, identity, identity),
                 "custom_vjp: forward must return the outputs and then the residuals, found 1 results where "
                 "the function has 2 outputs.");
  EXPECT_MESSAGE(vjp(identity, two, identity), "custom_vjp: 2 operands of backward are required, found 1.");
  EXPECT_MESSAGE(vjp(identity, identity, two),
                 "custom_vjp: 1 cotangents that backward returns are required, found 2.");
}

}  // namespace
}  // namespace baton
