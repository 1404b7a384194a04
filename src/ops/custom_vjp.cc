// custom_vjp: a Program with a gradient that its author gave, as two Programs: forward keeps residuals,
// backward turns cotangents into cotangents. Differentiated, it becomes its forward Program and one linear
// equation, custom_vjp_linear, whose transpose is the backward Program and which has no other meaning.
#include "ops/loops.h"
#include "ops/structure.h"

namespace baton {
namespace ops {
extern const Primitive custom_vjp;
extern const Primitive custom_vjp_linear;
namespace {

struct CustomVjp {
  Program call;
  Program forward;   // inputs -> (outputs, residuals)
  Program backward;  // (residuals, cotangents of inexact outputs) -> cotangents of inexact inputs but the
                     // captures
  std::int64_t captures = 0;
  BATON_FIELDS(call, forward, backward, captures)
};
struct Linear {
  Program backward;
  std::int64_t residuals = 0;
  BATON_FIELDS(backward, residuals)
};

Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<CustomVjp>();
  const Types given(in.begin(), in.end()), out = p.call.outputs(), forward = p.forward.outputs();
  require_counts("custom_vjp", {p.captures}, in.size());
  require_types("custom_vjp", "operand", p.call.inputs(), given);
  require_types("custom_vjp", "operand of forward", given, p.forward.inputs());
  if (forward.size() < out.size())
    type_error("custom_vjp", "forward must return the outputs and then the residuals, found " +
                                 std::to_string(forward.size()) + " results where the function has " +
                                 std::to_string(out.size()) + " outputs.");
  require_types("custom_vjp", "output of forward", out, part(forward, 0, out.size()));
  require_types("custom_vjp", "operand of backward",
                joined(part(forward, out.size(), forward.size()), inexact_of(out, out.size())),
                p.backward.inputs());
  require_types("custom_vjp", "cotangent that backward returns",
                inexact_of(given, given.size() - static_cast<std::size_t>(p.captures)), p.backward.outputs());
  return out;
}

void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  evaluator.run(params.as<CustomVjp>().call, in, out);
}

std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer&) {
  const auto& p = params.as<CustomVjp>();
  const std::size_t explicit_count = primals.size() - static_cast<std::size_t>(p.captures);
  const std::size_t n = p.call->outputs.size();
  const Arrays all = splice(p.forward, primals);
  Arrays in = part(all, n, all.size());
  for (std::size_t i = 0; i < primals.size(); ++i) {
    if (i >= explicit_count) {
      if (!tangents[i].empty())
        throw UsageError("custom_vjp: the function reads a differentiated value " + show(primals[i].type()) +
                         " from outside." + called_at(Frame::blame({})) +
                         "\n  Its rule knows nothing of it: pass the value as an argument.");
      continue;
    }
    if (is_inexact(primals[i].dtype()))
      in.push_back(tangents[i].empty() ? zeros_like(primals[i]) : tangents[i]);
  }
  const Arrays moved =
      bind(custom_vjp_linear, in, Linear{p.backward, static_cast<std::int64_t>(all.size() - n)}, {});
  Arrays outs = part(all, 0, n), out_tangents;
  std::size_t next = 0;
  for (const Array& out : outs) out_tangents.push_back(is_inexact(out.dtype()) ? moved[next++] : Array());
  return {outs, out_tangents};
}

std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer& t) {
  const auto& p = params.as<CustomVjp>();
  const Mask mask = batched_mask(in);
  const std::size_t n = p.call->outputs.size();
  const Program call = t.batch(p.call, axis, mask, filled(n, true)).program;
  const Program forward = t.batch(p.forward, axis, mask, filled(p.forward->outputs.size(), true)).program;
  const Program lanes =
      t.batch(p.backward, axis, filled(static_cast<std::size_t>(p.backward->input_count), true),
              filled(p.backward->outputs.size(), true))
          .program;
  // An input without a batch axis is shared by all lanes: its cotangent is the sum of theirs.
  const Program backward = make_program("backward", lanes.inputs(), [&](const Arrays& args) {
    Arrays cts = splice(lanes, args);
    std::size_t k = 0;
    for (std::size_t i = 0; i < in.size() - static_cast<std::size_t>(p.captures); ++i) {
      if (!is_inexact(in[i].value.dtype())) continue;
      if (!mask[i]) cts[k] = lax::reduce_sum(cts[k], {0});
      ++k;
    }
    return cts;
  });
  Arrays operands;
  for (const Batched& b : in) operands.push_back(batch_to_front(b));
  std::vector<Batched> result;
  for (const Array& a : bind(custom_vjp, operands, CustomVjp{call, forward, backward, p.captures}, {}))
    result.push_back({a, 0});
  return result;
}

std::vector<Example> examples() {
  const Type pair{f32, {2}};
  const Program call = make_program(
      "call", {pair, pair}, [](const Arrays& in) -> Arrays { return {lax::mul(lax::sin(in[0]), in[1])}; });
  const Program forward = make_program("forward", {pair, pair}, [](const Arrays& in) -> Arrays {
    return {lax::mul(lax::sin(in[0]), in[1]), in[0], in[1]};
  });
  const Program backward = make_program("backward", {pair, pair, pair}, [](const Arrays& in) -> Arrays {
    const Array left = lax::mul(in[2], lax::mul(lax::cos(in[0]), in[1]));
    return {left, lax::mul(in[2], lax::sin(in[0]))};
  });
  return {{.inputs = {pair, pair},
           .params = CustomVjp{call, forward, backward, 0},
           .note = "reverse mode only",
           .forward = false}};
}

// ---- the linear equation that stands for the derivative
// ------------------------------------------------------------

Types linear_type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<Linear>();
  const Types given(in.begin(), in.end()), backward = p.backward.inputs();
  require_counts("custom_vjp_linear", {p.residuals}, std::min(given.size(), backward.size()));
  const auto residuals = static_cast<std::size_t>(p.residuals);
  require_types("custom_vjp_linear", "residual", part(backward, 0, residuals), part(given, 0, residuals));
  require_types("custom_vjp_linear", "tangent", p.backward.outputs(), part(given, residuals, given.size()));
  return part(backward, residuals, backward.size());
}

Arrays linear_transpose(const Arrays& cts, std::span<const LinearOperand> x, const Params& params,
                        Transformer&) {
  const auto& p = params.as<Linear>();
  const auto residuals = static_cast<std::size_t>(p.residuals);
  const Types backward = p.backward.inputs();
  Arrays in;
  for (std::size_t i = 0; i < residuals; ++i) in.push_back(x[i].value);
  for (std::size_t k = 0; k < cts.size(); ++k)
    in.push_back(cts[k].empty() ? zeros_of(backward[residuals + k]) : cts[k]);
  const Arrays out = splice(p.backward, in);
  Arrays result(x.size());
  for (std::size_t i = residuals; i < x.size(); ++i)
    if (x[i].linear()) result[i] = out[i - residuals];
  return result;
}

Meaning meaning(const Params& params, std::size_t operands) {
  return {params.as<CustomVjp>().call, all_of(operands)};
}
}  // namespace

extern const Primitive custom_vjp = {.name = "custom_vjp",
                                     .params = CustomVjp{},
                                     .type = type,
                                     .evaluate = evaluate,
                                     .jvp_whole = jvp_whole,
                                     .batch = batch,
                                     .meaning = meaning,
                                     .program_examples = examples};
extern const Primitive custom_vjp_linear = {.name = "custom_vjp_linear",
                                            .transpose_only = true,
                                            .params = Linear{},
                                            .type = linear_type,
                                            .transpose = linear_transpose};
}  // namespace ops

Arrays lax::custom_vjp(const Program& call, const Program& forward, const Program& backward, int captures,
                       const Arrays& inputs, Where where) {
  return bind(ops::custom_vjp, inputs, ops::CustomVjp{call, forward, backward, captures}, where);
}
}  // namespace baton
