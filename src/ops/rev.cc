// rev: turns the order of the elements along some axes round. It is its own adjoint.
#include "ops/element_rules.h"
#include "ops/rules.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
struct Rev {
  std::vector<std::int64_t> dimensions;
  BATON_FIELDS(dimensions)
};
Types type(std::span<const Type> in, const Params& params) {
  require_count("rev", in, 1);
  require_axes("rev", in[0], params.as<Rev>().dimensions);
  return {in[0]};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  auto strides = strides_of(in[0].shape());
  std::int64_t first = 0;
  for (std::int64_t d : params.as<Rev>().dimensions) {
    first += (in[0].shape()[at(d)] - 1) * strides[at(d)];
    strides[at(d)] = -strides[at(d)];
  }
  std::int64_t to = 0;
  for (Counter c(out[0].shape()); !c.done(); c.next(), ++to)
    copy_element(out[0], to, in[0], first + offset_of(c.index(), strides));
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand>, const Params& params, Transformer&) {
  return {lax::rev(ct[0], params.as<Rev>().dimensions)};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  std::vector<std::int64_t> dimensions;
  for (std::int64_t d : params.as<Rev>().dimensions) dimensions.push_back(shifted(d, in[0].axis));
  return {{lax::rev(in[0].value, dimensions), in[0].axis}};
}
int same_as(std::span<const Type> in, Filled, const Params& params) {
  for (std::int64_t d : params.as<Rev>().dimensions)
    if (in[0].shape[static_cast<std::size_t>(d)] > 1) return -1;
  return 0;
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  std::vector<Position> from(at.begin(), at.end());
  for (std::int64_t d : params.as<Rev>().dimensions) {
    Position& p = from[static_cast<std::size_t>(d)];
    p = Position(w.operand_type(0).shape[static_cast<std::size_t>(d)] - 1) - p;
  }
  return w.operand(0, from);
}
}  // namespace
extern const Primitive rev = {.name = "rev",
                              .linear = true,
                              .params = Rev{},
                              .type = type,
                              .evaluate = evaluate,
                              .element = element,
                              .transpose = transpose_rule,
                              .batch = batch,
                              .rearranges = true,
                              .same_as = same_as,
                              .examples = {{.inputs = {{f32, {4}}}, .params = Rev{{0}}},
                                           {.inputs = {{f32, {2, 3, 4}}}, .params = Rev{{2, 0}}},
                                           {.inputs = {{f32, {2, 3}}}, .params = Rev{{}}},
                                           {.inputs = {{f32, {0, 3}}}, .params = Rev{{0, 1}}},
                                           {.inputs = {{f32, {1}}}, .params = Rev{{0}}},
                                           {.inputs = {{f32, {}}}, .params = Rev{}}}};
}  // namespace ops
Array lax::rev(Operand x, const std::vector<std::int64_t>& dimensions) {
  const Array a = x.array();
  if (dimensions.empty() && !a.empty()) return a;
  return bind_one(ops::rev, {a}, ops::Rev{dimensions}, x.where());
}
}  // namespace baton
