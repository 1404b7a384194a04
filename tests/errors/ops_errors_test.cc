// ops_errors: what the type rules of lax say to operands and options that do not fit.
#include "errors.h"

namespace baton {
namespace {

Array f(const Shape& shape) { return lax::zeros({f32, shape}, {}); }
Array of(Dtype dtype, const Shape& shape) { return lax::zeros({dtype, shape}, {}); }

const Program add_scalars = trace([](const Array& x, const Array& y) { return lax::add(x, y); },
                                  abstract({f32, {}}), abstract({f32, {}}));

TEST(OpsMessages, Dtypes) {
  SAYS(lax::bitcast_convert_type(of(boolean, {2}), u8),
       "bitcast_convert_type: bool and complex dtypes cannot be cast, found bool[2] to u8.");
  SAYS(lax::bitcast_convert_type(f({3}), c64),
       "bitcast_convert_type: bool and complex dtypes cannot be cast, found f32[3] to c64.");
  SAYS(lax::bitcast_convert_type(of(u8, {3}), f32),
       "bitcast_convert_type: the last axis must have extent 4 to make one f32, found u8[3].");
  SAYS(lax::bitcast_convert_type(of(u8, {}), f32),
       "bitcast_convert_type: the last axis must have extent 4 to make one f32, found u8[].");
  SAYS(lax::complex(of(bf16, {2}), of(bf16, {2})),
       "complex: the parts must be f32 or f64, found bf16[2].\n"
       "  Convert them first: astype(x, f32).");
  SAYS(lax::iota({boolean, {2}}, 0), "iota: a dtype that counts is required, found bool[2].");
  SAYS(lax::integer_pow(of(s32, {2}), -1),
       "integer_pow: integers have no negative powers, found s32[2] to the power -1.\n"
       "  Convert it first: astype(x, f32).");
  SAYS(lax::reduce_precision(f({2}), 0, 3),
       "reduce_precision: at least 1 exponent bit and 0 mantissa bits are required, found 0 and 3.");
  SAYS(lax::argmax(of(c64, {3}), 0), "argmax: operand 0 must be real or bool, found c64[3].");
  SAYS(lax::select_n(f({2}), {f({2}), f({2})}), "select_n: the selector must be bool or s32, found f32[2].");
  SAYS(lax::select_n(of(boolean, {2}), {f({2}), f({2}), f({2})}),
       "select_n: a bool selector chooses between two cases, found 3.\n"
       "  Convert it: astype(which, s32).");
  SAYS(lax::dynamic_update_slice(f({3}), of(s32, {2}), {0}),
       "dynamic_update_slice: operand and update must have one dtype, found f32[3] and s32[2].\n"
       "  Convert one with astype.");
  SAYS(lax::dot_general(of(s32, {2}), of(s32, {2}), {.lhs_contract = {0}, .rhs_contract = {0}}, c64),
       "dot_general: a product of s32[2] and s32[2] cannot be c64: integers give integers or floats, floats "
       "give floats, complex gives complex.");
  SAYS(lax::dot_general(f({2}), f({2}), {.lhs_contract = {0}, .rhs_contract = {0}}, s32),
       "dot_general: a product of f32[2] and f32[2] cannot be s32: integers give integers or floats, floats "
       "give floats, complex gives complex.");
}

TEST(OpsMessages, ShapesThatCannotBe) {
  SAYS(lax::reshape(f({}), Shape(5000, 1)),
       "reshape: a shape of 5000 axes is found; at most 1000 are possible.");
  SAYS(lax::reshape(f({}), {-1}), "reshape: the new shape must have the 1 elements of f32[], found (-1).");
  SAYS(lax::iota({s32, {-1}}, 0), "iota: an extent of the shape (-1) is negative.");
  SAYS(lax::zeros({f32, {1 << 30, 1 << 30}}),
       "broadcast_in_dim: the shape (1073741824,1073741824) has too many elements.");
  SAYS(lax::pad(f({2}), 0, {{.low = -3}}),
       "pad: the padding takes more from axis 0 of f32[2] than there is: low -3, high 0 and interior 0 give "
       "extent -1.");
  SAYS(lax::slice(f({2}), {0}, {1}, {std::int64_t{1} << 60}),
       "slice: 1152921504606846976 for strides is beyond what a shape can have.");
  SAYS(eye(std::int64_t{1} << 40), "eye: the shape (1099511627776,1099511627776) has too many elements.");
  SAYS(tile(f({2}), {std::int64_t{1} << 60}), "tile: the shape (2305843009213693952) has too many elements.");
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  SAYS(lax::reshape(f({2}), {std::int64_t{1} << 62, 8, 0}),
       "reshape: 4611686018427387904 for shape is beyond what a shape can have.");
  SAYS(lax::dot_general(f({1 << 30, 0}), f({0, 1 << 30}), {.lhs_contract = {1}, .rhs_contract = {0}}),
       "dot_general: the shape (1073741824,1073741824) has too many elements.");
  SAYS(lax::full({most}, 1.f),
       "broadcast_in_dim: 9223372036854775807 for shape is beyond what a shape can have.");
  SAYS(vmap([](const Array& x) { return x; }, {.in = {whole}, .axis_size = most})(f({})),
       "broadcast_in_dim: 9223372036854775807 for shape is beyond what a shape can have.");
  SAYS(scan(
           [](const Array& c, Nothing) {
             return Step{c, c};
           },
           f({}), Nothing{}, {.length = most}),
       "scan: 9223372036854775807 for length is beyond what a shape can have.");
  SAYS(fori_loop(
           -most, most, [](const Array&, const Array& c) { return c; }, f({})),
       "the number -9223372036854775807 is not a value of s32, the dtype of the array beside it.");
  SAYS(arange(1e30),
       "arange: start 0, stop 1e+30 and step 1 give f32[4611686018427387904]: the shape "
       "(4611686018427387904) has too many elements.");
}

TEST(OpsMessages, Domains) {
  const Array z = of(c64, {2}), t = of(boolean, {2}), i = of(s32, {2});
  SAYS(lax::add(t, t), "add: operand 0 must be a number, not bool, found bool[2].");
  SAYS(lax::neg(t), "neg: operand 0 must be a number, not bool, found bool[2].");
  SAYS(lax::sin(i),
       "sin: operand 0 must be floating or complex, found s32[2].\n"
       "  Convert it first: astype(x, f32).");
  SAYS(lax::floor(z),
       "floor: operand 0 must be real floating, found c64[2].\n"
       "  Take one of its parts first: real(x) or imag(x).");
  SAYS(lax::erf(i),
       "erf: operand 0 must be real floating, found s32[2].\n"
       "  Convert it first: astype(x, f32).");
  SAYS(lax::bitwise_and(f({2}), f({2})), "and: operand 0 must be an integer or bool, found f32[2].");
  SAYS(lax::bitwise_not(f({2})), "not: operand 0 must be an integer or bool, found f32[2].");
  SAYS(lax::shift_left(t, t), "shift_left: operand 0 must be an integer, found bool[2].");
  SAYS(lax::population_count(f({2})), "population_count: operand 0 must be an integer, found f32[2].");
  SAYS(lax::lt(z, z), "lt: operand 0 must be an integer, bool or real floating, found c64[2].");
  SAYS(lax::top_k(z, 1), "top_k: operand 0 must be a real number, neither bool nor complex, found c64[2].");
  SAYS(lax::cholesky(of(s32, {2, 2})),
       "cholesky: operand 0 must be f32, f64, c64 or c128, found s32[2,2].\n"
       "  Convert it first: astype(x, f32).");
  SAYS(lax::integer_pow(t, 2), "integer_pow: operand 0 must be a number, not bool, found bool[2].");
  SAYS(lax::nextafter(i, i),
       "nextafter: operand 0 must be real floating, found s32[2].\n"
       "  Convert it first: astype(x, f32).");
  SAYS(lax::sign(t), "sign: operand 0 must be a number, not bool, found bool[2].");
  SAYS(lax::rng_bit_generator(i, {u32, {2}}, lax::RngAlgorithm::three_fry),
       "rng_bit_generator: the state must be u64[2] for three_fry, found s32[2].");
  SAYS(lax::rng_bit_generator(i, {u32, {2}}, lax::RngAlgorithm::philox),
       "rng_bit_generator: the state must be u64[2] or u64[3], found s32[2].");
  SAYS(lax::rng_bit_generator(of(u64, {2}), {c64, {2}}, lax::RngAlgorithm::philox),
       "rng_bit_generator: bits can be integers or floating, not c64[2].");
}

TEST(OpsMessages, Shapes) {
  SAYS(lax::broadcast_in_dim(f({3}), {2, 3}, {}),
       "broadcast_in_dim: one result axis for each axis of f32[3] is required, found ().");
  SAYS(lax::broadcast_in_dim(f({3}), {2, 4}, {1}),
       "broadcast_in_dim: axis 0 of f32[3] must have extent 1 or that of result axis 1 of f32[2,4].");
  SAYS(lax::clamp(f({3}), f({2}), 1),
       "clamp: low must be f32[2] like x, or a scalar of its dtype, found f32[3].");
  SAYS(lax::clamp(0, of(s32, {2}), f({})),
       "clamp: high must be s32[2] like x, or a scalar of its dtype, found f32[].");
  SAYS(lax::concatenate({}, 0), "concatenate: at least one operand is required.");
  SAYS(lax::select_n(of(s32, {2}), {}), "select_n: a selector and at least one case are required.");
  SAYS(lax::select_n(of(boolean, {2}), {f({3}), f({3})}),
       "select_n: the selector must be a scalar or have the cases' shape, found bool[2] beside f32[3].\n"
       "  Broadcast one of them.");
  SAYS(lax::squeeze(f({1, 3}), {1}), "squeeze: axis 1 of f32[1,3] must have extent 1.");
  SAYS(lax::transpose(f({2, 3}), {0}),
       "transpose: the permutation must hold each axis of f32[2,3] once, found (0).");
  SAYS(lax::transpose(f({2, 3}), {0, 0}),
       "transpose: the permutation must hold each axis of f32[2,3] once, found (0,0).");
  SAYS(lax::slice(f({4}), {0}, {4}, {-1}),
       "slice: strides must be positive, found (-1).\n"
       "  Use rev to turn an axis round.");
  SAYS(lax::pad(f({2, 3}), 0, {{1, 1}}), "pad: one Padding for each axis of f32[2,3] is required, found 1.");
  SAYS(lax::pad(f({2}), 0, {{.interior = -1}}),
       "pad: interior padding must not be negative, found -1 on axis 0.");
  SAYS(lax::fft(of(c64, {4}), lax::FftType::fft, {}),
       "fft: lengths must be given for one or more of the last axes of c64[4], found ().");
  SAYS(lax::fft(of(c64, {4}), lax::FftType::ifft, {4, 4}),
       "ifft: lengths must be given for one or more of the last axes of c64[4], found (4,4).");
  SAYS(lax::sort(Operands({})), "sort: at least one operand is required, found none.");
  SAYS(lax::top_k(f({}), 1), "top_k: the operand must have an axis, found f32[].");
  SAYS(lax::triangular_solve(f({2, 2}), of(f64, {2, 1})),
       "triangular_solve: a and b must have one dtype, found f32[2,2] and f64[2,1].\n"
       "  Convert one with astype.");
  SAYS(lax::triangular_solve(f({3, 2, 2}), f({2, 1})),
       "triangular_solve: a and b must have the same leading axes, found f32[3,2,2] and f32[2,1].\n"
       "  Broadcast one of them.");
}

TEST(OpsMessages, GatherAndScatter) {
  const Array x = f({3, 4}), i = of(s32, {2, 1});
  const lax::GatherDims rows = {.offset_dims = {1}, .collapsed_slice_dims = {0}, .start_index_map = {0}};
  SAYS(lax::gather(x, i, rows, {1}),
       "gather: one slice size for each axis of f32[3,4] is required, found (1).");
  SAYS(lax::gather(x, i, {.offset_dims = {1}, .start_index_map = {0}}, {1, 4}),
       "gather: one offset axis of the result is required for each of the 2 axes of f32[3,4] that are "
       "neither collapsed nor batching, found (1).");
  SAYS(lax::gather(x, i, {.offset_dims = {2, 1}, .start_index_map = {0}}, {1, 4}),
       "gather: offset axes must rise, found (2,1).");
  SAYS(lax::gather(x, of(s32, {3, 1}),
                   {.offset_dims = {1}, .start_index_map = {1}, .operand_batching_dims = {0}}, {1, 1}),
       "gather: as many batching axes of the operand as of the indices are required, found (0) and ().");
  SAYS(lax::gather(x, of(s32, {3, 1}),
                   {.offset_dims = {1},
                    .start_index_map = {0},
                    .operand_batching_dims = {0},
                    .start_indices_batching_dims = {0}},
                   {1, 1}),
       "gather: the batching axis 0 of the operand must be neither indexed nor dropped from the window.");
  SAYS(lax::scatter(x, i, f({2, 4}), {.update_window_dims = {1}, .scatter_dims_to_operand_dims = {0}}),
       "scatter: one window axis of the updates is required for each of the 2 axes of f32[3,4] that are "
       "neither inserted nor batching, found (1).");
  SAYS(lax::scatter(x, i, f({2, 1, 4}), {.update_window_dims = {2, 1}, .scatter_dims_to_operand_dims = {0}}),
       "scatter: window axes of the updates must rise, found (2,1).");
  const lax::ScatterDims update = {
      .update_window_dims = {1}, .inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}};
  SAYS(lax::scatter_general({}, i, {}, add_scalars, update),
       "scatter_general: operands, indices and as many updates are required, found 1 inputs.");
  SAYS(lax::scatter_general({x, f({3, 5})}, i, {f({2, 4}), f({2, 4})}, add_scalars, update),
       "scatter_general: operands must have one shape, and so must updates, found f32[3,4] and f32[3,5].");
  SAYS(lax::scatter_general({x, x}, i, {f({2, 4}), f({2, 5})}, add_scalars, update),
       "scatter_general: operands must have one shape, and so must updates, found f32[2,4] and f32[2,5].");
  SAYS(lax::scatter_general({x, x}, i, {f({2, 4}), f({2, 4})}, add_scalars, update),
       "scatter_general: the combiner must map (f32[], f32[], f32[], f32[]) to (f32[], f32[]), found (f32[], "
       "f32[]) to (f32[]).");
}

TEST(OpsMessages, Reductions) {
  SAYS(lax::reduce({f({3})}, {}, add_scalars, {0}),
       "reduce: as many operands as initial values are required, found 1 arrays in all.");
  SAYS(lax::reduce({}, {}, add_scalars, {0}),
       "reduce: as many operands as initial values are required, found 0 arrays in all.");
  SAYS(lax::reduce_window({f({3})}, {}, add_scalars, {.dimensions = {2}}),
       "reduce_window: as many operands as initial values are required, found 1 arrays in all.");
  SAYS(lax::reduce_window_sum(f({3}), {.dimensions = {2}, .padding = {{1, 1}, {1, 1}}}),
       "reduce_window_sum: the padding must have one entry for each of the operand's 1 axes, or none, found "
       "2 entries.");
  SAYS(lax::reduce_window_sum(f({3, 3}), {.dimensions = {2}}),
       "reduce_window_sum: the window's dimensions must have one entry for each of the operand's 2 axes, or "
       "none, found (2).");
  const Program ge = trace([](const Array& x, const Array& y) { return lax::ge(x, y); }, abstract({f32, {}}),
                           abstract({f32, {}}));
  SAYS(lax::select_and_scatter(f({4}), f({4}), 0, ge, add_scalars, {.dimensions = {2}}),
       "select_and_scatter: the source must have one element for each window, shape (3) over f32[4], found "
       "f32[4].");
  SAYS(lax::select_and_scatter(f({4}), f({3}), f({1}), ge, add_scalars, {.dimensions = {2}}),
       "select_and_scatter: the initial value must be a scalar of the source's dtype, f32[], found f32[1].");
}

TEST(OpsMessages, Convolutions) {
  const Array x = f({1, 2, 5}), w = f({4, 2, 3});
  SAYS(lax::conv_general_dilated(x, w, {.dims = {.lhs = {0, 1}}}),
       "conv_general_dilated: dims.lhs: one axis number for each axis of f32[1,2,5] is required, found "
       "(0,1).");
  SAYS(lax::conv_general_dilated(x, w, {.padding = {{.interior = 1}}}),
       "conv_general_dilated: padding has no interior here; use lhs_dilation, found interior 1.");
  SAYS(lax::conv_general_dilated(x, w, {.feature_group_count = 2, .batch_group_count = 2}),
       "conv_general_dilated: feature_group_count and batch_group_count must not both be above 1, found 2 "
       "and 2.");
  SAYS(
      lax::conv_general_dilated(x, f({4, 2, 0})),
      "conv_general_dilated: the window must have at least one element on every axis, found rhs f32[4,2,0].");
}

}  // namespace
}  // namespace baton
