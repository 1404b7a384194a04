// is_finite: whether x is neither infinite nor NaN, as bool.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  return predicate_type<Domain::real_floating, 1>("is_finite", in);
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (is_real_v<T>) {
      const auto x = in[0].as<T>();
      for (std::size_t i = 0; i < x.size(); ++i) out[0].as<bool>()[i] = std::isfinite(widen(x[i]));
    }
  });
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at);
  return compare(Do::lt, emit(Do::abs, x), w.number(x.dtype(), std::numeric_limits<double>::infinity()));
}
}  // namespace
extern const Primitive is_finite = {.name = "is_finite",
                                    .elementwise = true,
                                    .type = type,
                                    .evaluate = evaluate,
                                    .element = element,
                                    .examples = unary_examples()};
}  // namespace ops
Array lax::is_finite(Operand x) { return ops::bind_unary(ops::is_finite, x); }
}  // namespace baton
