// stablehlo_errors: what is said of operations of StableHLO whose operands or attributes do not fit.
#include "baton/stablehlo.h"
#include "errors.h"
#include "interop/runner.h"

namespace baton {
namespace {

/// Imports a function that takes these values and has this line in it.
void import(const std::string& inputs, const std::string& line) {
  import_stablehlo("func.func @main(" + inputs + ") {\n" + line + "\nreturn\n}", "main", "f.mlir");
}
const std::string f2 = "%a: tensor<2xf32>", i2 = "%a: tensor<2xi32>";

TEST(StablehloMessages, Attributes) {
  EXPECT_MESSAGE(import(f2, "%0 = \"stablehlo.concatenate\"(%a) : (tensor<2xf32>) -> tensor<2xf32>"),
                 "f.mlir:2:6: stablehlo.concatenate: the attribute `dimension` is missing.");
  EXPECT_MESSAGE(
      import(f2,
             "%0 = \"stablehlo.concatenate\"(%a) <{dimension = [0, 1]}> : (tensor<2xf32>) -> tensor<2xf32>"),
      "f.mlir:2:6: stablehlo.concatenate: the attribute `dimension` must be one integer.");
  EXPECT_MESSAGE(import("%a: tensor<2xui64>",
                        "%0:2 = \"stablehlo.rng_bit_generator\"(%a) <{rng_algorithm = "
                        "#stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> tensor<2xui64>"),
                 "f.mlir:2:8: stablehlo.rng_bit_generator: the type of result 1 is missing.");
  EXPECT_MESSAGE(
      import(f2 + ", %i: tensor<f32>",
             "%0 = \"stablehlo.reduce_window\"(%a, %i) <{window_dimensions = array<i64: 1>, padding = "
             "array<i64: 1>}> ({\n^b(%x: tensor<f32>, %y: tensor<f32>):\nstablehlo.return %x : "
             "tensor<f32>\n}) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>"),
      "f.mlir:2:6: stablehlo.reduce_window: `padding` must hold pairs.");
  EXPECT_MESSAGE(
      import(f2, "%0 = \"chlo.constant_like\"(%a) <{value = \"one\"}> : (tensor<2xf32>) -> tensor<2xf32>"),
      "f.mlir:2:6: chlo.constant_like: `value` must be a number.");
}

TEST(StablehloMessages, Axes) {
  EXPECT_MESSAGE(import("", "%0 = stablehlo.iota dim = 1 : tensor<2xi32>"),
                 "f.mlir:2:6: stablehlo.iota: axis 1 is not one of s32[2].");
  EXPECT_MESSAGE(import(f2, "%0 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2xf32>) -> tensor<i32>"),
                 "f.mlir:2:6: stablehlo.get_dimension_size: axis 1 is not one of f32[2].");
  EXPECT_MESSAGE(
      import(f2,
             "%0 = stablehlo.concatenate %a, dim = 99999999999999999999 : (tensor<2xf32>) -> tensor<2xf32>"),
      "f.mlir:2:38: the number `99999999999999999999` is too large.");
  EXPECT_MESSAGE(import(f2, "%0 = stablehlo.concatenate %a, dim = 1.e : (tensor<2xf32>) -> tensor<2xf32>"),
                 "f.mlir:2:38: a number is required, found `1.e`.");
  EXPECT_MESSAGE(import(f2,
                        "%0 = stablehlo.dot_general %a, %a, contracting_dims = [0] : (tensor<2xf32>, "
                        "tensor<2xf32>) -> tensor<f32>"),
                 "f.mlir:2:6: stablehlo.dot_general: `contracting_dims` must be [...] x [...].");
  EXPECT_MESSAGE(import("%x: tensor<2xi32>, %c: tensor<i32>",
                        "%0 = \"chlo.scan\"(%x, %c) <{dimension = 1 : i64, operandSegmentSizes = array<i32: "
                        "1, 1>}> ({\n^bb0(%a: tensor<i32>, %s: tensor<i32>):\nstablehlo.return %s : "
                        "tensor<i32>\n}) : (tensor<2xi32>, tensor<i32>) -> (tensor<i32>)"),
                 "f.mlir:2:6: chlo.scan: axis 1 is not one of s32[2].");
}

TEST(StablehloMessages, Calls) {
  EXPECT_MESSAGE(import_stablehlo("func.func private @main()", "main", "f.mlir"),
                 "f.mlir:1:1: the function @main has no body.");
  std::string text = "func.func @main() {\nfunc.call @f0() : () -> ()\nreturn\n}\n";
  for (int i = 0; i < 300; ++i)
    text += "func.func private @f" + std::to_string(i) + "() {\nfunc.call @f" + std::to_string(i + 1) +
            "() : () -> ()\nreturn\n}\n";
  EXPECT_MESSAGE(import_stablehlo(text, "main", "f.mlir"), "f.mlir:798:1: calls nest more than 200 deep.");
  EXPECT_MESSAGE(import("", "func.call @none() : () -> ()"),
                 "f.mlir:2:1: there is no function @none to call.");
  EXPECT_MESSAGE(import("", "func.call @main() : () -> ()"), "f.mlir:2:1: the function @main calls itself.");
  EXPECT_MESSAGE(import_stablehlo(std::string("func\0", 5), "main", "f.mlir"),
                 "f.mlir: this is a binary file; the text of a module is required.\n"
                 "  Write the text of the program for the CPU: open(\"f.mlir\", "
                 "\"w\").write(jax.jit(f).lower(x).as_text()).");
}

TEST(StablehloMessages, CallsThatUnfold) {
  std::string text;
  for (int i = 0; i < 25; ++i) {
    const std::string name = i == 24 ? "main" : "f" + std::to_string(24 - i),
                      call = "func.call @f" + std::to_string(23 - i) + "() : () -> ()\n";
    text += "func.func @" + name + "() {\n" + call + call + "return\n}\n";
  }
  text += "func.func @f0() {\n%0 = stablehlo.constant dense<1> : tensor<i32>\nreturn\n}\n";
  EXPECT_MESSAGE(import_stablehlo(text, "f24", "f.mlir"),
                 "f.mlir:112:1: the calls of this module unfold to more than a million operations.");
  EXPECT_MESSAGE(
      import("", "%0 = stablehlo.custom_call @Qr() : () -> tensor<f32>"),
      "f.mlir:2:6: the custom call @Qr belongs to a program that was lowered for a TPU.\n"
      "  Lower the program for the CPU: jax.jit(f).trace(x).lower(lowering_platforms=(\"cpu\",)).as_text()");
  EXPECT_MESSAGE(import("", "%0 = stablehlo.custom_call @mine() : () -> tensor<f32>"),
                 "f.mlir:2:6: the custom call @mine calls code that Baton does not have.\n"
                 "  Lower the program for the CPU, without this call: "
                 "jax.jit(f).trace(x).lower(lowering_platforms=(\"cpu\",)).as_text()");
}

TEST(StablehloMessages, Elementwise) {
  EXPECT_MESSAGE(
      import(f2, "%0 = stablehlo.compare LESS, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>"),
      "f.mlir:2:6: stablehlo.compare: a direction EQ, NE, LT, LE, GT or GE is required, found `LESS`.");
  EXPECT_MESSAGE(
      import("%a: tensor<3xi1>", "%0 = stablehlo.bitcast_convert %a : (tensor<3xi1>) -> tensor<i8>"),
      "f.mlir:2:6: stablehlo.bitcast_convert: a last axis of 8 bits is required.");
  EXPECT_MESSAGE(import(f2, "%0 = stablehlo.reduce_precision %a, format = m10 : tensor<2xf32>"),
                 "f.mlir:2:6: stablehlo.reduce_precision: a format such as e5m10 is required, found `m10`.");
  EXPECT_MESSAGE(
      import(f2,
             "%0 = \"stablehlo.map\"(%a) <{dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2xf32>"),
      "f.mlir:2:6: stablehlo.map: a region with one argument for each operand is required.");
}

TEST(StablehloMessages, Shapes) {
  EXPECT_MESSAGE(import(f2, "%0 = stablehlo.slice %a [0] : (tensor<2xf32>) -> tensor<1xf32>"),
                 "f.mlir:2:6: stablehlo.slice: ranges start:limit or start:limit:stride are required.");
  EXPECT_MESSAGE(import(f2 + ", %p: tensor<f32>",
                        "%0 = stablehlo.pad %a, %p, low = [1], high = [1, 1], interior = [0] : "
                        "(tensor<2xf32>, tensor<f32>) -> tensor<4xf32>"),
                 "f.mlir:2:6: stablehlo.pad: low, high and interior must be of one length.");
  EXPECT_MESSAGE(
      import(
          f2 + ", %p: tensor<f32>",
          "%l = stablehlo.constant dense<1.0> : tensor<1xf32>\n%0 = stablehlo.dynamic_pad %a, %p, %l, %l, %l "
          ": (tensor<2xf32>, tensor<f32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>"),
      "f.mlir:3:6: stablehlo.dynamic_pad: a list of at most 64 integers is required, found f32[1].");
  EXPECT_MESSAGE(
      import(f2 + ", %i: tensor<1xi32>",
             "%0 = \"stablehlo.gather\"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims "
             "= [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}> : "
             "(tensor<2xf32>, tensor<1xi32>) -> tensor<f32>"),
      "f.mlir:2:6: stablehlo.gather: index_vector_dim is 2, but the indices are s32[1].");
  EXPECT_MESSAGE(import(f2 + ", %i: tensor<1xi32>",
                        "%0 = \"stablehlo.scatter\"(%a, %i) <{scatter_dimension_numbers = "
                        "#stablehlo.scatter<inserted_window_dims = [0]>}> ({\n}) : (tensor<2xf32>, "
                        "tensor<1xi32>) -> tensor<2xf32>"),
                 "f.mlir:2:6: stablehlo.scatter: operands, indices and updates are required.");
}

TEST(StablehloMessages, Products) {
  EXPECT_MESSAGE(
      import("%a: tensor<f32>", "%0 = stablehlo.dot %a, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>"),
      "f.mlir:2:6: stablehlo.dot: vectors or matrices are required, found f32[] and f32[].");
  EXPECT_MESSAGE(import("%a: tensor<1x1x4xf32>",
                        "%0 = stablehlo.convolution(%a, %a) dim_numbers = [b, f]x[o, i]->[b], window = {} "
                        "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4xf32>, "
                        "tensor<1x1x4xf32>) -> tensor<1x1x1xf32>"),
                 "f.mlir:2:6: stablehlo.convolution: dimension numbers such as [b, 0, f]x[0, i, o]->[b, 0, "
                 "f] are required.");
  EXPECT_MESSAGE(import("%a: tensor<2xcomplex<f32>>",
                        "%0 = stablehlo.fft %a, type = FT, length = [2] : (tensor<2xcomplex<f32>>) -> "
                        "tensor<2xcomplex<f32>>"),
                 "f.mlir:2:6: stablehlo.fft: a type FFT, IFFT, RFFT or IRFFT is required, found `FT`.");
  EXPECT_MESSAGE(import(f2, "%0 = stablehlo.cholesky %a, lower = true : tensor<2xf32>"),
                 "f.mlir:2:6: stablehlo.cholesky: a matrix is required, found f32[2].");
  EXPECT_MESSAGE(
      import("", "%0:2 = stablehlo.custom_call @lapack_spotrf_ffi() : () -> (tensor<2xf32>, tensor<i32>)"),
      "f.mlir:2:8: stablehlo.custom_call: a matrix is required, found no operand.");
  EXPECT_MESSAGE(import(f2,
                        "%0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) : (tensor<2xf32>) -> "
                        "(tensor<2xf32>, tensor<i32>)"),
                 "f.mlir:2:8: stablehlo.custom_call: a matrix is required, found f32[2].");
}

TEST(StablehloMessages, Reductions) {
  EXPECT_MESSAGE(import(f2 + ", %i: tensor<f32>",
                        "%0 = stablehlo.reduce(%a init: %i) applies stablehlo.none across dimensions = [0] : "
                        "(tensor<2xf32>, tensor<f32>) -> tensor<f32>"),
                 "f.mlir:2:6: stablehlo.reduce: `applies stablehlo.none` is not a reducer.");
  EXPECT_MESSAGE(
      import(f2,
             "%0 = \"stablehlo.reduce\"(%a) <{dimensions = array<i64: 0>}> ({\n}) : "
             "(tensor<2xf32>) -> tensor<f32>"),
      "f.mlir:2:6: stablehlo.reduce: operands and as many initial values are required, found 1 in all.");
  EXPECT_MESSAGE(import(f2,
                        "%0 = \"stablehlo.reduce_window\"(%a) <{window_dimensions = array<i64: 1>}> ({\n}) : "
                        "(tensor<2xf32>) -> tensor<f32>"),
                 "f.mlir:2:6: stablehlo.reduce_window: operands and as many initial values are required, "
                 "found 1 in all.");
  EXPECT_MESSAGE(import("", "\"stablehlo.sort\"() <{dimension = 0 : i64}> ({\n}) : () -> ()"),
                 "f.mlir:2:1: stablehlo.sort: an operand is required.");
}

TEST(StablehloMessages, Branches) {
  EXPECT_MESSAGE(import("%a: tensor<i32>", "%0 = \"stablehlo.case\"(%a) : (tensor<i32>) -> tensor<i32>"),
                 "f.mlir:2:6: stablehlo.case: a branch is required.");
  EXPECT_MESSAGE(import("%a: tensor<i64>",
                        "%0 = \"stablehlo.case\"(%a) ({\nstablehlo.return %a : tensor<i64>\n}) : "
                        "(tensor<i64>) -> tensor<i64>"),
                 "f.mlir:2:6: stablehlo.case: an index i32 is required, found s64[].");
  EXPECT_MESSAGE(
      import(
          "%a: tensor<i1>",
          "%0 = \"stablehlo.if\"(%a) ({\nstablehlo.return %a : tensor<i1>\n}) : (tensor<i1>) -> tensor<i1>"),
      "f.mlir:2:6: stablehlo.if: two regions are required, found 1.");
  EXPECT_MESSAGE(import("%a: tuple<tensor<i32>>",
                        "%0 = stablehlo.get_tuple_element %a[1] : (tuple<tensor<i32>>) -> tensor<i32>"),
                 "f.mlir:1:1: the argument %a has the type tuple<tensor<i32>>, which is not supported.");
  EXPECT_MESSAGE(import("%a: tensor<i32>",
                        "%t = stablehlo.tuple %a : tuple<tensor<i32>>\n%0 = stablehlo.get_tuple_element "
                        "%t[1] : (tuple<tensor<i32>>) -> tensor<i32>"),
                 "f.mlir:3:6: stablehlo.get_tuple_element: the tuple has no element 1.");
}

TEST(StablehloMessages, Loops) {
  const auto loop = [](const std::string& condition, const std::string& body) {
    import("%a: tensor<i32>, %c: tensor<i1>",
           "%0 = stablehlo.while(%i = %a) : tensor<i32>\ncond {\nstablehlo.return " + condition +
               "\n} do {\nstablehlo.return " + body + "\n}");
  };
  EXPECT_MESSAGE(loop("%a : tensor<i32>", "%i : tensor<i32>"),
                 "f.mlir:2:6: stablehlo.while: the condition must return one tensor<i1>.");
  EXPECT_MESSAGE(loop("%c : tensor<i1>", "%c : tensor<i1>"),
                 "f.mlir:2:6: stablehlo.while: the body must return the types that it takes.");
  const auto scan = [](const std::string& operands, const std::string& types, const std::string& sizes,
                       const std::string& result) {
    import("%x: tensor<2xi32>, %c: tensor<i32>",
           "%0 = \"chlo.scan\"(" + operands +
               ") <{dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: " + sizes +
               ">}> ({\n^bb0(%a: tensor<i32>, %s: tensor<i32>):\nstablehlo.return " + result + "\n}) : (" +
               types + ") -> (tensor<i32>)");
  };
  EXPECT_MESSAGE(scan("%x, %c", "tensor<2xi32>, tensor<i32>", "1, 3", "%s : tensor<i32>"),
                 "f.mlir:2:6: chlo.scan: operandSegmentSizes does not fit the 2 operands.");
  EXPECT_MESSAGE(scan("%c", "tensor<i32>", "0, 1", "%s : tensor<i32>"),
                 "f.mlir:2:6: chlo.scan: an operand to scan over is required.");
  EXPECT_MESSAGE(scan("%x, %c", "tensor<2xi32>, tensor<i32>", "1, 1", ""),
                 "f.mlir:2:6: chlo.scan: the body must return the carry.");
}

/// Imports processes @f, @g of one value each that run together on two values.
void parallel(const std::string& line, const std::string& programs = "[[@f], [@f]]",
              const std::string& more = "") {
  import_stablehlo("func.func @f(%x: tensor<3xi32>) -> tensor<3xi32> {\n" + line +
                       "\nreturn %x : tensor<3xi32>\n}\n"
                       "func.func @main(%a: tensor<3xi32>) {\n%0:2 = \"interpreter.run_parallel\"(%a, %a) {" +
                       more + "programs = " + programs +
                       "} : (tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>)\nreturn\n}",
                   "main", "f.mlir");
}

TEST(StablehloMessages, Processes) {
  const std::string type = " : (tensor<3xi32>) -> tensor<3xi32>",
                    groups = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>";
  EXPECT_MESSAGE(parallel("", "[[@f], [@f, @f]]"),
                 "f.mlir:6:8: interpreter.run_parallel: every replica must have as many partitions.");
  EXPECT_MESSAGE(parallel("", "[[@f], [@g]]"),
                 "f.mlir:6:8: interpreter.run_parallel: there is no function @g.");
  EXPECT_MESSAGE(parallel("%0 = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = "
                          "dense<0> : tensor<2xi64>}>" +
                          type),
                 "f.mlir:2:6: stablehlo.all_gather: a list of lists is required.");
  EXPECT_MESSAGE(
      parallel("%0 = \"stablehlo.all_to_all\"(%x) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, "
               "split_count = 2 : i64, " +
               groups + "}>" + type),
      "f.mlir:2:6: stablehlo.all_to_all: the split axis must divide into the 2 processes of the group.");
  EXPECT_MESSAGE(parallel("%0 = \"stablehlo.reduce_scatter\"(%x) <{scatter_dimension = 0 : i64, " + groups +
                          "}> ({\n^b(%p: tensor<i32>, %q: tensor<i32>):\n%s = stablehlo.add %p, %q : "
                          "tensor<i32>\nstablehlo.return %s : tensor<i32>\n})" +
                          type),
                 "f.mlir:2:6: stablehlo.reduce_scatter: the scattered axis must divide into the processes of "
                 "the group.");
  EXPECT_MESSAGE(
      parallel("%r = stablehlo.constant dense<5> : tensor<1xi64>\n%0 = "
               "\"stablehlo.collective_broadcast\"(%x, %r) <{has_dynamic_root = true, " +
               groups + "}> : (tensor<3xi32>, tensor<1xi64>) -> tensor<3xi32>"),
      "f.mlir:3:6: stablehlo.collective_broadcast: a root of the group is required for each operand.");
  EXPECT_MESSAGE(parallel("%t = stablehlo.create_token : !stablehlo.token\n%0:2 = \"stablehlo.infeed\"(%t) : "
                          "(!stablehlo.token) -> (tensor<i32>, !stablehlo.token)"),
                 "f.mlir:3:8: stablehlo.infeed: the infeed is empty.");
}

TEST(StablehloMessages, Checks) {
  EXPECT_MESSAGE(import(i2, "check.expect_almost_eq %a, %a : tensor<2xi32>"),
                 "f.mlir:2:1: check.expect_almost_eq: a floating type is required, found s32[2].");
  EXPECT_MESSAGE(
      import(i2, "check.expect_close %a, %a, max_ulp_difference = 1 : tensor<2xi32>, tensor<2xi32>"),
      "f.mlir:2:1: check.expect_close: a floating type is required, found s32[2].");
  EXPECT_MESSAGE(import(f2,
                        "\"check.expect_almost_eq\"(%a, %a) <{tolerance = \"small\"}> : (tensor<2xf32>, "
                        "tensor<2xf32>) -> ()"),
                 "f.mlir:2:1: check.expect_almost_eq: `tolerance` must be a number.");
  EXPECT_MESSAGE(
      import(f2, "check.expect_serialized_eq %a, probe_id = \"a\" : tensor<2xf32>"),
      "f.mlir:2:1: check.expect_serialized_eq: no probe `a` comes before, or not as often as `iter` asks.");
}

}  // namespace
}  // namespace baton
