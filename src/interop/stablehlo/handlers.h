#pragma once
// handlers: the functions that read operations, by file; table.cc says which reads which.
#include "interop/stablehlo/import.h"

namespace baton::stablehlo {

// elementwise.cc
void read_compare(Context&);
void read_convert(Context&);
void read_power(Context&);
void read_sign(Context&);
void read_real(Context&);
void read_imag(Context&);
void read_is_infinite(Context&);  // chlo.is_inf, is_pos_inf, is_neg_inf
void read_bitcast_convert(Context&);
void read_shift_right_logical(Context&);
void read_shift_right_arithmetic(Context&);
void read_popcnt(Context&);
void read_count_leading_zeros(Context&);
void read_cbrt(Context&);
void read_reduce_precision(Context&);
void read_clamp(Context&);
void read_select(Context&);
void read_map(Context&);
void read_broadcasting(Context&);  // chlo.broadcast_*
void read_constant_like(Context&);
void read_top_k(Context&);

// shape.cc
void read_constant(Context&);
void read_iota(Context&);
void read_broadcast_in_dim(Context&);
void read_broadcast(Context&);
void read_reshape(Context&);
void read_transpose(Context&);
void read_reverse(Context&);
void read_slice(Context&);
void read_dynamic_slice(Context&);
void read_dynamic_update_slice(Context&);
void read_pad(Context&);
void read_concatenate(Context&);
void read_get_dimension_size(Context&);
void read_real_dynamic_slice(Context&);
void read_gather(Context&);
void read_scatter(Context&);

// reduce.cc
void read_reduce(Context&);
void read_reduce_window(Context&);
void read_select_and_scatter(Context&);
void read_sort(Context&);
std::vector<std::int64_t> constant_integers(const Context&, std::size_t operand);

// product.cc
void read_dot_general(Context&);
void read_dot(Context&);
void read_convolution(Context&);
void read_fft(Context&);
void read_cholesky(Context&);
void read_triangular_solve(Context&);
void read_rng_bit_generator(Context&);

// control.cc
void read_call(Context&);
void read_composite(Context&);
void read_custom_call(Context&);
void read_while(Context&);
void read_case(Context&);
void read_if(Context&);
void read_scan(Context&);
void read_optimization_barrier(Context&);
void read_tuple(Context&);
void read_get_tuple_element(Context&);
void read_token(Context&);
void read_identity(Context&);

// checks.cc
void read_check(Context&);
void read_probe(Context&);
void read_serialized_check(Context&);

// parallel.cc
void read_run_parallel(Context&);
void read_replica_id(Context&);
void read_partition_id(Context&);
void read_collective(Context&);  // outside run_parallel: refused

// lapack.cc
void read_potrf(Context&);
void read_trsm(Context&);
void read_geqrf(Context&);
void read_orgqr(Context&);
void read_syevd(Context&);
void read_gesdd(Context&);
void read_getrf(Context&);

/// A matrix on the last two axes, transposed and conjugated.
Array adjoint(const Array&);
/// x < y in IEEE 754's total order, as integers that compare so.
Array total_order_key(const Array& x, Where);

}  // namespace baton::stablehlo
