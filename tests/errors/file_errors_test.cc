// file_errors: mistakes with files and with programs of other frameworks, one test each, with the exact
// message.
#include "baton/npy.h"
#include "baton/safetensors.h"
#include "baton/stablehlo.h"
#include "errors.h"

namespace baton {
namespace {

TEST(Errors, FileIsNotThere) {
  EXPECT_MESSAGE(load_safetensors("none/weights.safetensors"),
                 R"(safetensors: none/weights.safetensors cannot be opened: No such file or directory.
  Check the path.)");
}

TEST(Errors, FileIsAFolder) {
  EXPECT_MESSAGE(load_stablehlo("/"),
                 R"(stablehlo: / cannot be read: Is a directory.
  Check the path.)");
}

TEST(Errors, NoNumpyType) {
  EXPECT_MESSAGE(save_npy("weights.npy", ones({2}, bf16)),
                 R"(npy: weights.npy: NumPy has no dtype for bf16[2].
  Convert it first, to f32 for example.)");
}

TEST(Errors, NameOfTheFormat) {
  EXPECT_MESSAGE(save_safetensors("weights.safetensors", {{"__metadata__", Array(1.f)}}),
                 R"(safetensors: weights.safetensors: the name `__metadata__` is the format's own.
  Give the array another.)");
}

TEST(Errors, ResultIsNotWhatTheFunctionDeclares) {
  EXPECT_MESSAGE(
      import_stablehlo("func.func @main(%x: tensor<2xf32>) -> tensor<f32> {\n"
                       "  return %x : tensor<2xf32>\n}",
                       "main", "step.mlir"),
      R"(step.mlir:2:3: the function @main: result 0 is declared as tensor<f32>, but it is f32[2].)");
}

TEST(Errors, VariableIsDefinedTwice) {
  EXPECT_MESSAGE(
      Program::parse("{ a:f32[] ->\n  b:f32[] = sin a\n  b:f32[] = cos a\n  return b }"),
      R"(Program::parse: expected a name that no variable has yet, found `b:f32[] = cos a` at line 3, column 3.)");
}

TEST(Errors, TextIsNotAModule) {
  EXPECT_MESSAGE(import_stablehlo("func.func @main( { return }", "main", "step.mlir"),
                 R"(step.mlir:1:18: a type is required, found `{ return }`.)");
}

TEST(Errors, BytecodeOfAModule) {
  EXPECT_MESSAGE(import_stablehlo("ML\xefR", "main", "step.mlir"),
                 R"(step.mlir: this is MLIR bytecode; the text of a module is required.
  Write the text of the program for the CPU: open("f.mlir", "w").write(jax.jit(f).lower(x).as_text()).)");
}

TEST(Errors, OperationIsNotRead) {
  EXPECT_MESSAGE(import_stablehlo("func.func @main() {\n  %0 = tosa.add : tensor<f32>\n  return\n}", "main",
                                  "step.mlir"),
                 R"(step.mlir:2:8: `tosa.add` is not an operation that Baton reads.
  Lower the program to StableHLO for the CPU: jax.jit(f).lower(x).as_text().)");
}

TEST(Errors, ProgramForAGpu) {
  EXPECT_MESSAGE(
      import_stablehlo("func.func @main() {\n"
                       "  %0 = stablehlo.custom_call @cusolver_getrf() : () -> tensor<f32>\n"
                       "  return\n}",
                       "main", "step.mlir"),
      R"(step.mlir:2:8: the custom call @cusolver_getrf belongs to a program that was lowered for a GPU.
  Lower the program for the CPU: jax.jit(f).trace(x).lower(lowering_platforms=("cpu",)).as_text())");
}

TEST(Errors, TypeIsNotRead) {
  EXPECT_MESSAGE(import_stablehlo("func.func @main(%x: tensor<?xf32>) {\n  return\n}", "main", "step.mlir"),
                 R"(step.mlir:1:1: the argument %x has the type tensor<?xf32>, which is not supported.)");
}

TEST(Errors, NarrowTypeOfAnArgument) {
  EXPECT_MESSAGE(
      import_stablehlo("func.func @main(%x: tensor<4xi4>) {\n  return\n}", "main", "step.mlir"),
      R"(step.mlir:1:1: the argument %x of @main is of the narrow type i4, which stays inside a program.
  Let the function take or return i8 and convert inside.)");
}

TEST(Errors, OperationOnBitsOfANarrowType) {
  EXPECT_MESSAGE(import_stablehlo("func.func @main() {\n"
                                  "  %0 = stablehlo.constant dense<1.0> : tensor<f8E5M2>\n"
                                  "  %1 = stablehlo.bitcast_convert %0 : (tensor<f8E5M2>) -> tensor<ui8>\n"
                                  "  return\n}",
                                  "main", "step.mlir"),
                 R"(step.mlir:3:8: stablehlo.bitcast_convert of f8E5M2 is not supported.
  Use f32 there and convert.)");
}

TEST(Errors, NoSuchFunction) {
  EXPECT_MESSAGE(import_stablehlo("func.func @step() {\n  return\n}", "main", "step.mlir"),
                 R"(step.mlir: there is no function @main; there are @step.)");
}

TEST(Errors, SeveralModules) {
  EXPECT_MESSAGE(parse_stablehlo("", "step.mlir"),
                 R"(step.mlir: one module with a function is required, found 0.
  Read several with parse_stablehlo_modules.)");
}

}  // namespace
}  // namespace baton
