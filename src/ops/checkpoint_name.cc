// checkpoint_name: the operand itself, under a name that checkpoint policies know. Its tangent has no name.
#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
struct CheckpointName {
  std::string name;
  BATON_FIELDS(name)
};
Types type(std::span<const Type> in, const Params&) {
  require_count("checkpoint_name", in, 1);
  return {in[0]};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  copy_all(out[0], in[0].data);
}
Arrays jvp(const Arrays&, const Arrays&, const Arrays& dx, const Params&) { return {dx[0]}; }
Arrays transpose(const Arrays& ct, std::span<const LinearOperand>, const Params&, Transformer&) {
  return {ct[0]};
}
bool saved(const Params& params, const SavePolicy& policy) {
  const std::string& name = params.as<CheckpointName>().name;
  return policy.save == Save::names &&
         std::find(policy.names.begin(), policy.names.end(), name) != policy.names.end();
}
std::vector<Example> examples() {
  std::vector<Example> rows = unary_examples();
  for (Example& row : rows) row.params = CheckpointName{"a name"};
  return rows;
}
}  // namespace
extern const Primitive checkpoint_name = {.name = "checkpoint_name",
                                          .cost = Cost::free,
                                          .elementwise = true,
                                          .params = CheckpointName{},
                                          .type = type,
                                          .evaluate = evaluate,
                                          .element = same_element,
                                          .jvp = jvp,
                                          .transpose = transpose,
                                          .saved = saved,
                                          .views = true,
                                          .same_as = same_as_operand,
                                          .examples = examples()};
}  // namespace ops
Array lax::checkpoint_name(Operand x, std::string name) {
  return bind_one(ops::checkpoint_name, {x.array()}, ops::CheckpointName{std::move(name)}, x.where());
}
}  // namespace baton
