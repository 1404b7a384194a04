// transpose: permutes the axes of an array. Its adjoint is the inverse permutation.
#include "ops/element_rules.h"
#include "ops/rules.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
struct Transpose {
  std::vector<std::int64_t> permutation;  // result axis i is operand axis permutation[i]
  BATON_FIELDS(permutation)
};
Types type(std::span<const Type> in, const Params& params) {
  require_count("transpose", in, 1);
  const auto& p = params.as<Transpose>().permutation;
  std::vector<std::int64_t> sorted = p;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> axes(in[0].shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (sorted != axes)
    type_error("transpose",
               "the permutation must hold each axis of " + show(in[0]) + " once, found " + show(p) + ".");
  Shape shape;
  for (std::int64_t axis : p) shape.push_back(in[0].shape[static_cast<std::size_t>(axis)]);
  return {{in[0].dtype, shape}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<Transpose>().permutation;
  const auto strides = strides_of(in[0].shape());
  std::int64_t to = 0;
  for (Counter c(out[0].shape()); !c.done(); c.next(), ++to) {
    std::int64_t from = 0;
    for (std::size_t i = 0; i < p.size(); ++i) from += c[i] * strides[static_cast<std::size_t>(p[i])];
    copy_element(out[0], to, in[0], from);
  }
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand>, const Params& params, Transformer&) {
  const auto& p = params.as<Transpose>().permutation;
  std::vector<std::int64_t> inverse(p.size());
  for (std::size_t i = 0; i < p.size(); ++i)
    inverse[static_cast<std::size_t>(p[i])] = static_cast<std::int64_t>(i);
  return {lax::transpose(ct[0], inverse)};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  const auto [x, axis] = in[0];  // the batch axis moves to the front
  std::vector<std::int64_t> p = {axis};
  for (std::int64_t i : params.as<Transpose>().permutation) p.push_back(shifted(i, axis));
  return {{lax::transpose(x, p), 0}};
}
int same_as(std::span<const Type>, Filled, const Params& params) {
  const auto& p = params.as<Transpose>().permutation;
  return std::is_sorted(p.begin(), p.end()) ? 0 : -1;
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const auto& p = params.as<Transpose>().permutation;
  std::vector<Position> from(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) from[static_cast<std::size_t>(p[i])] = at[i];
  return w.operand(0, from);
}
}  // namespace
extern const Primitive transpose = {
    .name = "transpose",
    .cost = Cost::free,
    .linear = true,
    .params = Transpose{},
    .type = type,
    .evaluate = evaluate,
    .element = element,
    .transpose = transpose_rule,
    .batch = batch,
    .rearranges = true,
    .same_as = same_as,
    .examples = {{.inputs = {{f32, {2, 3}}}, .params = Transpose{{1, 0}}},
                 {.inputs = {{f32, {2, 3, 4}}}, .params = Transpose{{2, 0, 1}}},
                 {.inputs = {{f32, {0, 3}}}, .params = Transpose{{1, 0}}},
                 {.inputs = {{f32, {}}}, .params = Transpose{}}}};
}  // namespace ops
Array lax::transpose(Operand x, const std::vector<std::int64_t>& permutation) {
  return bind_one(ops::transpose, {x.array()}, ops::Transpose{permutation}, x.where());
}
}  // namespace baton
