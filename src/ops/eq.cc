// eq: x == y, as bool. -0 equals 0; NaN differs from all.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  bool operator()(T x, T y) const {
    return x == y;
  }
};
Types type(std::span<const Type> in, const Params&) { return predicate_type<Domain::any, 2>("eq", in); }
}  // namespace
extern const Primitive eq = {.name = "eq",
                             .elementwise = true,
                             .type = type,
                             .evaluate = evaluate_compare<F, Domain::any>,
                             .element = compare_element<Do::eq>,
                             .examples = binary_examples()};
}  // namespace ops
Array lax::eq(Operand x, Operand y) { return ops::bind_binary(ops::eq, x, y); }
}  // namespace baton
