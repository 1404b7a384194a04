// nextafter: the next value of x's dtype in the direction of y.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

#include <cmath>

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 2>("nextafter", in);
}
/// A 16-bit float as bits: sign and size, whose neighbours are one apart.
template <class T>
T next(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::nextafter(x, y);
  } else {
    const float from = static_cast<float>(x), to = static_cast<float>(y);
    if (std::isnan(from) || std::isnan(to)) return T(NAN);
    if (from == to) return y;
    T result = x;
    if (from == 0) {
      result.bits = to < 0 ? 0x8001 : 1;
    } else {
      const bool grows = (from < to) == (from > 0);
      result.bits = static_cast<std::uint16_t>(grows ? x.bits + 1 : x.bits - 1);
    }
    return result;
  }
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (is_real_v<T>) {
      const auto x = in[0].as<T>(), y = in[1].as<T>(), z = out[0].as<T>();
      for (std::size_t i = 0; i < x.size(); ++i) z[i] = next(x[i], y[i]);
    }
  });
}
/// The size of an f16 above x, or below it: x is not negative, and not 0 where it shrinks.
Scalar next_half(ElementWriter& w, Scalar x, bool grows) {
  const double least_normal = 0x1p-14, step = grows ? 0x1p-24 : -0x1p-24;
  const Scalar even = x + w.number(f32, step);
  const Scalar away =
      emit(Do::bits, f32, emit(Do::bits, s32, x) + w.integer(s32, grows ? 1 << 13 : -(1 << 13)));
  const Scalar inside = select(compare(grows ? Do::lt : Do::le, x, w.number(f32, least_normal)), even, away);
  if (grows) return inside;
  return select(compare(Do::gt, x, w.number(f32, 65504)), w.number(f32, 65504), inside);
}
/// Floats in order as integers: as their bits, and those below zero as the negative of what is after the
/// sign.
Scalar in_order(ElementWriter& w, Scalar bits) {
  const Dtype d = bits.dtype();
  return select(compare(Do::lt, bits, w.integer(d, 0)), least(w, d) - bits, bits);
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at), y = w.operand(1, at);
  const Dtype d = x.dtype(), whole = d == f32 ? s32 : s64, stored = w.operand_type(0).dtype;
  const Scalar from = in_order(w, emit(Do::bits, whole, x)), to = in_order(w, emit(Do::bits, whole, y));
  const Scalar up = compare(Do::lt, from, to);
  Scalar next;
  if (stored == f16) {
    const Scalar size = emit(Do::abs, x), zero = w.integer(whole, 0);
    const Scalar grows = compare(Do::eq, from, zero) | (emit(Do::bit_xor, up, compare(Do::lt, from, zero)));
    const Scalar value = select(grows, next_half(w, size, true), next_half(w, size, false));
    const Scalar below = compare(Do::lt, from, zero) | (compare(Do::eq, from, zero) & emit(Do::bit_not, up));
    next = select(below, -value, value);
  } else {
    const Scalar step = w.integer(whole, stored == bf16 ? 1 << 16 : 1);  // a bf16 is the upper half of an f32
    next = emit(Do::bits, d, in_order(w, select(up, from + step, from - step)));
  }
  const Scalar no_number = compare(Do::ne, x, x) | compare(Do::ne, y, y);
  return select(no_number, w.number(d, NAN), select(compare(Do::eq, from, to), y, next));
}
}  // namespace
extern const Primitive nextafter = {.name = "nextafter",
                                    .elementwise = true,
                                    .type = type,
                                    .evaluate = evaluate,
                                    .element = element,
                                    .examples = binary_examples(-2, 2, 0)};
}  // namespace ops
Array lax::nextafter(Operand x, Operand y) { return ops::bind_binary(ops::nextafter, x, y); }
}  // namespace baton
