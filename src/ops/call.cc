// call: a Program as one equation, under a name. It means its body; transforms go inside and keep the call.
#include "ops/wrapper.h"

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

/// A call of another body by the same name.
auto again(const Call& p) {
  return [&p](const Program& body, const Arrays& inputs) { return lax::call(body, inputs, p.name, {}); };
}

std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer& t) {
  const auto& p = params.as<Call>();
  return wrapped_jvp(p.body, primals, tangents, t, again(p));
}

Arrays transpose_rule(const Arrays& cts, std::span<const LinearOperand> x, const Params& params,
                      Transformer& t) {
  const auto& p = params.as<Call>();
  return wrapped_transpose(p.body, cts, x, t, again(p), [](const Arrays& operands) { return operands; });
}

std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer& t) {
  const auto& p = params.as<Call>();
  return wrapped_batch(p.body, axis, in, t, again(p));
}

PartialEquation partial_eval(const Arrays& known, std::span<const Type>, std::span<const Type> out_types,
                             const Params& params, Transformer& t, const SavePolicy& policy) {
  const auto& p = params.as<Call>();
  return wrapped_partial(p.body, known, out_types, t, policy, again(p), call,
                         [&](const Program& body) -> Params {
                           return Call{body, p.name};
                         });
}

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
                               .type = type,
                               .evaluate = evaluate,
                               .jvp_whole = jvp_whole,
                               .transpose = transpose_rule,
                               .batch = batch,
                               .partial_eval = partial_eval,
                               .program_examples = examples};
}  // namespace ops

Arrays lax::call(const Program& body, const Arrays& inputs, const std::string& name, Where where) {
  return bind(ops::call, inputs, ops::Call{body, name}, where);
}
}  // namespace baton
