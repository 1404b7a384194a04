// polygamma: the m-th derivative of digamma, for whole m >= 0; operands m, x. NaN for other m.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/special.h"

namespace baton {
namespace ops {
namespace {
struct F {
  template <class T>
  T operator()(T m, T x) const {
    return static_cast<T>(special::polygamma(m, x));
  }
};
Types type(std::span<const Type> in, const Params&) {
  return elementwise_type<Domain::real_floating, 2>("polygamma", in);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  if (!dx[0].empty())
    type_error("polygamma", "it has no derivative in its order.\n  Put stop_gradient around that operand.");
  return {lax::mul(dx[1], lax::polygamma(lax::add(x[0], 1.0), x[1]))};
}
std::vector<Example> examples() {
  return {
      {.inputs = {{f32, {}}, {f32, {}}}, .low = 0.6, .high = 3, .values = {{1}, {}}, .fixed = {0}},
      {.inputs = {{f32, {4}}, {f32, {4}}}, .low = 0.6, .high = 3, .values = {{0, 1, 2, 3}, {}}, .fixed = {0}},
      {.inputs = {{f32, {0, 2}}, {f32, {0, 2}}}, .note = "no elements", .fixed = {0}}};
}
}  // namespace
extern const Primitive polygamma = {.name = "polygamma",
                                    .elementwise = true,
                                    .type = type,
                                    .evaluate = evaluate_binary<F, Domain::real_floating>,
                                    .element = binary_element<Do::polygamma>,
                                    .jvp = jvp,
                                    .examples = examples()};
}  // namespace ops
Array lax::polygamma(Operand m, Operand x) { return ops::bind_binary(ops::polygamma, m, x); }
}  // namespace baton
