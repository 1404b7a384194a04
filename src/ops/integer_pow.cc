// integer_pow: x to a whole power that is known when traced. Integers wrap. d/dx x^n = n x^(n-1).
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
struct IntegerPow {
  int exponent = 2;
  BATON_FIELDS(exponent)
};
Types type(std::span<const Type> in, const Params& params) {
  const Types out = elementwise_type<Domain::number, 1>("integer_pow", in);
  if (params.as<IntegerPow>().exponent < 0 && is_integer(in[0].dtype))
    type_error("integer_pow", "integers have no negative powers, found " + show(in[0]) + " to the power " +
                                  std::to_string(params.as<IntegerPow>().exponent) +
                                  ".\n  Convert it first: astype(x, f32).");
  return out;
}
template <class T>
T power(T x, std::int64_t n) {
  if (n < 0) return static_cast<T>(T(1) / power(x, -n));
  T result(1);
  for (; n > 0; n >>= 1) {
    if (n & 1) result = wrap_mul(result, x);
    if (n > 1) x = wrap_mul(x, x);
  }
  return result;
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const std::int64_t n = params.as<IntegerPow>().exponent;
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (!std::is_same_v<T, bool>) {
      const auto x = in[0].as<T>(), y = out[0].as<T>();
      for (std::size_t i = 0; i < x.size(); ++i) y[i] = narrow<T>(power(widen(x[i]), n));
    }
  });
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  const int n = params.as<IntegerPow>().exponent;
  if (n == 0) return {Array()};
  if (n == 1) return {dx[0]};
  const Array lower = n == std::numeric_limits<int>::min()  // which has no number before it
                          ? lax::div(lax::integer_pow(x[0], n), x[0])
                          : lax::integer_pow(x[0], n - 1);
  return {lax::mul(dx[0], lax::mul(lower, static_cast<double>(n)))};
}
std::vector<Example> examples() {
  std::vector<Example> rows;
  for (int exponent : {2, 3, 5, 0, 1})
    rows.push_back({.inputs = {{f32, {2, 3}}}, .params = IntegerPow{exponent}, .low = -2, .high = 2});
  for (int exponent : {-1, -2, -3})
    rows.push_back({.inputs = {{f32, {3}}}, .params = IntegerPow{exponent}, .low = 0.5, .high = 2});
  rows.push_back({.inputs = {{f32, {0}}}, .params = IntegerPow{4}, .note = "no elements"});
  rows.push_back({.inputs = {{s32, {}}}, .params = IntegerPow{7}, .low = -9, .high = 9, .order = 0});
  return rows;
}
int same_as(std::span<const Type> in, Filled, const Params& params) {
  return params.as<IntegerPow>().exponent == 1 && !is_complex(in[0].dtype) ? 0
                                                                           : -1;  // (inf,0)^1 is (inf,nan)
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const std::int64_t n = params.as<IntegerPow>().exponent;
  const Scalar x = w.operand(0, at);
  if (x.is_complex()) return n == 2 ? x * x : Scalar{};  // of others infinite parts come out otherwise
  if (n >= 0) return power_element(x, n);
  const Scalar one = w.number(x.dtype(), 1);
  if (n == -1) return one / x;
  const std::int64_t half = -(n / 2);  // in two steps, as 1 / x^n may be a number where x^n is none
  return one / power_element(x, half) / power_element(x, -n - half);
}
}  // namespace
extern const Primitive integer_pow = {.name = "integer_pow",
                                      .elementwise = true,
                                      .params = IntegerPow{},
                                      .type = type,
                                      .evaluate = evaluate,
                                      .element = element,
                                      .jvp = jvp,
                                      .same_as = same_as,
                                      .examples = examples()};
}  // namespace ops
Array lax::integer_pow(Operand x, int exponent) {
  return bind_one(ops::integer_pow, {x.array()}, ops::IntegerPow{exponent}, x.where());
}
}  // namespace baton
