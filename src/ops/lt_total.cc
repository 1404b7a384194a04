// lt_total: x < y in the order of sort: -0 equals 0, all NaN are equal and above infinity. Complex by real,
// then imaginary part.
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
template <class T>
int compare(T x, T y) {  // -1, 0, 1
  if constexpr (is_complex_v<T>) {
    const int first = compare(x.real(), y.real());
    return first ? first : compare(x.imag(), y.imag());
  } else if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(x) || std::isnan(y))
      return static_cast<int>(std::isnan(x)) - static_cast<int>(std::isnan(y));
    return x < y ? -1 : x > y;
  } else {
    return x < y ? -1 : x > y;
  }
}
struct F {
  template <class T>
  bool operator()(T x, T y) const {
    return compare(x, y) < 0;
  }
};
Types type(std::span<const Type> in, const Params&) { return predicate_type<Domain::any, 2>("lt_total", in); }
}  // namespace
extern const Primitive lt_total = {.name = "lt_total",
                                   .elementwise = true,
                                   .type = type,
                                   .evaluate = evaluate_compare<F, Domain::any>,
                                   .examples = binary_examples()};
}  // namespace ops
Array lax::lt_total(Operand x, Operand y) { return ops::bind_binary(ops::lt_total, x, y); }
}  // namespace baton
