// reduce_precision: rounds to a format with fewer exponent and mantissa bits, to nearest, ties to even. Too
// large gives infinity, too small for a normal number of the format gives zero. Its derivative is rounded
// likewise.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct ReducePrecision {
  int exponent_bits = 8, mantissa_bits = 23;
  BATON_FIELDS(exponent_bits, mantissa_bits)
};
Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<ReducePrecision>();
  const Types out = elementwise_type<Domain::real_floating, 1>("reduce_precision", in);
  if (p.exponent_bits < 1 || p.mantissa_bits < 0)
    type_error("reduce_precision", "at least 1 exponent bit and 0 mantissa bits are required, found " +
                                       std::to_string(p.exponent_bits) + " and " +
                                       std::to_string(p.mantissa_bits) + ".");
  return out;
}
/// Works on the bits of a float with `exponent` and `mantissa` bits.
template <class Bits>
Bits reduce(Bits x, int exponent, int mantissa, const ReducePrecision& p) {
  const Bits one = 1, sign = static_cast<Bits>(one << (exponent + mantissa));
  const Bits infinity = static_cast<Bits>(((one << exponent) - 1) << mantissa);
  Bits size = x & static_cast<Bits>(sign - 1);
  if (size > infinity) return static_cast<Bits>(x | (one << (mantissa - 1)));  // NaN
  if (p.mantissa_bits < mantissa) {
    const int cut = mantissa - p.mantissa_bits;
    const Bits unit = static_cast<Bits>(one << cut);
    size = static_cast<Bits>((size + (unit / 2 - 1) + ((size >> cut) & 1)) & static_cast<Bits>(~(unit - 1)));
  }
  if (p.exponent_bits < exponent) {
    const int bias = (1 << (exponent - 1)) - 1, new_bias = (1 << (p.exponent_bits - 1)) - 1;
    const auto biased = static_cast<int>(size >> mantissa);
    if (biased > bias + new_bias) size = infinity;
    if (biased <= bias - new_bias) size = 0;
  }
  return static_cast<Bits>((x & sign) | size);
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<ReducePrecision>();
  auto each = [&]<class Bits>(Bits, int exponent, int mantissa) {
    const auto x = in[0].as<Bits>(), y = out[0].as<Bits>();
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = reduce(x[i], exponent, mantissa, p);
  };
  switch (in[0].dtype()) {
    case f16:
      return each(std::uint16_t{}, 5, 10);
    case bf16:
      return each(std::uint16_t{}, 8, 7);
    case f32:
      return each(std::uint32_t{}, 8, 23);
    default:
      return each(std::uint64_t{}, 11, 52);
  }
}
/// As `reduce`. A bf16 is the upper half of an f32; an f16 has numbers below its normal ones that f32 has
/// not.
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const auto& p = params.as<ReducePrecision>();
  const Scalar x = w.operand(0, at);
  if (w.operand_type(0).dtype == f16) return p.exponent_bits >= 5 && p.mantissa_bits >= 10 ? x : Scalar{};
  const bool single = x.dtype() == f32;
  const int exponent = single ? 8 : 11, mantissa = single ? 23 : 52;
  const Dtype d = single ? s32 : s64;
  const auto k = [&](std::int64_t value) { return w.integer(d, value); };
  const std::int64_t one = 1, infinity = ((one << exponent) - 1) << mantissa;
  const Scalar bits = emit(Do::bits, d, x), sign = bits & least(w, d);
  Scalar size = bits ^ sign;
  if (p.mantissa_bits < mantissa) {
    const int cut = mantissa - p.mantissa_bits;
    const std::int64_t unit = one << cut;
    const Scalar last = emit(Do::shift_right_logical, size, k(cut)) & k(1);
    size = (size + k(unit / 2 - 1) + last) & k(-unit);
  }
  if (p.exponent_bits < exponent) {
    const std::int64_t bias = (one << (exponent - 1)) - 1, new_bias = (one << (p.exponent_bits - 1)) - 1;
    const Scalar biased = emit(Do::shift_right_logical, size, k(mantissa));
    size = select(compare(Do::gt, biased, k(bias + new_bias)), k(infinity), size);
    size = select(compare(Do::le, biased, k(bias - new_bias)), k(0), size);
  }
  return select(compare(Do::eq, x, x), emit(Do::bits, x.dtype(), sign | size), x);
}
Arrays jvp(const Arrays&, const Arrays&, const Arrays& dx, const Params& params) {
  const auto& p = params.as<ReducePrecision>();
  return {lax::reduce_precision(dx[0], p.exponent_bits, p.mantissa_bits)};
}
Arrays transpose(const Arrays& ct, std::span<const LinearOperand>, const Params& params, Transformer&) {
  return jvp({}, {}, ct, params);
}
}  // namespace
extern const Primitive reduce_precision = {
    .name = "reduce_precision",
    .elementwise = true,
    .params = ReducePrecision{},
    .type = type,
    .evaluate = evaluate,
    .element = element,
    .jvp = jvp,
    .transpose = transpose,
    .examples = {
        {.inputs = {{f32, {2, 3}}}, .params = ReducePrecision{11, 52}, .note = "nothing to round in f64"},
        {.inputs = {{f32, {3}}}, .params = ReducePrecision{5, 10}, .order = 0},
        {.inputs = {{f32, {}}}, .params = ReducePrecision{8, 7}, .order = 0},
        {.inputs = {{f32, {0}}}, .params = ReducePrecision{4, 3}, .order = 0}}};
}  // namespace ops
Array lax::reduce_precision(Operand x, int exponent_bits, int mantissa_bits) {
  return bind_one(ops::reduce_precision, {x.array()}, ops::ReducePrecision{exponent_bits, mantissa_bits},
                  x.where());
}
}  // namespace baton
