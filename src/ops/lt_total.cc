// lt_total: x < y in the order of sort: -0 equals 0, all NaN are equal and above infinity. Complex by real,
// then imaginary part.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/order.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  bool operator()(T x, T y) const {
    return compare_total(x, y) < 0;
  }
};
Types type(std::span<const Type> in, const Params&) { return predicate_type<Domain::any, 2>("lt_total", in); }
/// Of real numbers: NaN, which no comparison finds, are above all others.
Scalar less(Scalar x, Scalar y) {
  const Scalar lower = compare(Do::lt, x, y);
  return is_inexact(x.dtype()) ? lower | (compare(Do::eq, x, x) & compare(Do::ne, y, y)) : lower;
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at), y = w.operand(1, at);
  if (!x.is_complex()) return less(x, y);
  const Scalar below = less(x.real(), y.real()), above = less(y.real(), x.real());
  return below | (emit(Do::bit_not, above) & less(x.imag(), y.imag()));
}
}  // namespace
extern const Primitive lt_total = {.name = "lt_total",
                                   .elementwise = true,
                                   .type = type,
                                   .evaluate = evaluate_compare<F, Domain::any>,
                                   .element = element,
                                   .examples = binary_examples()};
}  // namespace ops
Array lax::lt_total(Operand x, Operand y) { return ops::bind_binary(ops::lt_total, x, y); }
}  // namespace baton
