// parse: the forms of StableHLO text, and what is said where a text is not one.
#include <gtest/gtest.h>

#include "arrays.h"
#include "baton/lax.h"
#include "baton/stablehlo.h"
#include "interop/runner.h"

namespace baton {
namespace {

std::string error_of(const std::string& text) {
  try {
    import_stablehlo(text, "main", "f.mlir");
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}
/// A main without inputs around these lines; %r is returned.
std::string returning(const std::string& type, const std::string& lines) {
  return "func.func @main() -> " + type + " {\n" + lines + "\n  return %r : " + type + "\n}\n";
}
Array value(const std::string& type, const std::string& lines) {
  return run_program(import_stablehlo(returning(type, lines), "main", "f.mlir"), {})[0];
}

TEST(Parse, PrettyAndGenericFormsAreOneProgram) {
  const Program pretty = import_stablehlo(R"(
module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32> {jax.arg_info = "x"} loc("x"), %arg1: tensor<3x4xf32>) -> (tensor<2x4xf32> {jax.result_info = "y"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32> loc(#loc2)
    %cst = stablehlo.constant dense<2.0> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4xf32>
    return %2 : tensor<2x4xf32>
  } loc(#loc)
}
#loc = loc(unknown)
#loc2 = loc("f.py":3:4)
)");
  const Program generic = import_stablehlo(R"(
"builtin.module"() <{sym_name = "jit_f"}> ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %1 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %3 = "stablehlo.multiply"(%0, %2) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%3) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
)");
  EXPECT_EQ(pretty.text(), generic.text());
}

TEST(Parse, FunctionsAndModules) {
  const auto modules = parse_stablehlo_modules(R"(
func.func @a(%x: tensor<i32>) -> tensor<i32> { return %x : tensor<i32> }
func.func private @b() { return }
// -----
// nothing here
// -----
func.func @c() -> (tensor<2xbf16>, tensor<complex<f64>>) {
  %0 = stablehlo.constant dense<1.0> : tensor<2xbf16>
  %1 = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f64>>
  return %0, %1 : tensor<2xbf16>, tensor<complex<f64>>
}
)");
  ASSERT_EQ(modules.size(), 2u);
  const auto functions = modules[0].functions();
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].name, "a");
  EXPECT_EQ(functions[0].inputs, (Types{{s32, {}}}));
  EXPECT_FALSE(functions[1].is_public);
  EXPECT_EQ(modules[1].functions()[0].outputs, (Types{{bf16, {2}}, {c128, {}}}));
}

TEST(Parse, Constants) {
  EXPECT_EQ(
      text(value("tensor<2x2xi32>", "%r = stablehlo.constant dense<[[1, -2], [3, 0x7f]]> : tensor<2x2xi32>")),
      text(Array({1, -2, 3, 127}, {2, 2})));
  EXPECT_EQ(value("tensor<f32>", "%r = stablehlo.constant dense<0x7F800000> : tensor<f32>").item(), INFINITY);
  EXPECT_EQ(value("tensor<f32>", "%r = stablehlo.constant dense<-1.5e-3> : tensor<f32>").item(), -1.5e-3f);
  EXPECT_EQ(value("tensor<ui64>", "%r = stablehlo.constant dense<18446744073709551615> : tensor<ui64>")
                .item<std::uint64_t>(),
            18446744073709551615ull);
  EXPECT_EQ(value("tensor<i8>", "%r = stablehlo.constant dense<-128> : tensor<i8>").item<std::int8_t>(),
            -128);
  EXPECT_EQ(
      value("tensor<3xf32>", "%r = stablehlo.constant dense<\"0x0000803F0000004000004040\"> : tensor<3xf32>")
          .read<float>()
          .vector(),
      (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(
      value("tensor<2xi1>", "%r = stablehlo.constant dense<[true, false]> : tensor<2xi1>").read<bool>()[0],
      true);
  EXPECT_EQ(value("tensor<0x2xf32>", "%r = stablehlo.constant dense<> : tensor<0x2xf32>").size(), 0);
  EXPECT_EQ(value("tensor<complex<f32>>", "%r = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f32>>")
                .item<std::complex<float>>(),
            std::complex<float>(1, -2));
  const Array big =
      value("tensor<2xf32>", "%r = stablehlo.constant dense<[1.0, // one\n 2.0]> : tensor<2xf32>");
  EXPECT_EQ(big.read<float>()[1], 2);
}

std::vector<bool> truths(const std::string& type, const std::string& dense) {
  const Array a = value(type, "%r = stablehlo.constant " + dense + " : " + type);
  const auto read = a.read<bool>();
  return {read.begin(), read.end()};
}

/// One byte is a splat only if it is 00 or FF, as MLIR writes it; else the elements are single bits.
TEST(Parse, PackedTruthValues) {
  EXPECT_EQ(truths("tensor<3xi1>", "dense<\"0x05\">"), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(truths("tensor<3xi1>", "dense<\"0xFF\">"), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(truths("tensor<3xi1>", "dense<\"0x00\">"), (std::vector<bool>{false, false, false}));
  EXPECT_EQ(truths("tensor<10xi1>", "dense<\"0x0102\">"),
            (std::vector<bool>{true, false, false, false, false, false, false, false, false, true}));
  EXPECT_EQ(truths("tensor<3xi1>", "dense<\"0x010001\">"), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(truths("tensor<1xi1>", "dense<\"0x01\">"), (std::vector<bool>{true}));
  EXPECT_EQ(error_of(returning("tensor<9xi1>", "%r = stablehlo.constant dense<\"0x05\"> : tensor<9xi1>")),
            "f.mlir:2:25: the constant bool[9] takes 9 elements, found 1.");
}

TEST(Parse, NumbersAtTheEndsOfTheirRange) {
  const auto f64_of = [](const std::string& text) {
    return value("tensor<f64>", "%r = stablehlo.constant dense<" + text + "> : tensor<f64>").item<double>();
  };
  EXPECT_EQ(f64_of("4.9e-324"), 4.9e-324);
  EXPECT_EQ(f64_of("1e-400"), 0);
  EXPECT_EQ(f64_of("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(f64_of("-1.0e400"), -INFINITY);
  EXPECT_EQ(f64_of(std::string(400, '1')), INFINITY);
  EXPECT_EQ(f64_of("1e-99999999999999999999"), 0);
  EXPECT_EQ(value("tensor<f32>", "%r = stablehlo.constant dense<1e-45> : tensor<f32>").item(), 1.4e-45f);
  for (const char* word : {"inf", "nan", "-inf", "1.0e", "0x1.8p3", ""})
    EXPECT_NE(error_of(returning("tensor<2xf64>", "%r = stablehlo.constant dense<[1.0, " + std::string(word) +
                                                      "]> : tensor<2xf64>"))
                  .find("a number is required"),
              std::string::npos)
        << word;
}

TEST(Parse, CommentsMayHoldBrackets) {
  EXPECT_EQ(text(value("tensor<2xi32>",
                       "%r = stablehlo.constant dense<[1, // one } ) > \"\n 2]> : tensor<2xi32> // ]")),
            text(Array({1, 2})));
}

/// Signs that stand nowhere in StableHLO are not skipped.
TEST(Parse, StrayCharactersAreRefused) {
  const auto after_sine = [](const std::string& stray) {
    return error_of("func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %r = stablehlo.sine %x " + stray +
                    " : tensor<f32>\n  return %r : tensor<f32>\n}\n");
  };
  EXPECT_EQ(after_sine("="), "f.mlir:2:26: an operation is required, found `= : tensor<f32>`.");
  EXPECT_EQ(after_sine("slowly"), "f.mlir:2:8: `stablehlo.sine`: the word `slowly` is not expected.");
  EXPECT_EQ(
      error_of("func.func @main(%x: tensor<f32>) -> tensor<i1> {\n"
               "  %r = stablehlo.compare LT, %x, %x, SINGED : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
               "  return %r : tensor<i1>\n}\n"),
      "f.mlir:2:8: stablehlo.compare: a type FLOAT, TOTALORDER, SIGNED or UNSIGNED is required, found "
      "`SINGED`.");
  EXPECT_EQ(after_sine("<a>"), "f.mlir:2:26: an operation is required, found `<a> : tensor<f32>`.");
}

/// 4 bytes say how the data is aligned, then it follows, low bytes first.
Array resource(const std::string& type, const std::string& hex) {
  const std::string text = returning(type, "%r = stablehlo.constant dense_resource<\"a w\"> : " + type) +
                           "{-#\n  dialect_resources: {\n    builtin: {\n      other: \"0x04000000FF\",\n"
                           "      \"a w\": \"0x04000000" +
                           hex + "\"\n    }\n  }\n#-}\n";
  return run_program(import_stablehlo(text, "main", "f.mlir"), {})[0];
}

TEST(Parse, Resources) {
  EXPECT_EQ(text(resource("tensor<2xf32>", "0000803F00000040")), text(Array({1.f, 2.f})));
  EXPECT_EQ(text(resource("tensor<2x1xi64>", "FFFFFFFFFFFFFFFF0100000000000000")),
            text(Array({std::int64_t{-1}, std::int64_t{1}}, {2, 1})));
  EXPECT_EQ(text(resource("tensor<2xbf16>", "803F0040")), "bf16[2] {1, 2}");
  EXPECT_EQ(text(resource("tensor<3xi1>", "010001")), text(Array({true, false, true}, {3})));
  EXPECT_EQ(text(resource("tensor<2xcomplex<f32>>", "0000803F000000400000000000008040")),
            "c64[2] {(1,2), (0,4)}");
  EXPECT_EQ(text(resource("tensor<4xf32>", "0000803F")), text(Array({1.f, 1.f, 1.f, 1.f})));
  const auto refused = [](const std::string& type, const std::string& hex) {
    try {
      resource(type, hex);
    } catch (const UsageError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(refused("tensor<3xf32>", "0000803F00000040"),
            "f.mlir:2:25: the constant f32[3] takes 3 elements, found 2.");
  EXPECT_EQ(refused("tensor<1xf32>", "0000803"),
            "f.mlir:2:25: an even number of hexadecimal digits is required.");
  EXPECT_EQ(refused("tensor<1xf32>", "0000803G"), "f.mlir:2:25: hexadecimal digits are required.");
  EXPECT_EQ(error_of(returning("tensor<f32>", "%r = stablehlo.constant dense_resource<w> : tensor<f32>")),
            "f.mlir:2:25: there is no resource named `w`.");
}

TEST(Parse, ErrorsHaveLineAndColumn) {
  EXPECT_EQ(error_of(returning("tensor<f32>", "  %r = stablehlo.unheard_of %x : tensor<f32>")),
            "f.mlir:2:8: `stablehlo.unheard_of` is not an operation that Baton reads.\n"
            "  Write the program with other operations.");
  EXPECT_EQ(error_of(returning("tensor<f32>", "  %r = tosa.add %x, %y : tensor<f32>")),
            "f.mlir:2:8: `tosa.add` is not an operation that Baton reads.\n"
            "  Lower the program to StableHLO for the CPU: jax.jit(f).lower(x).as_text().");
  EXPECT_EQ(error_of(returning("tensor<f32>", "  %r = stablehlo.sine %x : tensor<f32>")),
            "f.mlir:2:23: %x is not defined.");
  EXPECT_EQ(error_of(returning("tensor<2xf32>", "  %r = stablehlo.constant dense<[1.0]> : tensor<2xf32>")),
            "f.mlir:2:27: the constant f32[2] takes 2 elements, found 1.");
  EXPECT_EQ(error_of(returning("tensor<2xf32>", "  %r = stablehlo.constant dense<[1.0, x]> : tensor<2xf32>")),
            "f.mlir:2:39: a number is required, found `x` in dense<...>.");
  EXPECT_EQ(error_of("func.func @main() {\n  return"),
            "f.mlir:2:9: `}` is required to end a region, found the end of the file.");
  EXPECT_EQ(error_of(returning("tensor<4xi3>", "  %r = stablehlo.constant dense<1> : tensor<4xi3>")),
            "f.mlir:2:8: stablehlo.constant: the type tensor<4xi3> is not supported.");
  EXPECT_EQ(error_of(returning("tensor<2xf32>",
                               "  %0 = stablehlo.constant dense<1.0> : tensor<3xf32>\n"
                               "  %r = stablehlo.sine %0 : tensor<2xf32>")),
            "f.mlir:3:8: `stablehlo.sine`: operand 0 is declared as tensor<2xf32>, but it is f32[3].");
  EXPECT_EQ(error_of(returning("tensor<2xf32>",
                               "  %0 = stablehlo.constant dense<1.0> : tensor<3xf32>\n"
                               "  %r = stablehlo.sine %0 : (tensor<3xf32>) -> tensor<2xf32>")),
            "f.mlir:3:8: `stablehlo.sine`: the result is declared as f32[2], but it is f32[3].");
  EXPECT_EQ(error_of("func.func @f() { return }"), "f.mlir: there is no function @main; there are @f.");
  EXPECT_EQ(error_of("func.func @main() { call @main() : () -> ()\n return }"),
            "f.mlir:1:21: the function @main calls itself.");
}

TEST(Parse, FieldsAreRequiredWhereTheyStand) {
  const auto product = [](const std::string& dims) {
    return error_of(
        "func.func @main(%x: tensor<2xf32>) -> tensor<f32> {\n"
        "  %r = \"stablehlo.dot_general\"(%x, %x) <{dot_dimension_numbers = " +
        dims + "}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>\n  return %r : tensor<f32>\n}\n");
  };
  EXPECT_EQ(product("#stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>"),
            "no error");
  EXPECT_EQ(product("{lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]}"), "no error");
  EXPECT_EQ(product("7"), "f.mlir:2:66: fields in #name<...> are required.");
}

TEST(Parse, OtherKindsOfFilesNameThePythonLine) {
  EXPECT_NE(error_of("ML\xefR\x0d").find("this is MLIR bytecode"), std::string::npos);
  EXPECT_NE(error_of("ML\xefR\x0d").find("jax.jit(f).lower(x).as_text()"), std::string::npos);
  const std::string gpu = error_of(
      returning("tensor<f32>",
                "  %x = stablehlo.constant dense<1.0> : tensor<f32>\n"
                "  %r = stablehlo.custom_call @__gpu$xla.gpu.triton(%x) : (tensor<f32>) -> tensor<f32>"));
  EXPECT_EQ(
      gpu,
      "f.mlir:3:8: the custom call @__gpu$xla.gpu.triton belongs to a program that was lowered for a GPU.\n"
      "  Lower the program for the CPU: jax.jit(f).trace(x).lower(lowering_platforms=(\"cpu\",)).as_text()");
  const auto calling = [](const std::string& target) {
    return error_of(returning("tensor<f32>",
                              "  %x = stablehlo.constant dense<1.0> : tensor<f32>\n"
                              "  %r = stablehlo.custom_call @" +
                                  target + "(%x) : (tensor<f32>) -> tensor<f32>"));
  };
  for (const char* name : {"__cudnn$convForward", "__cublas$gemm", "cusolver_getrf_ffi", "hipsolver_geqrf"})
    EXPECT_NE(calling(name).find(" was lowered for a GPU."), std::string::npos) << calling(name);
  for (const char* name : {"Qr", "tpu_custom_call"})
    EXPECT_NE(calling(name).find(" was lowered for a TPU."), std::string::npos) << calling(name);
  EXPECT_NE(calling("my_kernel").find("calls code that Baton does not have"), std::string::npos);
}

TEST(Parse, DeepAndHugeTextsAreRefused) {
  EXPECT_NE(error_of("#a = " + std::string(100000, '[')).find("nest"), std::string::npos);
  EXPECT_NE(error_of("#a = " + std::string(100000, '{')).find("required"), std::string::npos);
  EXPECT_NE(error_of(returning("tensor<f32>", "%r = stablehlo.constant dense<" + std::string(100000, '[') +
                                                  "> : tensor<f32>"))
                .find("bracket"),
            std::string::npos);
  EXPECT_NE(error_of("func.func @main(%x: tensor<9999999999x9999999999x9999999999xf32>) { return }")
                .find("too large"),
            std::string::npos);
  EXPECT_NE(error_of("func.func @main(%x: tensor<99999999999999999999999xf32>) { return }").find("too large"),
            std::string::npos);
}

const char* const small =
    R"(#map = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
module @m attributes {a = 1 : i32, b = [1, "x"], c = dense<[1, 2]> : tensor<2xi64>} {
  func.func public @main(%arg0: tensor<4x2xf32>, %arg1: tensor<3x1xi32>) -> (tensor<3x2xf32>, tensor<i32>) {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #map, slice_sizes = array<i64: 1, 2>}> : (tensor<4x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.while(%i = %c, %s = %c) : tensor<i32>, tensor<i32>
    cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %2 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %k = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %i, %k : tensor<i32>
      %3 = stablehlo.add %s, %i : tensor<i32>
      stablehlo.return %2, %3 : tensor<i32>, tensor<i32>
    }
    %4 = stablehlo.slice %0 [0:3, 0:2:1] : (tensor<3x2xf32>) -> tensor<3x2xf32>
    return %4, %1#1 : tensor<3x2xf32>, tensor<i32>
  }
}
)";

TEST(Parse, TruncatedTextsNeverCrash) {
  const std::string text = small;
  EXPECT_NO_THROW(import_stablehlo(text));
  int refused = 0;
  for (std::size_t n = 0; n < text.size(); ++n) {
    try {
      import_stablehlo(text.substr(0, n));
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GE(refused, static_cast<int>(text.size()) - 4);
}

TEST(Parse, ChangedTextsNeverCrash) {
  const std::string text = small;
  const std::string other = "%#@!{}()[]<>:,=\"x0-";
  std::uint64_t state = 1;
  for (int i = 0; i < 3000; ++i) {
    std::string changed = text;
    for (int k = 0; k < 2; ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      changed[(state >> 33) % changed.size()] = other[(state >> 20) % other.size()];
    }
    try {
      import_stablehlo(changed);
    } catch (const Error&) {
      continue;
    }
  }
}

/// Each function calls the next twice: 40 of them would unfold to 2^40 operations.
TEST(Parse, CallsThatUnfoldWithoutEndAreRefused) {
  std::string text =
      "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %0 = call @f0(%x) : (tensor<f32>) -> "
      "tensor<f32>\n  return %0 : tensor<f32>\n}\n";
  for (int i = 0; i < 40; ++i) {
    const std::string next = i < 39
                                 ? "call @f" + std::to_string(i + 1) + "(%x) : (tensor<f32>) -> tensor<f32>"
                                 : "stablehlo.sine %x : tensor<f32>";
    text += "func.func private @f" + std::to_string(i) +
            "(%x: tensor<f32>) -> tensor<f32> {\n  %0 = " + next + "\n  %1 = " + next +
            "\n  return %1 : tensor<f32>\n}\n";
  }
  EXPECT_NE(error_of(text).find("the calls of this module unfold to more than a million operations."),
            std::string::npos);
}

TEST(Parse, LongTextsAreReadInOneGo) {
  std::string list;
  for (int i = 0; i < 100000; ++i) list += (i ? ", " : "") + std::to_string(i) + ".5";
  const Array a =
      value("tensor<100000xf32>", "%r = stablehlo.constant dense<[" + list + "]> : tensor<100000xf32>");
  EXPECT_EQ(a.read<float>()[99999], 99999.5f);
}

/// What a text says about its values is compared with what they are.
TEST(Parse, TypesThatContradictTheValuesAreRefused) {
  const auto main = [](const std::string& result, const std::string& lines) {
    return error_of("func.func @main(%x: tensor<2xf32>)" + result + " {\n" + lines + "\n}\n");
  };
  EXPECT_EQ(main(" -> tensor<2xf32>", "return %x : tensor<2xf32>"), "no error");
  EXPECT_EQ(main(" -> tensor<f32>", "return %x : tensor<2xf32>"),
            "f.mlir:2:1: the function @main: result 0 is declared as tensor<f32>, but it is f32[2].");
  EXPECT_EQ(
      main(" -> tensor<2xi4>", "return %x : tensor<2xf32>"),
      "f.mlir:2:1: the function @main: result 0 is declared as tensor<2xi4>, but its elements are f32.");
  EXPECT_EQ(main(" -> tensor<2xf32>", "return %x, %x : tensor<2xf32>, tensor<2xf32>"),
            "f.mlir:2:1: the function @main: as many results as declared, 1, are required, found 2.");
  EXPECT_EQ(main("", "return %x : tensor<2xf32>"),
            "f.mlir:2:1: the function @main: as many results as declared, 0, are required, found 1.");
  EXPECT_EQ(main(" -> tensor<2xf32>", "return %x : tensor<5xf64>"),
            "f.mlir:2:1: `return`: operand 0 is declared as tensor<5xf64>, but it is f32[2].");
  EXPECT_EQ(main(" -> tensor<2xf32>", "return %x"),
            "f.mlir:2:1: `return`: as many types as values are required, found 0 and 1.");
  EXPECT_EQ(main("", "return"), "no error");
  const std::string returned = "\nreturn %0 : tensor<2xf32>";
  EXPECT_EQ(
      main(" -> tensor<2xf32>", "%0 = \"stablehlo.sine\"(%x) : (tensor<7xf64>) -> tensor<2xf32>" + returned),
      "f.mlir:2:6: `stablehlo.sine`: operand 0 is declared as tensor<7xf64>, but it is f32[2].");
  EXPECT_EQ(error_of("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                     "%0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>" +
                     returned + "\n}\nfunc.func @f(%y: tensor<3xf32>) -> tensor<3xf32> {\n" +
                     "return %y : tensor<3xf32>\n}"),
            "f.mlir:2:6: argument 0 of @f is declared as tensor<3xf32>, but it is f32[2].");
  EXPECT_EQ(error_of("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                     "%0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>" +
                     returned + "\n}\nfunc.func @f(%y: tensor<2xf32>) -> tensor<f32> {\n" +
                     "return %y : tensor<2xf32>\n}"),
            "f.mlir:6:1: the function @f: result 0 is declared as tensor<f32>, but it is f32[2].");
}

TEST(Parse, NamesAreDefinedOnceAndFunctionsReturnOnce) {
  const auto main = [](const std::string& lines) {
    return error_of("func.func @main(%x: tensor<f32>) -> tensor<f32> {\n" + lines + "\n}\n");
  };
  const std::string sine = "%0 = stablehlo.sine %x : tensor<f32>\n", end = "return %0 : tensor<f32>";
  EXPECT_EQ(main(sine + end), "no error");
  EXPECT_EQ(main("%0 = stablehlo.optimization_barrier %x, %x : tensor<f32>, tensor<f32>\n" + end),
            "f.mlir:2:6: `stablehlo.optimization_barrier` has 2 results; fewer names are given.");
  EXPECT_EQ(main(sine), "f.mlir:1:1: the function @main has no `return`.");
  EXPECT_EQ(main(sine + end + "\n" + end), "f.mlir:4:1: an operation follows `return`.");
  EXPECT_EQ(main(sine + sine + end), "f.mlir:3:6: %0 is defined twice.");
  EXPECT_EQ(main("%x = stablehlo.sine %x : tensor<f32>\nreturn %x : tensor<f32>"),
            "f.mlir:2:6: %x is defined twice.");
  EXPECT_EQ(error_of("func.func @main(%x: tensor<f32>, %x: tensor<f32>) {\nreturn\n}"),
            "f.mlir:1:1: %x is defined twice.");
  EXPECT_EQ(error_of("func.func @main() {\nreturn\n}\nfunc.func @main() {\nreturn\n}"),
            "f.mlir:4:1: the function @main is defined twice.");
  EXPECT_EQ(error_of("func.func @main() {\nreturn\n}\n\"func.func\"() <{function_type = () -> (), sym_name = "
                     "\"main\"}> ({\nreturn\n}) : () -> ()"),
            "f.mlir:4:1: the function @main is defined twice.");
  const auto region = [&](const std::string& lines) {
    return main(
        "%c = stablehlo.constant dense<1> : tensor<i32>\n"
        "%0 = \"stablehlo.case\"(%c) ({\n" +
        lines + "\n}) : (tensor<i32>) -> tensor<f32>\n" + end);
  };
  EXPECT_EQ(region("stablehlo.return %x : tensor<f32>"), "no error");
  EXPECT_EQ(region("stablehlo.return %x : tensor<2xf32>"),
            "f.mlir:4:1: `stablehlo.return`: operand 0 is declared as tensor<2xf32>, but it is f32[].");
  EXPECT_EQ(region("%1 = stablehlo.sine %x : tensor<f32>"), "f.mlir:3:6: a region has no `return`.");
  EXPECT_EQ(region("%c = stablehlo.sine %x : tensor<f32>\nstablehlo.return %c : tensor<f32>"),
            "f.mlir:4:6: %c is defined twice.");
}

}  // namespace
}  // namespace baton
