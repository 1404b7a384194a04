// pow: x to the power y. y may be an integer array beside an inexact x. Integers wrap; of negative powers of
// an integer only those of 1 and -1 are not 0.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  require_count("pow", in, 2);
  require_dtype("pow", in, 0, Domain::number);
  if (is_inexact(in[0].dtype) && is_integer(in[1].dtype)) {
    const Type same_dtype[] = {in[0], {in[0].dtype, in[1].shape}};
    require_same_type("pow", same_dtype);
  } else {
    require_same_type("pow", in);
  }
  return {in[0]};
}
template <class T>
T integer_power(T x, T n) {
  if (n < 0) {
    if (x == 1) return 1;
    if constexpr (std::is_signed_v<T>)
      if (x == -1) return n % 2 == 0 ? T(1) : T(-1);
    return 0;
  }
  T result = 1;
  for (;; x = wrap_mul(x, x)) {
    if (n & 1) result = wrap_mul(result, x);
    n = static_cast<T>(n >> 1);
    if (n == 0) return result;
  }
}
template <class T>
T power(T x, T y) {
  if constexpr (is_complex_v<T>) {
    if (y == T(0)) return T(1);
    if (x == T(0)) return y.imag() == 0 && y.real() > 0 ? T(0) : T(y.real() < 0 ? INFINITY : NAN, NAN);
    return std::exp(y * std::log(x));
  } else if constexpr (std::is_integral_v<T>) {
    return integer_power(x, y);
  } else {
    return std::pow(x, y);
  }
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (!std::is_same_v<T, bool>) {
      const auto x = in[0].as<T>(), z = out[0].as<T>();
      if (in[1].dtype() == in[0].dtype()) {
        const auto y = in[1].as<T>();
        for (std::size_t i = 0; i < x.size(); ++i) z[i] = narrow<T>(power(widen(x[i]), widen(y[i])));
        return;
      }
      if constexpr (is_real_v<T> || is_complex_v<T>) {
        with_type(in[1].dtype(), [&]<class N>(Tag<N>) {
          if constexpr (std::is_integral_v<N>) {
            const auto y = in[1].as<N>();
            for (std::size_t i = 0; i < x.size(); ++i)
              z[i] = narrow<T>(power(widen(x[i]), widen(convert_element<T>(y[i]))));
          }
        });
      }
    }
  });
}
Arrays jvp(const Arrays& x, const Arrays& z, const Arrays& dx, const Params&) {
  Array sum;
  if (!dx[0].empty()) {
    Array y = lax::convert_element_type(x[1], x[0].dtype());
    Array slope = lax::mul(y, lax::pow(x[0], lax::sub(y, 1.0)));
    if (is_integer(x[1].dtype()))  // x^0 is constant at 0, too
      slope = lax::select(lax::eq(x[1], 0), lax::full_like(y, 0), slope);
    sum = lax::mul(dx[0], slope);
  }
  if (!dx[1].empty()) {
    const Array base =
        lax::select(lax::eq(x[0], 0.0), lax::full_like(x[0], 1), x[0]);  // 0^y does not grow with y
    sum = add_any(sum, lax::mul(dx[1], lax::mul(lax::log(base), z[0])));
  }
  return {sum};
}
std::vector<Example> examples() {
  std::vector<Example> rows = binary_examples(0.4, 2);
  rows.push_back(
      {.inputs = {{f32, {2, 3}}, {s32, {2, 3}}}, .low = -2, .high = 3, .note = "an integer power"});
  rows.push_back({.inputs = {{s32, {2, 3}}, {s32, {2, 3}}}, .low = -3, .high = 5, .order = 0});
  return rows;
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  if (!is_inexact(x.dtype())) return {};
  return emit(Do::pow, x, emit(Do::convert, x.dtype(), w.operand(1, at)));
}
}  // namespace
extern const Primitive pow = {.name = "pow",
                              .elementwise = true,
                              .type = type,
                              .evaluate = evaluate,
                              .element = element,
                              .jvp = jvp,
                              .examples = examples()};
}  // namespace ops
Array lax::pow(Operand x, Operand y) { return ops::bind_binary(ops::pow, x, y); }
}  // namespace baton
