// table: which function reads which operation, and which custom call.
#include "interop/stablehlo/handlers.h"

namespace baton::stablehlo {
namespace {

template <Array (*f)(Operand)>
void unary(Context& c) {
  c.give(f(c.in(0)));
}
template <Array (*f)(Operand, Operand)>
void binary(Context& c) {
  c.give(f(c.in(0), c.in(1)));
}
/// Arithmetic that means something else on truth values.
template <Array (*f)(Operand, Operand), Array (*on_bool)(Operand, Operand)>
void logical(Context& c) {
  c.give((c.array(0).dtype() == boolean ? on_bool : f)(c.in(0), c.in(1)));
}
/// Operations on the bits of their operands, or that make bits: not of narrow types.
template <Handler handler>
void whole(Context& c) {
  c.refuse_narrow();
  handler(c);
}
template <lax::Rounding method>
void rounded(Context& c) {
  c.give(lax::round(c.in(0), method));
}
void read_abs(Context& c) { c.give(is_unsigned(c.array(0).dtype()) ? c.array(0) : lax::abs(c.in(0))); }

const std::unordered_map<Text, Handler>& operations() {
  static const std::unordered_map<Text, Handler> table = {
      {"call", read_call},
      {"check.expect_almost_eq", read_check},
      {"check.expect_almost_eq_const", read_check},
      {"check.expect_close", read_check},
      {"check.expect_eq", read_check},
      {"check.expect_eq_const", read_check},
      {"check.expect_serialized_eq", read_serialized_check},
      {"chlo.acos", unary<lax::acos>},
      {"chlo.acosh", unary<lax::acosh>},
      {"chlo.asin", unary<lax::asin>},
      {"chlo.asinh", unary<lax::asinh>},
      {"chlo.atan", unary<lax::atan>},
      {"chlo.atanh", unary<lax::atanh>},
      {"chlo.bessel_i1e", unary<lax::bessel_i1e>},
      {"chlo.broadcast_add", read_broadcasting},
      {"chlo.broadcast_and", read_broadcasting},
      {"chlo.broadcast_atan2", read_broadcasting},
      {"chlo.broadcast_compare", read_broadcasting},
      {"chlo.broadcast_complex", read_broadcasting},
      {"chlo.broadcast_divide", read_broadcasting},
      {"chlo.broadcast_maximum", read_broadcasting},
      {"chlo.broadcast_minimum", read_broadcasting},
      {"chlo.broadcast_multiply", read_broadcasting},
      {"chlo.broadcast_next_after", read_broadcasting},
      {"chlo.broadcast_or", read_broadcasting},
      {"chlo.broadcast_polygamma", read_broadcasting},
      {"chlo.broadcast_power", read_broadcasting},
      {"chlo.broadcast_remainder", read_broadcasting},
      {"chlo.broadcast_select", read_broadcasting},
      {"chlo.broadcast_shift_left", read_broadcasting},
      {"chlo.broadcast_shift_right_arithmetic", read_broadcasting},
      {"chlo.broadcast_shift_right_logical", read_broadcasting},
      {"chlo.broadcast_subtract", read_broadcasting},
      {"chlo.broadcast_xor", read_broadcasting},
      {"chlo.broadcast_zeta", read_broadcasting},
      {"chlo.conj", unary<lax::conj>},
      {"chlo.constant", read_constant},
      {"chlo.constant_like", read_constant_like},
      {"chlo.cosh", unary<lax::cosh>},
      {"chlo.digamma", unary<lax::digamma>},
      {"chlo.erf", unary<lax::erf>},
      {"chlo.erf_inv", unary<lax::erf_inv>},
      {"chlo.erfc", unary<lax::erfc>},
      {"chlo.is_inf", read_is_infinite},
      {"chlo.is_neg_inf", read_is_infinite},
      {"chlo.is_pos_inf", read_is_infinite},
      {"chlo.lgamma", unary<lax::lgamma>},
      {"chlo.mulhi", whole<binary<lax::mulhi>>},
      {"chlo.next_after", whole<binary<lax::nextafter>>},
      {"chlo.polygamma", binary<lax::polygamma>},
      {"chlo.scan", read_scan},
      {"chlo.sinh", unary<lax::sinh>},
      {"chlo.square", unary<lax::square>},
      {"chlo.tan", unary<lax::tan>},
      {"chlo.top_k", read_top_k},
      {"chlo.zeta", binary<lax::zeta>},
      {"func.call", read_call},
      {"interpreter.probe", read_probe},
      {"interpreter.run_parallel", read_run_parallel},
      {"stablehlo.abs", read_abs},
      {"stablehlo.add", logical<lax::add, lax::bitwise_or>},
      {"stablehlo.after_all", read_token},
      {"stablehlo.all_gather", read_collective},
      {"stablehlo.all_reduce", read_collective},
      {"stablehlo.all_to_all", read_collective},
      {"stablehlo.and", binary<lax::bitwise_and>},
      {"stablehlo.atan2", binary<lax::atan2>},
      {"stablehlo.bitcast_convert", read_bitcast_convert},
      {"stablehlo.broadcast", read_broadcast},
      {"stablehlo.broadcast_in_dim", read_broadcast_in_dim},
      {"stablehlo.case", read_case},
      {"stablehlo.cbrt", read_cbrt},
      {"stablehlo.ceil", unary<lax::ceil>},
      {"stablehlo.cholesky", read_cholesky},
      {"stablehlo.clamp", read_clamp},
      {"stablehlo.collective_broadcast", read_collective},
      {"stablehlo.collective_permute", read_collective},
      {"stablehlo.collective_reduce", read_collective},
      {"stablehlo.compare", read_compare},
      {"stablehlo.complex", binary<lax::complex>},
      {"stablehlo.composite", read_composite},
      {"stablehlo.concatenate", read_concatenate},
      {"stablehlo.constant", read_constant},
      {"stablehlo.convert", read_convert},
      {"stablehlo.convolution", read_convolution},
      {"stablehlo.cosine", unary<lax::cos>},
      {"stablehlo.count_leading_zeros", read_count_leading_zeros},
      {"stablehlo.create_token", read_token},
      {"stablehlo.custom_call", read_custom_call},
      {"stablehlo.divide", binary<lax::div>},
      {"stablehlo.dot", read_dot},
      {"stablehlo.dot_general", read_dot_general},
      {"stablehlo.dynamic_broadcast_in_dim", read_broadcast_in_dim},
      {"stablehlo.dynamic_conv", read_convolution},
      {"stablehlo.dynamic_gather", read_gather},
      {"stablehlo.dynamic_iota", read_iota},
      {"stablehlo.dynamic_pad", read_pad},
      {"stablehlo.dynamic_reshape", read_reshape},
      {"stablehlo.dynamic_slice", read_dynamic_slice},
      {"stablehlo.dynamic_update_slice", read_dynamic_update_slice},
      {"stablehlo.exponential", unary<lax::exp>},
      {"stablehlo.exponential_minus_one", unary<lax::expm1>},
      {"stablehlo.fft", read_fft},
      {"stablehlo.floor", unary<lax::floor>},
      {"stablehlo.gather", read_gather},
      {"stablehlo.get_dimension_size", read_get_dimension_size},
      {"stablehlo.get_tuple_element", read_get_tuple_element},
      {"stablehlo.if", read_if},
      {"stablehlo.imag", read_imag},
      {"stablehlo.infeed", read_collective},
      {"stablehlo.iota", read_iota},
      {"stablehlo.is_finite", unary<lax::is_finite>},
      {"stablehlo.log", unary<lax::log>},
      {"stablehlo.log_plus_one", unary<lax::log1p>},
      {"stablehlo.logistic", unary<lax::logistic>},
      {"stablehlo.map", read_map},
      {"stablehlo.maximum", logical<lax::max, lax::bitwise_or>},
      {"stablehlo.minimum", logical<lax::min, lax::bitwise_and>},
      {"stablehlo.multiply", logical<lax::mul, lax::bitwise_and>},
      {"stablehlo.negate", unary<lax::neg>},
      {"stablehlo.not", unary<lax::bitwise_not>},
      {"stablehlo.optimization_barrier", read_optimization_barrier},
      {"stablehlo.or", binary<lax::bitwise_or>},
      {"stablehlo.outfeed", read_collective},
      {"stablehlo.pad", read_pad},
      {"stablehlo.partition_id", read_partition_id},
      {"stablehlo.popcnt", read_popcnt},
      {"stablehlo.power", read_power},
      {"stablehlo.real", read_real},
      {"stablehlo.real_dynamic_slice", read_real_dynamic_slice},
      {"stablehlo.recv", read_collective},
      {"stablehlo.reduce", read_reduce},
      {"stablehlo.reduce_precision", read_reduce_precision},
      {"stablehlo.reduce_scatter", read_collective},
      {"stablehlo.reduce_window", read_reduce_window},
      {"stablehlo.remainder", binary<lax::rem>},
      {"stablehlo.replica_id", read_replica_id},
      {"stablehlo.reshape", read_reshape},
      {"stablehlo.reverse", read_reverse},
      {"stablehlo.rng_bit_generator", whole<read_rng_bit_generator>},
      {"stablehlo.round_nearest_afz", rounded<lax::Rounding::away_from_zero>},
      {"stablehlo.round_nearest_even", rounded<lax::Rounding::to_nearest_even>},
      {"stablehlo.rsqrt", unary<lax::rsqrt>},
      {"stablehlo.scatter", read_scatter},
      {"stablehlo.select", read_select},
      {"stablehlo.select_and_scatter", read_select_and_scatter},
      {"stablehlo.send", read_collective},
      {"stablehlo.shift_left", binary<lax::shift_left>},
      {"stablehlo.shift_right_arithmetic", read_shift_right_arithmetic},
      {"stablehlo.shift_right_logical", read_shift_right_logical},
      {"stablehlo.sign", read_sign},
      {"stablehlo.sine", unary<lax::sin>},
      {"stablehlo.slice", read_slice},
      {"stablehlo.sort", read_sort},
      {"stablehlo.sqrt", unary<lax::sqrt>},
      {"stablehlo.subtract", logical<lax::sub, lax::bitwise_xor>},
      {"stablehlo.tan", unary<lax::tan>},
      {"stablehlo.tanh", unary<lax::tanh>},
      {"stablehlo.transpose", read_transpose},
      {"stablehlo.triangular_solve", read_triangular_solve},
      {"stablehlo.tuple", read_tuple},
      {"stablehlo.while", read_while},
      {"stablehlo.xor", binary<lax::bitwise_xor>},
  };
  return table;
}

const std::unordered_map<Text, Handler>& targets() {
  static const std::unordered_map<Text, Handler> table = {
      {"LayoutConstraint", read_identity},
      {"SPMDFullToShardShape", read_identity},
      {"SPMDShardToFullShape", read_identity},
      {"Sharding", read_identity},
      {"annotate_device_placement", read_identity},
      {"check.eq", read_check},
      {"check.expect_almost_eq", read_check},
      {"check.expect_close", read_check},
      {"check.expect_eq", read_check},
  };
  return table;
}
/// Of lapack_<s, d, c or z><routine>_ffi.
const std::unordered_map<Text, Handler>& routines() {
  static const std::unordered_map<Text, Handler> table = {
      {"geqrf", read_geqrf}, {"gesdd", read_gesdd}, {"getrf", read_getrf},
      {"heevd", read_syevd}, {"orgqr", read_orgqr}, {"potrf", read_potrf},
      {"syevd", read_syevd}, {"trsm", read_trsm},   {"ungqr", read_orgqr},
  };
  return table;
}
Handler found(const std::unordered_map<Text, Handler>& table, Text name) {
  const auto it = table.find(name);
  return it == table.end() ? nullptr : it->second;
}

}  // namespace

Handler find_handler(Text op) { return found(operations(), op); }

Handler find_custom_call(Text target) {
  if (const Handler handler = found(targets(), target)) return handler;
  if (!target.starts_with("lapack_") || !target.ends_with("_ffi") || target.size() < 14) return nullptr;
  return found(routines(), target.substr(8, target.size() - 12));
}

std::vector<std::string> handled_names() {
  std::vector<std::string> names;
  for (const auto& [name, handler] : operations()) names.emplace_back(name);
  for (const auto& [name, handler] : targets()) names.emplace_back(name);
  for (const auto& [name, handler] : routines()) names.push_back(std::string(name) + "_ffi");
  return names;
}

}  // namespace baton::stablehlo
