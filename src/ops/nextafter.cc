// nextafter: the next value of x's dtype in the direction of y.
#include "ops/elementwise.h"

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
}  // namespace
extern const Primitive nextafter = {.name = "nextafter",
                                    .elementwise = true,
                                    .type = type,
                                    .evaluate = evaluate,
                                    .examples = binary_examples(-2, 2, 0)};
}  // namespace ops
Array lax::nextafter(Operand x, Operand y) { return ops::bind_binary(ops::nextafter, x, y); }
}  // namespace baton
