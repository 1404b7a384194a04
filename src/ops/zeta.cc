// zeta: the Hurwitz zeta function, the sum over k >= 0 of (k + q)^-s; operands s, q.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/special.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T x, T q) const {
    return static_cast<T>(special::zeta(x, q));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 2>("zeta", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  if (!dx[0].empty())
    type_error("zeta", "it has no derivative in its exponent.\n  Put stop_gradient around that operand.");
  return {lax::mul(dx[1], lax::mul(lax::neg(x[0]), lax::zeta(lax::add(x[0], 1.0), x[1])))};
}
std::vector<Example> examples() {
  std::vector<Example> rows = binary_examples(1.5, 4);
  for (Example& row : rows) row.fixed = {0};
  return rows;
}
}  // namespace
extern const Primitive zeta = {.name = "zeta",
                               .elementwise = true,
                               .type = type,
                               .evaluate = evaluate_binary<F, Domain::real_floating>,
                               .element = binary_element<Do::zeta>,
                               .jvp = jvp,
                               .examples = examples()};
}  // namespace ops
Array lax::zeta(Operand x, Operand q) { return ops::bind_binary(ops::zeta, x, q); }
}  // namespace baton
