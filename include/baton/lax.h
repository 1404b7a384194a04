#pragma once
// lax: the primitives, with the names and meaning of jax.lax. They neither broadcast nor promote: operands of
// an elementwise operation have one type, but a number takes the type of the array beside it. `baton/numpy.h`
// has the friendlier functions on top.
#include <optional>

#include "baton/array.h"
#include "baton/program.h"

namespace baton::lax {

// ---- elementwise, one operand
// -------------------------------------------------------------------------------------
#define BATON_UNARY(name) Array name(Operand x);
BATON_UNARY(neg)
BATON_UNARY(sign)  // -1, 0, 1; NaN for NaN; z/|z| for complex
BATON_UNARY(abs)   // real for complex operands
BATON_UNARY(square)
BATON_UNARY(exp)
BATON_UNARY(exp2)
BATON_UNARY(log)
BATON_UNARY(expm1)
BATON_UNARY(log1p)
BATON_UNARY(sin)
BATON_UNARY(cos)
BATON_UNARY(tan)
BATON_UNARY(asin)
BATON_UNARY(acos)
BATON_UNARY(atan)
BATON_UNARY(sinh)
BATON_UNARY(cosh)
BATON_UNARY(tanh)
BATON_UNARY(asinh)
BATON_UNARY(acosh)
BATON_UNARY(atanh)
BATON_UNARY(sqrt)
BATON_UNARY(rsqrt)
BATON_UNARY(cbrt)
BATON_UNARY(erf)
BATON_UNARY(erfc)
BATON_UNARY(erf_inv)
BATON_UNARY(lgamma)
BATON_UNARY(digamma)
BATON_UNARY(bessel_i0e)
BATON_UNARY(bessel_i1e)
BATON_UNARY(logistic)
BATON_UNARY(floor)
BATON_UNARY(ceil)
BATON_UNARY(is_finite)  // bool
BATON_UNARY(bitwise_not)
BATON_UNARY(population_count)
BATON_UNARY(clz)
BATON_UNARY(real)
BATON_UNARY(imag)
BATON_UNARY(conj)           // a complex operand's conjugate
BATON_UNARY(stop_gradient)  // the operand; its derivative is zero
#undef BATON_UNARY

enum class Rounding { away_from_zero, to_nearest_even };
Array round(Operand x, Rounding method = Rounding::away_from_zero);
Array integer_pow(Operand x, int exponent);  // exponent may be negative for inexact dtypes
Array convert_element_type(Operand x, Dtype dtype);
/// The same bits as another dtype. A narrower dtype adds a last axis, a wider one takes the last axis away.
Array bitcast_convert_type(Operand x, Dtype dtype);
Array reduce_precision(Operand x, int exponent_bits, int mantissa_bits);
/// The operand, under a name that checkpoint policies know.
Array checkpoint_name(Operand x, std::string name);

// ---- elementwise, two or three operands
// ---------------------------------------------------------------------------
#define BATON_BINARY(name) Array name(Operand x, Operand y);
BATON_BINARY(add)
BATON_BINARY(sub)
BATON_BINARY(mul)
BATON_BINARY(div)  // integers: truncated; x / 0 is -1, min / -1 is min
BATON_BINARY(rem)  // sign of x; integers: x rem 0 is x
BATON_BINARY(max)  // NaN if either is
BATON_BINARY(min)
BATON_BINARY(atan2)
BATON_BINARY(pow)  // y may be an integer array beside an inexact x
BATON_BINARY(nextafter)
BATON_BINARY(polygamma)  // order m, x
BATON_BINARY(zeta)       // Hurwitz: sum of (k + q)^-x; operands x, q
BATON_BINARY(igamma)     // regularised lower incomplete gamma: operands a, x
BATON_BINARY(igammac)
BATON_BINARY(igamma_grad_a)  // d igamma / d a
BATON_BINARY(bitwise_and)    // integers and bool
BATON_BINARY(bitwise_or)
BATON_BINARY(bitwise_xor)
BATON_BINARY(shift_left)  // by at least the width: 0
BATON_BINARY(shift_right_arithmetic)
BATON_BINARY(shift_right_logical)
BATON_BINARY(mulhi)    // upper half of the double-width product
BATON_BINARY(complex)  // f32 parts give c64, f64 parts c128
BATON_BINARY(eq)       // bool
BATON_BINARY(ne)
BATON_BINARY(lt)
BATON_BINARY(le)
BATON_BINARY(gt)
BATON_BINARY(ge)
#undef BATON_BINARY
/// x < y in the order of sort: -inf < ... < -0 = 0 < ... < inf < NaN, of either sign; all NaN are equal.
/// Complex: by parts.
Array lt_total(Operand x, Operand y);
Array clamp(Operand low, Operand x, Operand high);  // low and high: of x's type, or scalars
/// Element by element: cases[which]. `which` is bool (two cases) or s32; it has the cases' shape or is a
/// scalar.
Array select_n(Operand which, Operands cases);
/// select(predicate, x, y): x where the predicate holds.
Array select(Operand predicate, Operand on_true, Operand on_false);

// ---- shape
// --------------------------------------------------------------------------------------------------------
Array iota(const Type& type, int dimension, Where where = Where::here());
Array full(const Shape& shape, Operand value);   // a scalar, broadcast
Array full_like(const Array& x, Operand value);  // of x's type
Array zeros(const Type& type, Where where = Where::here());
/// Result axis dimensions[i] is operand axis i; operand extents are 1 or equal.
Array broadcast_in_dim(Operand x, const Shape& shape, const std::vector<std::int64_t>& dimensions);
Array reshape(Operand x, const Shape& shape);  // row-major order is kept
Array squeeze(Operand x, const std::vector<std::int64_t>& dimensions);
Array expand_dims(Operand x, const std::vector<std::int64_t>& dimensions);  // positions in the result
Array transpose(
    Operand x, const std::vector<std::int64_t>& permutation);  // result axis i is operand axis permutation[i]
Array rev(Operand x, const std::vector<std::int64_t>& dimensions);
/// Elements start, start+stride, ... below limit on each axis. No strides: all 1.
Array slice(Operand x, const Shape& start, const Shape& limit, const Shape& strides = {});
Array slice_in_dim(Operand x, std::int64_t start, std::int64_t limit, std::int64_t stride = 1, int axis = 0);
/// Of starts that are computed.
struct DynamicStarts {
  bool allow_negative_indices = true;  // a negative start counts from the end; false: it is clamped to 0
};
/// One integer scalar start for each axis; starts are clamped so that the slice fits.
Array dynamic_slice(Operand x, Operands starts, const Shape& sizes, const DynamicStarts& o = {});
Array dynamic_update_slice(Operand x, Operand update, Operands starts, const DynamicStarts& o = {});
Array dynamic_index_in_dim(Operand x, Operand index, int axis = 0, bool keepdims = false,
                           const DynamicStarts& o = {});
Array dynamic_update_index_in_dim(Operand x, Operand update, Operand index, int axis = 0,
                                  const DynamicStarts& o = {});
struct Padding {
  std::int64_t low = 0, high = 0;  // negative: cut off
  std::int64_t interior = 0;       // between elements; not negative
  bool operator==(const Padding&) const = default;
};
Array pad(Operand x, Operand value, const std::vector<Padding>& padding);
Array concatenate(Operands operands, int dimension);

// ---- gather and scatter (StableHLO's meaning)
// ---------------------------------------------------------------------
enum class GatherMode { fill, clip, promise_in_bounds };  // of indices out of bounds
struct GatherDims {
  std::vector<std::int64_t> offset_dims = {};
  std::vector<std::int64_t> collapsed_slice_dims = {};
  std::vector<std::int64_t> start_index_map = {};
  std::vector<std::int64_t> operand_batching_dims = {};
  std::vector<std::int64_t> start_indices_batching_dims = {};
};
struct GatherOptions {
  GatherMode mode = GatherMode::fill;
  std::optional<double> fill_value = {};  // mode fill: default NaN, or the lowest value of signed, highest of
                                          // unsigned; a number of the dtype
  bool indices_are_sorted = false;        // promises, for speed
  bool unique_indices = false;
};
/// The last axis of `indices` is the index vector.
Array gather(Operand operand, Operand indices, const GatherDims& dims, const Shape& slice_sizes,
             const GatherOptions& options = {});
enum class ScatterMode { drop, clip, promise_in_bounds };
struct ScatterDims {
  std::vector<std::int64_t> update_window_dims = {};
  std::vector<std::int64_t> inserted_window_dims = {};
  std::vector<std::int64_t> scatter_dims_to_operand_dims = {};
  std::vector<std::int64_t> operand_batching_dims = {};
  std::vector<std::int64_t> scatter_indices_batching_dims = {};
};
struct ScatterOptions {
  ScatterMode mode = ScatterMode::drop;
  bool indices_are_sorted = false;
  bool unique_indices = false;  // also after clip has moved them, on which derivatives rely
};
Array scatter(Operand operand, Operand indices, Operand updates, const ScatterDims& dims,
              const ScatterOptions& o = {});
Array scatter_add(Operand operand, Operand indices, Operand updates, const ScatterDims& dims,
                  const ScatterOptions& o = {});
Array scatter_sub(Operand operand, Operand indices, Operand updates, const ScatterDims& dims,
                  const ScatterOptions& o = {});
Array scatter_mul(Operand operand, Operand indices, Operand updates, const ScatterDims& dims,
                  const ScatterOptions& o = {});
Array scatter_min(Operand operand, Operand indices, Operand updates, const ScatterDims& dims,
                  const ScatterOptions& o = {});
Array scatter_max(Operand operand, Operand indices, Operand updates, const ScatterDims& dims,
                  const ScatterOptions& o = {});
/// Any combiner over several operands: a Program (old..., update...) -> (new...) of scalars.
Arrays scatter_general(Operands operands, Operand indices, Operands updates, const Program& combiner,
                       const ScatterDims& dims, const ScatterOptions& o = {});

// ---- reductions
// ---------------------------------------------------------------------------------------------------
Array reduce_sum(Operand x, const std::vector<std::int64_t>& axes);
Array reduce_prod(Operand x, const std::vector<std::int64_t>& axes);
Array reduce_max(Operand x, const std::vector<std::int64_t>& axes);
Array reduce_min(Operand x, const std::vector<std::int64_t>& axes);
Array reduce_and(Operand x, const std::vector<std::int64_t>& axes);  // bitwise, or logical for bool
Array reduce_or(Operand x, const std::vector<std::int64_t>& axes);
Array reduce_xor(Operand x, const std::vector<std::int64_t>& axes);
/// Any combiner over several operands: a Program (left..., right...) -> (result...) of scalars.
Arrays reduce(Operands operands, Operands inits, const Program& combiner,
              const std::vector<std::int64_t>& axes);
Array argmax(Operand x, int axis, Dtype index_dtype = s32);  // the first among equals; a NaN is the largest
Array argmin(Operand x, int axis, Dtype index_dtype = s32);  // a NaN is the smallest
Array cumsum(Operand x, int axis = 0, bool reverse = false);
Array cumprod(Operand x, int axis = 0, bool reverse = false);
Array cummax(Operand x, int axis = 0, bool reverse = false);
Array cummin(Operand x, int axis = 0, bool reverse = false);
Array cumlogsumexp(Operand x, int axis = 0, bool reverse = false);

/// A window over every axis; empty lists mean all 1 (padding: none).
struct Window {
  Shape dimensions = {};
  Shape strides = {};
  std::vector<Padding> padding = {};  // interior must be 0
  Shape base_dilation = {};
  Shape window_dilation = {};
};
Arrays reduce_window(Operands operands, Operands inits, const Program& combiner, const Window& window);
Array reduce_window_sum(Operand x, const Window& window);
Array reduce_window_max(Operand x, const Window& window);
Array reduce_window_min(Operand x, const Window& window);
/// For each window of the operand, the element that `select` (a, b) -> bool prefers gets the source's
/// element, combined by `scatter` (old, source) -> new. The window has no dilations.
Array select_and_scatter(Operand operand, Operand source, Operand init, const Program& select,
                         const Program& scatter, const Window& window);
/// The same with a >= (or <=) selection and a sum, as max_pool's and min_pool's adjoint.
Array select_and_scatter_add(Operand source, Operand operand, bool select_max, const Window& window);
/// For each window of the operand, the tangent at the element that >= (or <=) prefers.
Array select_and_gather_add(Operand tangents, Operand operand, bool select_max, const Window& window);

// ---- products
// -----------------------------------------------------------------------------------------------------
struct DotDims {
  std::vector<std::int64_t> lhs_contract = {}, rhs_contract = {};
  std::vector<std::int64_t> lhs_batch = {}, rhs_batch = {};
};
/// Result axes: batch, then lhs free, then rhs free. `preferred` is the dtype of the result; default: the
/// operands'.
Array dot_general(Operand lhs, Operand rhs, const DotDims& dims, std::optional<Dtype> preferred = {});
/// Axis numbers of each array: batch and feature, or output and input feature, then the spatial axes in
/// order.
struct ConvDims {
  std::vector<std::int64_t> lhs = {};  // batch, feature, spatial...
  std::vector<std::int64_t> rhs = {};  // output feature, input feature, spatial...
  std::vector<std::int64_t> out = {};  // batch, feature, spatial...
};
struct ConvOptions {
  std::vector<std::int64_t> strides = {};  // empty: all 1
  std::vector<Padding> padding = {};       // low and high of each spatial axis; empty: none
  std::vector<std::int64_t> lhs_dilation = {};
  std::vector<std::int64_t> rhs_dilation = {};
  ConvDims dims = {};  // empty: NCHW, OIHW, NCHW
  std::int64_t feature_group_count = 1;
  std::int64_t batch_group_count = 1;
  std::vector<bool> window_reversal = {};  // StableHLO's; empty: none
  std::optional<Dtype> preferred = {};
};
Array conv_general_dilated(Operand lhs, Operand rhs, const ConvOptions& options = {});

// ---- sort
// ---------------------------------------------------------------------------------------------------------
struct SortOptions {
  int dimension = -1;
  bool is_stable = true;
  int num_keys = 1;  // the first operands, compared in order by lt_total
};
Arrays sort(Operands operands, const SortOptions& options = {});
/// Any comparator: a Program (a0, b0, a1, b1, ...) -> bool, true where a comes before b.
Arrays sort_by(Operands operands, const Program& comparator, int dimension, bool is_stable);
/// The k largest of the last axis, in falling order, and their s32 indices; ties in rising order of index.
std::pair<Array, Array> top_k(Operand x, std::int64_t k);

// ---- random bits
// --------------------------------------------------------------------------------------------------
/// One block of threefry-2x32 for each element: u32 arrays of one shape. Returns the two words.
std::pair<Array, Array> threefry2x32(Operand key0, Operand key1, Operand count0, Operand count1);
enum class RngAlgorithm { default_, three_fry, philox };
/// XLA's generator: (new state, bits of this type). The state is u64[2] (three_fry), u64[2] or u64[3]
/// (philox).
std::pair<Array, Array> rng_bit_generator(Operand state, const Type& type, RngAlgorithm algorithm);

// ---- transforms of numbers and matrices
// ---------------------------------------------------------------------------
enum class FftType { fft, ifft, rfft, irfft };
/// Over the last `lengths.size()` axes; lengths are those of the (real, for rfft and irfft) signal.
Array fft(Operand x, FftType type, const std::vector<std::int64_t>& lengths);
/// The lower factor of a batch of Hermitian matrices; NaN where one is not positive definite.
Array cholesky(Operand x, bool symmetrize_input = true);
struct TriangularSolve {
  bool left_side = true;  // solve op(a) x = b, or x op(a) = b
  bool lower = false;
  bool transpose_a = false;
  bool conjugate_a = false;
  bool unit_diagonal = false;
};
Array triangular_solve(Operand a, Operand b, const TriangularSolve& options = {});
std::pair<Array, Array> qr(Operand x, bool full_matrices = false);  // signs as LAPACK's geqrf and orgqr
struct Eigh {
  Array vectors, values;  // values rise
};
Eigh eigh(Operand x, bool lower = true, bool symmetrize_input = true);
struct Svd {
  Array u, s, vt;  // s falls
};
Svd svd(Operand x, bool full_matrices = false);
struct Lu {
  Array lu, pivots, permutation;  // pivots as LAPACK's, from 0; x[permutation] = l u
};
Lu lu(Operand x);

// ---- structure
// ----------------------------------------------------------------------------------------------------
/// The operands, all computed before any of the results is used; nothing merges across it.
Arrays optimization_barrier(Operands operands);
Array sharding_constraint(Operand x, std::string sharding);

// ---- collectives over an axis name of vmap
// ------------------------------------------------------------------------
Array psum(Operand x, const std::string& axis_name);
Array pmax(Operand x, const std::string& axis_name);
Array pmin(Operand x, const std::string& axis_name);
Array pmean(Operand x, const std::string& axis_name);
Array axis_index(const std::string& axis_name, Where where = Where::here());  // s32[]
std::int64_t axis_size(const std::string& axis_name, Where where = Where::here());
/// A new axis at `axis` (or, tiled, that axis made longer) that holds every lane's x.
Array all_gather(Operand x, const std::string& axis_name, int axis = 0, bool tiled = false);
/// Sum over lanes, of which lane i keeps part i of `scatter_dimension`.
Array psum_scatter(Operand x, const std::string& axis_name, int scatter_dimension = 0, bool tiled = false);
/// Lane destination gets the x of lane source; lanes without a source get zeros.
Array ppermute(Operand x, const std::string& axis_name,
               const std::vector<std::pair<int, int>>& source_destination);
Array all_to_all(Operand x, const std::string& axis_name, int split_axis, int concat_axis,
                 bool tiled = false);

// ---- control flow on flat lists; the typed forms are in baton/transform.h
// ------------------------------------------
/// (carry..., xs...) with body (consts..., carry..., x...) -> (carry..., y...): gives (carry..., ys...).
struct ScanOptions {
  std::optional<std::int64_t> length = {};  // from xs where there are some
  bool reverse = false;
};
Arrays scan(const Program& body, const Arrays& consts, const Arrays& init, const Arrays& xs,
            const ScanOptions& o = {}, Where where = Where::here());
/// cond (cond_consts..., carry...) -> bool[]; body (body_consts..., carry...) -> (carry...).
Arrays while_loop(const Program& cond, const Arrays& cond_consts, const Program& body,
                  const Arrays& body_consts, const Arrays& init, Where where = Where::here());
/// branches[clamp(index)] of the operands; index is s32[] or, with two branches, bool[] (false: branch 0).
Arrays cond(Operand index, const std::vector<Program>& branches, const Arrays& operands);
/// The Program as one equation.
Arrays call(const Program& body, const Arrays& inputs, const std::string& name, Where where = Where::here());

}  // namespace baton::lax
