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
/// NaN comes after all that is not.
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar x = w.operand(0, at), y = w.operand(1, at), less = compare(Do::lt, x, y);
  if (!is_real_floating(x.dtype())) return less;
  return less | (compare(Do::ne, y, y) & compare(Do::eq, x, x));
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
