// checkpoint: a Program as one equation whose insides are computed again in the backward pass.
// The policy says what is kept. What is computed again starts behind an optimization_barrier that also takes
// the cotangents, so that no pass can merge it with the first computation.
#include "ops/structure.h"
#include "ops/wrapper.h"

namespace baton {

inline constexpr std::string_view save_names[] = {"nothing", "everything", "dots", "dots_with_no_batch_dims",
                                                  "names"};
template <>
inline constexpr std::span<const std::string_view> enum_names<Save> = save_names;

namespace ops {
extern const Primitive checkpoint;
namespace {

struct Checkpoint {
  Program body;
  Save save = Save::nothing;
  std::vector<std::string> names;
  BATON_FIELDS(body, save, names)
};

using Rules = Wrapper<checkpoint, Checkpoint>;

Types type(std::span<const Type> in, const Params& params) {
  const Types out = Rules::type(in, params);
  lax::require_repeatable(params.as<Checkpoint>().body);
  return out;
}

PartialEquation partial_eval(const Arrays& known, std::span<const Type> in, std::span<const Type> out_types,
                             const Params& params, Transformer& t, const SavePolicy&) {
  const auto& p = params.as<Checkpoint>();
  return Rules::partial_eval(known, in, out_types, params, t, {p.save, p.names});
}

Arrays transpose_rule(const Arrays& cts, std::span<const LinearOperand> x, const Params& params,
                      Transformer& t) {
  return Rules::transpose(cts, x, params, t,
                          [](const Arrays& operands) { return lax::optimization_barrier(operands); });
}

std::vector<Example> examples() {
  const Type pair{f32, {2}};
  const Program body = make_program("block", {pair, pair}, [](const Arrays& in) -> Arrays {
    const Array inner = lax::sin(lax::mul(in[0], in[1]));
    return {lax::mul(inner, lax::exp(inner)), in[1]};
  });
  std::vector<Example> rows;
  for (Save save : {Save::nothing, Save::everything, Save::dots, Save::dots_with_no_batch_dims})
    rows.push_back({.inputs = {pair, pair}, .params = Checkpoint{body, save, {}}});
  return rows;
}
}  // namespace

extern const Primitive checkpoint = {.name = "checkpoint",
                                     .params = Checkpoint{},
                                     .type = type,
                                     .evaluate = Rules::evaluate,
                                     .jvp_whole = Rules::jvp_whole,
                                     .transpose = transpose_rule,
                                     .batch = Rules::batch,
                                     .partial_eval = partial_eval,
                                     .meaning = Rules::meaning,
                                     .program_examples = examples};
}  // namespace ops

void lax::require_repeatable(const Program& body) {
  if (body->effects != Effects::io) return;
  for (const Equation& e : body->equations)
    ops::refuse_io(e,
                   "code with effects runs once for each call, so checkpoint cannot run it again in the "
                   "backward pass.\n  Call it outside the checkpointed function, or declare it "
                   "HostKind::pure.");
}

Arrays lax::checkpoint(const Program& body, const Arrays& inputs, const SavePolicy& policy, Where where) {
  return bind(ops::checkpoint, inputs, ops::Checkpoint{body, policy.save, policy.names}, where);
}
}  // namespace baton
