// round: to the nearest whole number; halves away from zero or to the even one. Its derivative is zero.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace {
constexpr std::string_view rounding_names[] = {"away_from_zero", "to_nearest_even"};
}  // namespace
template <>
inline constexpr std::span<const std::string_view> enum_names<lax::Rounding> = rounding_names;

namespace ops {
namespace {
struct Round {
  lax::Rounding method = lax::Rounding::away_from_zero;
  BATON_FIELDS(method)
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 1>("round", in);
}
template <class T>
T half_to_even(T x) {
  const T below = std::floor(x), rest = x - below;
  const bool up = rest > T(0.5) || (rest == T(0.5) && std::fmod(below, T(2)) != 0);
  return std::copysign(up ? below + 1 : below, x);  // keeps -0
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const bool even = params.as<Round>().method == lax::Rounding::to_nearest_even;
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (is_real_v<T>) {
      const auto x = in[0].as<T>(), y = out[0].as<T>();
      for (std::size_t i = 0; i < x.size(); ++i)
        y[i] = narrow<T>(even ? half_to_even(widen(x[i])) : std::round(widen(x[i])));
    }
  });
}
std::vector<Example> examples() {
  std::vector<Example> rows = unary_examples();
  for (Example& row : rows) row.params = Round{};
  for (Example& row : unary_examples()) {
    row.params = Round{lax::Rounding::to_nearest_even};
    rows.push_back(row);
  }
  return rows;
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const Scalar x = w.operand(0, at);
  if (params.as<Round>().method == lax::Rounding::to_nearest_even) return emit(Do::nearest, x);
  const Scalar whole = emit(Do::trunc, x), rest = emit(Do::abs, x - whole), one = w.number(x.dtype(), 1);
  const Scalar away = select(compare(Do::lt, x, w.number(x.dtype(), 0)), -one, one);
  return select(compare(Do::ge, rest, w.number(x.dtype(), 0.5)), whole + away, whole);
}
}  // namespace
extern const Primitive round = {.name = "round",
                                .elementwise = true,
                                .params = Round{},
                                .type = type,
                                .evaluate = evaluate,
                                .element = element,
                                .jvp = zero_jvp,
                                .examples = examples()};
}  // namespace ops
Array lax::round(Operand x, Rounding method) {
  return bind_one(ops::round, {x.array()}, ops::Round{method}, x.where());
}
}  // namespace baton
