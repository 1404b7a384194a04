// mlir_errors: what is said of text that is not MLIR, with its line and column.
#include "baton/stablehlo.h"
#include "errors.h"

namespace baton {
namespace {

void read(const std::string& text) { import_stablehlo(text, "main", "f.mlir"); }
/// A function whose second line this is.
void inside(const std::string& line) { read("func.func @main() {\n" + line + "\nreturn\n}"); }
/// A function that takes a value of this type.
void takes(const std::string& type) { read("func.func @main(%x: " + type + ") {\nreturn\n}"); }
/// A function with this constant of this type.
void constant(const std::string& value, const std::string& type = "tensor<2xf32>") {
  inside("%0 = stablehlo.constant " + value + " : " + type);
}
std::string repeated(const std::string& text, int n) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text;
  return all;
}

TEST(MlirMessages, Brackets) {
  EXPECT_MESSAGE(read("func.func @main(%x: tensor<2xf32"), "f.mlir:1:27: a bracket has no partner.");
  EXPECT_MESSAGE(read("func.func @main() -> (tensor<2xf32> tensor<2xf32>) {}"),
                 "f.mlir:1:37: `,` or `)` is required after a result type, found `tensor<2xf32>) {}`.");
  EXPECT_MESSAGE(read("func.func @main(%x: tensor<2xf32>"),
                 "f.mlir:1:34: `,` or `)` is required after an argument, found the end of the file.");
  EXPECT_MESSAGE(read("func.func @main() -> (tensor<2xf32> {"),
                 "f.mlir:1:38: the name of an attribute is required, found the end of the file.");
  EXPECT_MESSAGE(read("func.func @main() {\n  return"),
                 "f.mlir:2:9: `}` is required to end a region, found the end of the file.");
  EXPECT_MESSAGE(read("module {\n"),
                 "f.mlir:2:1: `}` is required to end a module, found the end of the file.");
  EXPECT_MESSAGE(takes("tensor<2xf32"), "f.mlir:1:33: a bracket does not match, found `)`.");
  EXPECT_MESSAGE(takes("tensor<2xf32)"), "f.mlir:1:33: a bracket does not match, found `)`.");
  EXPECT_MESSAGE(takes(repeated("tuple<", 300)), "f.mlir:1:1215: brackets nest more than 200 deep.");
  EXPECT_MESSAGE(read(repeated("module {", 300)), "f.mlir:1:1601: brackets nest more than 200 deep.");
}

TEST(MlirMessages, Names) {
  EXPECT_MESSAGE(read("func.func @() {}"), "f.mlir:1:12: a name is required for a function, found `() {}`.");
  EXPECT_MESSAGE(read("func.func @\"main() {}"), "f.mlir:1:13: a string has no end.");
  EXPECT_MESSAGE(inside("% = stablehlo.add %a, %b : tensor<f32>"),
                 "f.mlir:2:3: a name is required for a result, found `= stablehlo.add %a, %b :`.");
  EXPECT_MESSAGE(inside("%0: = stablehlo.add %a, %b : tensor<f32>"),
                 "f.mlir:2:5: the number of results is required, found `= stablehlo.add %a, %b :`.");
  EXPECT_MESSAGE(inside("%0 = stablehlo.add %a#, %b : tensor<f32>"),
                 "f.mlir:2:23: a number is required after `#`, found `, %b : tensor<f32>`.");
  EXPECT_MESSAGE(inside("%0 = stablehlo.add %a#1, %b : tensor<f32>"), "f.mlir:2:20: %a#1 is not defined.");
  EXPECT_MESSAGE(read("\"func.func\"() <{function_type = () -> ()}> ({\n}) : () -> ()"),
                 "f.mlir:1:1: a function needs a sym_name.");
  EXPECT_MESSAGE(inside("%0 = stablehlo.abs %0 loc : tensor<f32>"),
                 "f.mlir:2:6: `stablehlo.abs`: the word `loc` is not expected.");
}

TEST(MlirMessages, Types) {
  EXPECT_MESSAGE(takes("tensor<f32> loc"), "f.mlir:1:36: `(` is required after `loc`, found `) {`.");
  EXPECT_MESSAGE(takes("tuple<i32 i32>"),
                 "f.mlir:1:31: `,` or `>` is required in a tuple type, found `i32>) {`.");
  EXPECT_MESSAGE(takes("tensor"), "f.mlir:1:27: `<` is required after `tensor`, found `) {`.");
  EXPECT_MESSAGE(takes("tensor<2f32>"), "f.mlir:1:27: `x` is required after an extent of a tensor type.");
  EXPECT_MESSAGE(takes("tensor<2x>"), "f.mlir:1:27: a tensor type needs an element type.");
  EXPECT_MESSAGE(takes("tensor<99999999999999999999xf32>"),
                 "f.mlir:1:27: an extent of a tensor type is too large.");
  EXPECT_MESSAGE(takes("tensor<1099511627776x1099511627776xf32>"),
                 "f.mlir:1:27: a tensor type is too large.");
}

TEST(MlirMessages, Attributes) {
  EXPECT_MESSAGE(inside("%0 = \"f\"() <{= 1}> : () -> ()"),
                 "f.mlir:2:14: the name of an attribute is required, found `= 1}> : () -> ()`.");
  EXPECT_MESSAGE(inside("%0 = \"f\"() <{a = 1 b = 2}> : () -> ()"),
                 "f.mlir:2:20: `,` or `}` is required after an attribute, found `b = 2}> : () -> ()`.");
  EXPECT_MESSAGE(inside("%0 = \"f\"() <{a = }> : () -> ()"),
                 "f.mlir:2:18: the value of an attribute is required, found `}> : () -> ()`.");
  EXPECT_MESSAGE(inside("%0 = \"f\"() <{a = [1 2]}> : () -> ()"),
                 "f.mlir:2:21: `,` or `]` is required in a list, found `2]}> : () -> ()`.");
  const auto dot = [](const std::string& dims) {
    read(
        "func.func @main(%a: tensor<2xf32>) {\n%0 = \"stablehlo.dot_general\"(%a, %a) "
        "<{dot_dimension_numbers = #stablehlo.dot<" +
        dims + ">}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>\nreturn\n}");
  };
  EXPECT_MESSAGE(dot("= [0]"), "f.mlir:2:79: the name of a field is required, found `= [0]`.");
  EXPECT_MESSAGE(dot("lhs_contracting_dimensions = [0] rhs_contracting_dimensions = [0]"),
                 "f.mlir:2:112: `,` is required between fields, found `rhs_contracting_dimensio`.");
  EXPECT_MESSAGE(dot("lhs_contracting_dimensions [0]"),
                 "f.mlir:2:106: `=` is required after the name of a field, found `[0]`.");
}

TEST(MlirMessages, Operations) {
  EXPECT_MESSAGE(inside("%0 = \"f\"(%a %b) : () -> ()"),
                 "f.mlir:2:13: `,` or `)` is required after an operand, found `%b) : () -> ()`.");
  EXPECT_MESSAGE(inside("\"f\"() ({\n} {\n}) : () -> ()"),
                 "f.mlir:3:3: `,` or `)` is required after a region, found `{`.");
  EXPECT_MESSAGE(inside("\"f\"() ({\n^a:\n^b:\n}) : () -> ()"),
                 "f.mlir:4:1: a region with several blocks is not StableHLO.");
  EXPECT_MESSAGE(inside("\"f\"() : (i32 i32) -> ()"),
                 "f.mlir:2:14: `,` or `)` is required after a type, found `i32) -> ()`.");
  EXPECT_MESSAGE(inside("\"f\"()"),
                 "f.mlir:3:1: `:` is required and types after an operation, found `return`.");
  EXPECT_MESSAGE(inside("%0 = stablehlo.reduce(1) : tensor<f32>"),
                 "f.mlir:2:23: an operand is required, found `1) : tensor<f32>`.");
  EXPECT_MESSAGE(inside("%0 = stablehlo.reduce(%a %b) : tensor<f32>"),
                 "f.mlir:2:26: `,` or `)` is required after an operand, found `%b) : tensor<f32>`.");
  EXPECT_MESSAGE(inside("%0 = stablehlo.convolution(%a, %b) dim_numbers = (b)"),
                 "f.mlir:2:50: `[` is required in dim_numbers, found `(b)`.");
  EXPECT_MESSAGE(inside("%0 = stablehlo.reduce(%a init: %b) reducer(%c: tensor<f32>) { }"),
                 "f.mlir:2:60: two arguments are required for each operand of a reducer.");
  EXPECT_MESSAGE(inside("%0 = stablehlo.while(%a = %b) cond { }"),
                 "f.mlir:2:36: `cond` is required to follow the types of a while.");
  EXPECT_MESSAGE(inside("%0 = stablehlo.slice %a [x] : tensor<f32>"),
                 "f.mlir:2:26: a number is required, found `x] : tensor<f32>`.");
  EXPECT_MESSAGE(inside("%0 = stablehlo.slice %a [0:99999999999999999999] : tensor<f32>"),
                 "f.mlir:2:28: the number is too large.");
  EXPECT_MESSAGE(inside("%0 = stablehlo.slice %a [0:1 2] : tensor<f32>"),
                 "f.mlir:2:30: `,` or `]` is required, found `2] : tensor<f32>`.");
  EXPECT_MESSAGE(read("{-#\n"), "f.mlir:1:1: `#-}` is required to end the resources.");
}

TEST(MlirMessages, Constants) {
  EXPECT_MESSAGE(constant("dense<1.0 2.0>"), "f.mlir:2:35: nothing more is expected in dense<...>.");
  EXPECT_MESSAGE(constant("dense<[1.0, [2.0]]>"),
                 "f.mlir:2:38: lists of one depth are required in dense<...>.");
  EXPECT_MESSAGE(constant("dense<[[1.0], 2.0]>"),
                 "f.mlir:2:39: lists of one depth are required in dense<...>.");
  EXPECT_MESSAGE(constant("dense<" + repeated("[", 70) + repeated("]", 70) + ">"),
                 "f.mlir:2:97: lists nest more than 64 deep in dense<...>.");
  EXPECT_MESSAGE(constant("dense<[1.0 2.0]>"), "f.mlir:2:36: `,` or `]` is required in dense<...>.");
  EXPECT_MESSAGE(constant("dense<[[1.0], [2.0, 3.0]]>"),
                 "f.mlir:2:49: lists of one length are required in dense<...>.");
  EXPECT_MESSAGE(constant("dense<[[1.0, 2.0]]>"),
                 "f.mlir:2:25: the constant f32[2] has lists of the shape (1,2).");
  EXPECT_MESSAGE(constant("dense<[1.0, 2.0, 3.0]>"),
                 "f.mlir:2:25: the constant f32[2] takes 2 elements, found 3.");
  EXPECT_MESSAGE(constant("dense<one>"), "f.mlir:2:31: a number is required, found `one` in dense<...>.");
  EXPECT_MESSAGE(constant("dense<300>", "tensor<i8>"),
                 "f.mlir:2:31: a number is required, found `300` in dense<...>.");
  EXPECT_MESSAGE(constant("dense<(1.0 2.0)>", "tensor<complex<f32>>"),
                 "f.mlir:2:36: `,` is required in dense<...>.");
  EXPECT_MESSAGE(constant("dense<(1.0, 2.0>", "tensor<complex<f32>>"),
                 "f.mlir:2:40: a bracket does not match, found `>`.");
  EXPECT_MESSAGE(constant("5"), "f.mlir:2:25: an operation is required, found `5 : tensor<2xf32>`.");
  EXPECT_MESSAGE(constant("dense<1>", "tensor<?xi32>"),
                 "f.mlir:2:6: stablehlo.constant: the type tensor<?xi32> is not supported.");
  EXPECT_MESSAGE(constant("dense<\"0000803F\">"), "f.mlir:2:25: \"0x...\" is required in dense<\"...\">.");
  EXPECT_MESSAGE(constant("dense<\"0x00803\">"),
                 "f.mlir:2:25: an even number of hexadecimal digits is required.");
  EXPECT_MESSAGE(constant("dense<\"0x0000803G\">"), "f.mlir:2:25: hexadecimal digits are required.");
  EXPECT_MESSAGE(constant("dense<\"0x0000803F0000\">"),
                 "f.mlir:2:25: the constant f32[2] takes 2 elements, found 1.");
  EXPECT_MESSAGE(constant("dense_resource<none>"), "f.mlir:2:25: there is no resource named `none`.");
  EXPECT_MESSAGE(read("func.func @main() {\n%0 = stablehlo.constant dense_resource<w> : "
                      "tensor<2xf32>\nreturn\n}\n{-#\n w: \"0x00\"\n#-}"),
                 "f.mlir:2:25: a resource needs 4 bytes of alignment before its data.");
}

TEST(MlirMessages, ListsOfIntegers) {
  EXPECT_MESSAGE(inside("%0 = \"stablehlo.constant\"() <{value = 5 : i32}> : () -> tensor<i32>"),
                 "f.mlir:2:39: dense<...> is required.");
  EXPECT_MESSAGE(
      inside("%0 = \"stablehlo.constant\"() <{value = dense<1.0> : tensor<?xf32>}> : () -> tensor<2xf32>"),
      "f.mlir:2:6: stablehlo.constant: the type tensor<?xf32> is not supported.");
  const auto dims = [](const std::string& list) {
    read(
        "func.func @main(%a: tensor<2xf32>) {\n%0 = \"stablehlo.broadcast_in_dim\"(%a) "
        "<{broadcast_dimensions = " +
        list + "}> : (tensor<2xf32>) -> tensor<2xf32>\nreturn\n}");
  };
  EXPECT_MESSAGE(dims("dense<1.0> : tensor<1xf32>"), "f.mlir:2:64: integers are required.");
  EXPECT_MESSAGE(dims("dense<0> : tensor<2000000xi64>"),
                 "f.mlir:2:64: a list of at most 2^20 integers is required.");
  EXPECT_MESSAGE(dims("\"zero\""), "f.mlir:2:64: a list of integers is required.");
}

}  // namespace
}  // namespace baton
