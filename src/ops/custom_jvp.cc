// custom_jvp: a Program with a derivative that its author gave. The rule is a Program too; forward mode runs
// it, and reverse mode transposes what it does to tangents.
#include "ops/loops.h"
#include "ops/structure.h"

namespace baton {
namespace ops {
extern const Primitive custom_jvp, custom_vjp;
namespace {

struct CustomJvp {
  Program call;
  Program
      jvp;  // (inputs, tangents of inexact inputs but the captures) -> (outputs, tangents of inexact outputs)
  std::int64_t captures = 0;  // the last inputs; not differentiable
  BATON_FIELDS(call, jvp, captures)
};

Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<CustomJvp>();
  const Types given(in.begin(), in.end()), out = p.call.outputs();
  require_types("custom_jvp", "operand", p.call.inputs(), given);
  require_counts("custom_jvp", {p.captures}, in.size());
  const std::size_t explicit_count = in.size() - static_cast<std::size_t>(p.captures);
  require_types("custom_jvp", "operand of the rule", joined(given, inexact_of(given, explicit_count)),
                p.jvp.inputs());
  require_types("custom_jvp", "result of the rule", joined(out, inexact_of(out, out.size())),
                p.jvp.outputs());
  return out;
}

void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  evaluator.run(params.as<CustomJvp>().call, in, out);
}

std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer&) {
  const auto& p = params.as<CustomJvp>();
  const std::size_t explicit_count = primals.size() - static_cast<std::size_t>(p.captures);
  Arrays in = primals;
  for (std::size_t i = 0; i < primals.size(); ++i) {
    if (i >= explicit_count) {
      if (!tangents[i].empty())
        throw UsageError("custom_jvp: the function reads a differentiated value " + show(primals[i].type()) +
                         " from outside." + called_at(Frame::blame({})) +
                         "\n  Its rule knows nothing of it: pass the value as an argument.");
      continue;
    }
    if (is_inexact(primals[i].dtype()))
      in.push_back(tangents[i].empty() ? zeros_like(primals[i]) : tangents[i]);
  }
  const Arrays all = splice(p.jvp, in);
  const std::size_t n = p.call->outputs.size();
  Arrays outs = part(all, 0, n), out_tangents;
  std::size_t next = n;
  for (std::size_t k = 0; k < n; ++k)
    out_tangents.push_back(is_inexact(outs[k].dtype()) ? all[next++] : Array());
  return {outs, out_tangents};
}

std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer& t) {
  const auto& p = params.as<CustomJvp>();
  const Mask mask = batched_mask(in);
  Mask rule_mask = mask;
  const std::size_t explicit_count = in.size() - static_cast<std::size_t>(p.captures);
  for (std::size_t i = 0; i < explicit_count; ++i)
    if (is_inexact(in[i].value.dtype())) rule_mask.push_back(mask[i]);
  const Program call = t.batch(p.call, axis, mask, filled(p.call->outputs.size(), true)).program;
  const Program jvp = t.batch(p.jvp, axis, rule_mask, filled(p.jvp->outputs.size(), true)).program;
  Arrays operands;
  for (const Batched& b : in) operands.push_back(batch_to_front(b));
  std::vector<Batched> result;
  for (const Array& a : bind(custom_jvp, operands, CustomJvp{call, jvp, p.captures}, {}))
    result.push_back({a, 0});
  return result;
}

std::vector<Example> examples() {
  const Type pair{f32, {2}};
  const Program call = make_program(
      "call", {pair, pair}, [](const Arrays& in) -> Arrays { return {lax::mul(lax::sin(in[0]), in[1])}; });
  const Program jvp = make_program("jvp", {pair, pair, pair, pair}, [](const Arrays& in) -> Arrays {
    const Array sine = lax::sin(in[0]), value = lax::mul(sine, in[1]);
    const Array left = lax::mul(in[2], lax::mul(lax::cos(in[0]), in[1])), right = lax::mul(in[3], sine);
    return {value, lax::add(left, right)};
  });
  return {{.inputs = {pair, pair}, .params = CustomJvp{call, jvp, 0}}};
}
Meaning meaning(const Params& params, std::size_t operands) {
  return {params.as<CustomJvp>().call, all_of(operands)};
}
}  // namespace

extern const Primitive custom_jvp = {.name = "custom_jvp",
                                     .params = CustomJvp{},
                                     .type = type,
                                     .evaluate = evaluate,
                                     .jvp_whole = jvp_whole,
                                     .batch = batch,
                                     .meaning = meaning,
                                     .program_examples = examples};

namespace {
class WithoutRules final : public FieldVisitorOfSome {
 public:
  void program(std::string_view, Program& p) override { p = without_rules(p); }
  void programs(std::string_view, std::vector<Program>& all) override {
    for (Program& p : all) p = without_rules(p);
  }
};
}  // namespace

Program without_rules(const Program& program) {
  const ProgramData& p = *program;
  if (std::all_of(p.equations.begin(), p.equations.end(),
                  [](const Equation& e) { return programs_of(e.params).empty(); }))
    return program;
  return make_program("function", program.inputs(), [&](const Arrays& inputs) {
    Trace& trace = *Trace::current();
    Arrays values(p.types.size());
    std::copy(inputs.begin(), inputs.end(), values.begin());
    for (std::size_t i = 0; i < p.literals.size(); ++i)
      values[inputs.size() + i] = trace.literal(p.literals[i]);
    for (const Equation& e : p.equations) {
      trace.set_origin(e.number);
      Arrays in;
      for (Var v : e.inputs) in.push_back(values[static_cast<std::size_t>(v)]);
      WithoutRules visitor;
      const bool ruled = e.primitive == &custom_jvp || e.primitive == &custom_vjp;
      const Arrays out = ruled ? splice(without_rules(programs_of(e.params).front()), in)
                               : bind(*e.primitive, in, e.params.with(visitor), {});
      for (std::size_t k = 0; k < out.size(); ++k) values[static_cast<std::size_t>(e.outputs[k])] = out[k];
    }
    Arrays results;
    for (Var v : p.outputs) results.push_back(values[static_cast<std::size_t>(v)]);
    return results;
  });
}
}  // namespace ops

Arrays lax::custom_jvp(const Program& call, const Program& jvp, int captures, const Arrays& inputs,
                       Where where) {
  return bind(ops::custom_jvp, inputs, ops::CustomJvp{call, jvp, captures}, where);
}
}  // namespace baton
