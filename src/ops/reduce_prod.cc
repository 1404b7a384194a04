// reduce_prod: the product over some axes, taken away. Multiplied one precision up, in row-major order;
// integers wrap. The derivative multiplies in a tree of halves, never divides, and so is right where elements
// are zero.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"

namespace baton {
namespace ops {
namespace {
Arrays jvp(const Arrays& primals, const Arrays& out, const Arrays& tangents, const Params& params) {
  const auto& axes = params.as<Reduction>().axes;
  Array x = flatten_axes(primals[0], axes), dx = flatten_axes(tangents[0], axes);
  std::int64_t n = x.dim(0);
  if (n == 0) return {zeros_like(out[0])};
  while (n > 1) {
    const std::int64_t half = n / 2;
    const Array a = lax::slice_in_dim(x, 0, half), b = lax::slice_in_dim(x, half, 2 * half);
    const Array da = lax::slice_in_dim(dx, 0, half), db = lax::slice_in_dim(dx, half, 2 * half);
    Array product = lax::mul(a, b), dproduct = lax::add(lax::mul(da, b), lax::mul(a, db));
    if (n % 2 == 1) {  // the last one waits for the next round
      product = lax::concatenate({product, lax::slice_in_dim(x, n - 1, n)}, 0);
      dproduct = lax::concatenate({dproduct, lax::slice_in_dim(dx, n - 1, n)}, 0);
    }
    x = product, dx = dproduct, n = half + n % 2;
  }
  return {lax::reshape(dx, out[0].shape())};
}
std::vector<Example> examples() {
  std::vector<Example> rows = reduction_examples(2);
  rows.push_back({.inputs = {{f32, {2, 4}}},
                  .params = Reduction{{1}},
                  .note = "one zero, two zeros",
                  .values = {{1.5, 0, -2, 0.5, 0, 3, 0, 1}}});
  return rows;
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const Dtype d = w.result_type(0).dtype;
  return reduction_element(w, at, params.as<Reduction>().axes, Do::mul,
                           is_inexact(d) ? w.number(d, 1) : w.integer(d, 1));
}
}  // namespace
extern const Primitive reduce_prod = {.name = "reduce_prod",
                                      .params = Reduction{},
                                      .type = reduction_type<reduce_prod, Domain::number>,
                                      .evaluate = evaluate_reduction<Product, Domain::number>,
                                      .element = element,
                                      .jvp = jvp,
                                      .batch = reduction_batch<reduce_prod>,
                                      .examples = examples()};
}  // namespace ops
Array lax::reduce_prod(Operand x, const std::vector<std::int64_t>& axes) {
  return ops::bind_reduction(ops::reduce_prod, x, axes);
}
}  // namespace baton
