// call: a Program as one equation, under a name. It means its body; transforms go inside and keep the call.
#include "ops/loops.h"

namespace baton {
namespace ops {
extern const Primitive call;
namespace {

struct Call {
  Program body;
  std::string name;
  BATON_FIELDS(body, name)
};

Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<Call>();
  require_types("call", "operand", p.body.inputs(), Types(in.begin(), in.end()));
  return p.body.outputs();
}

void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  evaluator.run(params.as<Call>().body, in, out);
}

std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer& t) {
  const auto& p = params.as<Call>();
  const std::size_t n = p.body->outputs.size();
  const Mask in = tangent_mask(tangents);
  const JvpProgram d = t.jvp(p.body, in, filled(n, false));
  const Arrays all = lax::call(d.program, joined(primals, where_set(tangents, in)), p.name, {});
  Arrays out_tangents;
  std::size_t next = n;
  for (std::size_t k = 0; k < n; ++k) out_tangents.push_back(d.out[k] ? all[next++] : Array());
  return {part(all, 0, n), out_tangents};
}

Arrays transpose_rule(const Arrays& cts, std::span<const LinearOperand> x, const Params& params,
                      Transformer& t) {
  const auto& p = params.as<Call>();
  Mask linear;
  Arrays operands;
  for (const LinearOperand& operand : x) {
    linear.push_back(operand.linear());
    if (!operand.linear()) operands.push_back(operand.value);
  }
  const Mask ct_in = tangent_mask(cts);
  const TransposeProgram back = t.transpose(p.body, linear, ct_in, filled(x.size(), false));
  append(operands, where_set(cts, ct_in));
  const Arrays out = lax::call(back.program, operands, p.name, {});
  Arrays result(x.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (back.in[i]) result[i] = out[next++];
  return result;
}

std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer& t) {
  const auto& p = params.as<Call>();
  const BatchProgram b = t.batch(p.body, axis, batched_mask(in), filled(p.body->outputs.size(), false));
  Arrays operands;
  for (const Batched& x : in) operands.push_back(batch_to_front(x));
  const Arrays out = lax::call(b.program, operands, p.name, {});
  std::vector<Batched> result;
  for (std::size_t k = 0; k < out.size(); ++k) result.push_back({out[k], b.out[k] ? 0 : -1});
  return result;
}

bool names_axis(const Params&, std::string_view) { return true; }  // its body may

PartialEquation partial_eval(const Arrays& known, std::span<const Type>, std::span<const Type> out_types,
                             const Params& params, Transformer& t, const SavePolicy& policy) {
  const auto& p = params.as<Call>();
  const Mask unknown = unknown_mask(known);
  const PartialProgram cut = t.partial(p.body, unknown, filled(out_types.size(), false), policy);
  const auto sources = residual_sources(cut);
  const Arrays ran = lax::call(without_forwarded(cut), where_clear(known, unknown), p.name, {});
  PartialEquation result;
  std::size_t next = 0;
  for (std::size_t k = 0; k < out_types.size(); ++k)
    result.known.push_back(cut.out[k] ? Array() : ran[next++]);
  result.residuals = part(ran, next, ran.size());
  auto& u = result.unknown;
  u.primitive = &call;
  u.params = Call{cut.unknown, p.name};
  std::vector<int> known_index;
  for (std::size_t i = 0; i < unknown.size(); ++i)
    (unknown[i] ? u.inputs : known_index).push_back(static_cast<int>(i));
  int computed = 0;
  for (const ResidualSource& s : sources)
    u.inputs.push_back(s.input < 0 ? -1 - computed++ : known_index[at(s.input)]);
  for (std::size_t k = 0; k < out_types.size(); ++k)
    if (cut.out[k]) {
      u.which.push_back(static_cast<int>(k));
      u.outputs.push_back(out_types[k]);
    }
  return result;
}

Effects effects(const Params& params) { return effects_of(params.as<Call>().body); }

std::vector<Example> examples() {
  const Type pair{f32, {2}};
  const Program product = make_program("product", {pair, pair}, [](const Arrays& in) -> Arrays {
    const Array inner = lax::sin(lax::mul(in[0], in[1]));
    return {lax::mul(inner, in[0]), in[1], lax::exp(in[0])};
  });
  const Program fixed = make_program("fixed", {}, [](const Arrays&) -> Arrays {
    return {lax::zeros({f32, {2}})};
  });
  const Program mixed = make_program("mixed", {pair, {s32, {}}}, [](const Arrays& in) -> Arrays {
    return {lax::mul(in[0], lax::broadcast_in_dim(lax::convert_element_type(in[1], in[0].dtype()), {2}, {})),
            in[1]};
  });
  return {
      {.inputs = {pair, pair}, .params = Call{product, "product"}},
      {.inputs = {}, .params = Call{fixed, "fixed"}},
      {.inputs = {pair, {s32, {}}}, .params = Call{mixed, "mixed"}, .note = "an integer input and result"}};
}
}  // namespace

extern const Primitive call = {.name = "call",
                               .params = Call{},
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

Arrays lax::call(const Program& body, const Arrays& inputs, const std::string& name, Where where) {
  return bind(ops::call, inputs, ops::Call{body, name}, where);
}
}  // namespace baton
