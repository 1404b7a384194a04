// sharding_constraint: the operand, of which engines with several devices are told how to lay it out.
#include "ops/element_rules.h"
#include "ops/rules.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
struct ShardingConstraint {
  std::string sharding;  // as the engine reads it
  BATON_FIELDS(sharding)
};
Types type(std::span<const Type> in, const Params&) {
  require_count("sharding_constraint", in, 1);
  return {in[0]};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  copy_all(out[0], in[0].data);
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand>, const Params& params, Transformer&) {
  return {lax::sharding_constraint(ct[0], params.as<ShardingConstraint>().sharding)};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params&, Transformer&) {
  return {in[0]};  // it speaks of an array without the batch axis, and is advice: nothing is lost but speed
}
}  // namespace
extern const Primitive sharding_constraint = {
    .name = "sharding_constraint",
    .cost = Cost::free,
    .linear = true,
    .params = ShardingConstraint{},
    .type = type,
    .evaluate = evaluate,
    .element = same_element,
    .transpose = transpose_rule,
    .batch = batch,
    .views = true,
    .same_as = same_as_operand,
    .examples = {{.inputs = {{f32, {2, 3}}}, .params = ShardingConstraint{"{devices=[2,1]0,1}"}},
                 {.inputs = {{f32, {}}}, .params = ShardingConstraint{"{replicated}"}}}};
}  // namespace ops
Array lax::sharding_constraint(Operand x, std::string sharding) {
  return bind_one(ops::sharding_constraint, {x.array()}, ops::ShardingConstraint{std::move(sharding)},
                  x.where());
}
}  // namespace baton
