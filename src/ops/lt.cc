// lt: x < y, as bool. False beside NaN.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  bool operator()(T x, T y) const {
    return x < y;
  }
};
Types type(std::span<const Type> in, const Params&) { return predicate_type<Domain::ordered, 2>("lt", in); }
}  // namespace
extern const Primitive lt = {.name = "lt",
                             .elementwise = true,
                             .type = type,
                             .evaluate = evaluate_compare<F, Domain::ordered>,
                             .element = compare_element<Do::lt>,
                             .examples = binary_examples()};
}  // namespace ops
Array lax::lt(Operand x, Operand y) { return ops::bind_binary(ops::lt, x, y); }
}  // namespace baton
