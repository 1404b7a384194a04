// checkpoint: a Program as one equation whose insides are computed again in the backward pass.
// The policy says what is kept. What is computed again starts behind an optimization_barrier that also takes
// the cotangents, so that no pass can merge it with the first computation.
#include "ops/loops.h"
#include "ops/structure.h"

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

Arrays bind_checkpoint(const Program& body, const Checkpoint& like, const Arrays& inputs) {
  return bind(checkpoint, inputs, Checkpoint{body, like.save, like.names}, {});
}

Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<Checkpoint>();
  require_types("checkpoint", "operand", p.body.inputs(), Types(in.begin(), in.end()));
  return p.body.outputs();
}

void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  evaluator.run(params.as<Checkpoint>().body, in, out);
}

std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer& t) {
  const auto& p = params.as<Checkpoint>();
  const std::size_t n = p.body->outputs.size();
  const JvpProgram d = t.jvp(p.body, tangent_mask(tangents), filled(n, false));
  const Arrays all =
      bind_checkpoint(d.program, p, joined(primals, where_set(tangents, tangent_mask(tangents))));
  Arrays out_tangents;
  std::size_t next = n;
  for (std::size_t k = 0; k < n; ++k) out_tangents.push_back(d.out[k] ? all[next++] : Array());
  return {part(all, 0, n), out_tangents};
}

PartialEquation partial_eval(const Arrays& known, std::span<const Type>, std::span<const Type> out_types,
                             const Params& params, Transformer& t, const SavePolicy&) {
  const auto& p = params.as<Checkpoint>();
  const Mask unknown = unknown_mask(known);
  const PartialProgram cut = t.partial(p.body, unknown, filled(out_types.size(), false), {p.save, p.names});
  const auto sources = residual_sources(cut);
  const Arrays ran = bind_checkpoint(without_forwarded(cut), p, where_clear(known, unknown));
  PartialEquation result;
  std::size_t next = 0;
  for (std::size_t k = 0; k < out_types.size(); ++k)
    result.known.push_back(cut.out[k] ? Array() : ran[next++]);
  result.residuals = part(ran, next, ran.size());
  auto& u = result.unknown;
  u.primitive = &checkpoint;
  u.params = Checkpoint{cut.unknown, p.save, p.names};
  std::vector<int> known_index;
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (unknown[i])
      u.inputs.push_back(static_cast<int>(i));
    else
      known_index.push_back(static_cast<int>(i));
  }
  int computed = 0;
  for (const ResidualSource& s : sources)
    u.inputs.push_back(s.input < 0 ? -1 - computed++ : known_index[static_cast<std::size_t>(s.input)]);
  for (std::size_t k = 0; k < out_types.size(); ++k)
    if (cut.out[k]) {
      u.which.push_back(static_cast<int>(k));
      u.outputs.push_back(out_types[k]);
    }
  return result;
}

Arrays transpose_rule(const Arrays& cts, std::span<const LinearOperand> x, const Params& params,
                      Transformer& t) {
  const auto& p = params.as<Checkpoint>();
  Mask linear;
  Arrays held;
  for (const LinearOperand& operand : x) {
    linear.push_back(operand.linear());
    if (!operand.linear()) held.push_back(operand.value);
  }
  const Mask ct_in = tangent_mask(cts);
  const TransposeProgram back = t.transpose(p.body, linear, ct_in, filled(x.size(), false));
  append(held, where_set(cts, ct_in));
  const Arrays out = bind_checkpoint(back.program, p, lax::optimization_barrier(held));
  Arrays result(x.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (back.in[i]) result[i] = out[next++];
  return result;
}

std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer& t) {
  const auto& p = params.as<Checkpoint>();
  const BatchProgram b = t.batch(p.body, axis, batched_mask(in), filled(p.body->outputs.size(), false));
  Arrays operands;
  for (const Batched& x : in) operands.push_back(batch_to_front(x));
  const Arrays out = bind_checkpoint(b.program, p, operands);
  std::vector<Batched> result;
  for (std::size_t k = 0; k < out.size(); ++k) result.push_back({out[k], b.out[k] ? 0 : -1});
  return result;
}

Effects effects(const Params& params) { return effects_of(params.as<Checkpoint>().body); }

bool names_axis(const Params&, std::string_view) { return true; }  // its body may

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
                                     .effects = effects,
                                     .type = type,
                                     .evaluate = evaluate,
                                     .jvp_whole = jvp_whole,
                                     .transpose = transpose_rule,
                                     .batch = batch,
                                     .names_axis = names_axis,
                                     .partial_eval = partial_eval,
                                     .program_examples = examples};
}  // namespace ops

Arrays lax::checkpoint(const Program& body, const Arrays& inputs, const SavePolicy& policy, Where where) {
  return bind(ops::checkpoint, inputs, ops::Checkpoint{body, policy.save, policy.names}, where);
}
}  // namespace baton
