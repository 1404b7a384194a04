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

using Rules = Wrapper<call, Call>;

Arrays transpose_rule(const Arrays& cts, std::span<const LinearOperand> x, const Params& params,
                      Transformer& t) {
  return Rules::transpose(cts, x, params, t, [](const Arrays& operands) { return operands; });
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
                               .type = Rules::type,
                               .evaluate = Rules::evaluate,
                               .jvp_whole = Rules::jvp_whole,
                               .transpose = transpose_rule,
                               .batch = Rules::batch,
                               .partial_eval = Rules::partial_eval,
                               .meaning = Rules::meaning,
                               .program_examples = examples};
}  // namespace ops

Arrays lax::call(const Program& body, const Arrays& inputs, const std::string& name, Where where) {
  return bind(ops::call, inputs, ops::Call{body, name}, where);
}
}  // namespace baton
