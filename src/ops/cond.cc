// cond: one of several Programs, chosen by an index that is known only when it runs.
// inputs: index (s32[], clamped; or bool[] with two branches, false: branch 0), operands; every branch takes
// them all.
#include "ops/cond.h"

namespace baton {
namespace ops {
namespace {

Types type(std::span<const Type> in, const Params& params) {
  const auto& branches = params.as<Cond>().branches;
  if (branches.empty()) type_error("cond", "at least one branch is required.");
  if (in.empty() || in[0].rank() != 0 ||
      !(in[0].dtype == s32 || (in[0].dtype == boolean && branches.size() == 2)))
    type_error("cond", "the index must be s32[], or bool[] with two branches, found " +
                           (in.empty() ? "nothing" : show(in[0])) + ".");
  const Types operands(in.begin() + 1, in.end()), out = branches[0].outputs();
  for (std::size_t b = 0; b < branches.size(); ++b) {
    const std::string branch = " of branch " + std::to_string(b);
    require_types("cond", "operand" + branch, branches[b].inputs(), operands);
    require_types("cond", "result" + branch, out, branches[b].outputs());
  }
  return out;
}

void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  const auto& branches = params.as<Cond>().branches;
  const std::int64_t last = static_cast<std::int64_t>(branches.size()) - 1;
  const std::int64_t i = std::clamp<std::int64_t>(integer_at(in[0], 0), 0, last);
  evaluator.run(branches[static_cast<std::size_t>(i)], in.subspan(1), out);
}

Arrays bind_cond(const Array& index, std::vector<Program> branches, const Arrays& operands) {
  return bind(cond, joined(Arrays{index}, operands), Cond{std::move(branches)}, {});
}

/// Applies a transform to each branch until all agree on which results are there.
template <class Transform>
auto agreed(const std::vector<Program>& branches, Transform transform) {
  Mask out = filled(branches[0]->outputs.size(), false);
  while (true) {
    std::vector<decltype(transform(branches[0], out))> all;
    Mask grown = out;
    for (const Program& b : branches) {
      all.push_back(transform(b, out));
      grown = grown | all.back().out;
    }
    if (std::all_of(all.begin(), all.end(), [&](const auto& r) { return r.out == grown; })) return all;
    out = grown;
  }
}

std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer& t) {
  const auto& branches = params.as<Cond>().branches;
  const Arrays operands = part(primals, 1, primals.size()), moves = part(tangents, 1, tangents.size());
  const Mask in = tangent_mask(moves);
  const auto derived = agreed(branches, [&](const Program& b, const Mask& out) { return t.jvp(b, in, out); });
  std::vector<Program> programs;
  for (const JvpProgram& d : derived) programs.push_back(d.program);
  const Arrays all = bind_cond(primals[0], programs, joined(operands, where_set(moves, in)));
  const std::size_t n = branches[0]->outputs.size();
  return {part(all, 0, n), placed(part(all, n, all.size()), derived[0].out)};
}

PartialEquation partial_eval(const Arrays& known, std::span<const Type> in, std::span<const Type> out_types,
                             const Params& params, Transformer& t, const SavePolicy& policy) {
  const auto& branches = params.as<Cond>().branches;
  if (known[0].empty())  // nobody knows the branch yet
    return {Arrays(out_types.size()), {}, unknown_as_a_whole(cond, params, in.size(), out_types)};
  const Arrays operands = part(known, 1, known.size());
  const Mask unknown = unknown_mask(operands);
  const auto cuts =
      agreed(branches, [&](const Program& b, const Mask& out) { return t.partial(b, unknown, out, policy); });
  const Mask out = cuts[0].out;

  // Every branch returns room for the computed residuals of all; the ones of others are zeros.
  std::vector<std::vector<ResidualSource>> sources;
  Types residuals;
  std::vector<std::size_t> starts;
  for (const PartialProgram& cut : cuts) {
    sources.push_back(residual_sources(cut));
    starts.push_back(residuals.size());
    for (std::size_t r = 0; r < sources.back().size(); ++r)
      if (sources.back()[r].input < 0) residuals.push_back(cut.residuals[r]);
  }
  std::vector<Program> known_branches, unknown_branches;
  for (std::size_t b = 0; b < cuts.size(); ++b) {
    const Program half = without_forwarded(cuts[b]);
    const std::size_t outs = count_of(complement(out));
    known_branches.push_back(make_program("branch", half.inputs(), [&](const Arrays& args) {
      const Arrays all = splice(half, args);
      Arrays results = part(all, 0, outs);
      for (std::size_t r = 0; r < residuals.size(); ++r) {
        const bool mine = r >= starts[b] && r < starts[b] + (all.size() - outs);
        results.push_back(mine ? all[outs + r - starts[b]] : zeros_of(residuals[r]));
      }
      return results;
    }));
  }
  const Arrays ran = bind_cond(known[0], known_branches, where_clear(operands, unknown));

  const Types operand_types(in.begin() + 1, in.end());
  const Types unknown_types = where_set(operand_types, unknown),
              known_types = where_clear(operand_types, unknown);
  for (std::size_t b = 0; b < cuts.size(); ++b)
    unknown_branches.push_back(
        make_program("branch", joined(unknown_types, known_types, residuals), [&](const Arrays& args) {
          Arrays inner = part(args, 0, unknown_types.size());
          std::size_t mine = unknown_types.size() + known_types.size() + starts[b];
          for (const ResidualSource& s : sources[b])
            inner.push_back(s.input < 0 ? args[mine++]
                                        : args[unknown_types.size() + static_cast<std::size_t>(s.input)]);
          return splice(cuts[b].unknown, inner);
        }));
  PartialEquation result = known_half(ran, out);
  auto& u = result.unknown;
  u.primitive = &cond;
  u.params = Cond{unknown_branches};
  const std::vector<int> inputs = places(unknown.size(), 1);
  u.inputs = joined(std::vector<int>{0}, where_set(inputs, unknown), where_clear(inputs, unknown));
  for (std::size_t r = 0; r < residuals.size(); ++r) u.inputs.push_back(-1 - static_cast<int>(r));
  set_outputs(u, out_types, out);
  return result;
}

Arrays transpose_rule(const Arrays& cts, std::span<const LinearOperand> x, const Params& params,
                      Transformer& t) {
  const auto& branches = params.as<Cond>().branches;
  Mask linear;
  Arrays operands;
  for (const LinearOperand& operand : x.subspan(1)) {
    linear.push_back(operand.linear());
    if (!operand.linear()) operands.push_back(operand.value);
  }
  const Mask ct_in = tangent_mask(cts);
  std::vector<Program> back;
  for (const Program& b : branches) back.push_back(t.transpose(b, linear, ct_in, linear).program);
  const Arrays all = bind_cond(x[0].value, back, joined(operands, where_set(cts, ct_in)));
  return joined(Arrays{Array()}, placed(all, linear));
}

std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer& t) {
  const auto& branches = params.as<Cond>().branches;
  Arrays operands;
  Mask mask;
  for (const Batched& b : in.subspan(1)) {
    operands.push_back(batch_to_front(b));
    mask.push_back(b.axis >= 0);
  }
  std::vector<Batched> result;
  if (in[0].axis < 0) {
    const auto lanes =
        agreed(branches, [&](const Program& b, const Mask& out) { return t.batch(b, axis, mask, out); });
    std::vector<Program> programs;
    for (const BatchProgram& b : lanes) programs.push_back(b.program);
    const Arrays out = bind_cond(in[0].value, programs, operands);
    for (std::size_t k = 0; k < out.size(); ++k) result.push_back({out[k], lanes[0].out[k] ? 0 : -1});
    return result;
  }
  // Lanes differ in their branch: all branches run, and each lane selects.
  const std::size_t n = branches[0]->outputs.size();
  std::vector<Arrays> all;
  for (const Program& b : branches)
    all.push_back(splice(t.batch(b, axis, mask, filled(n, true)).program, operands));
  Array index = batch_to_front(in[0]);
  if (index.dtype() != boolean) index = lax::clamp(0, index, static_cast<int>(branches.size()) - 1);
  for (std::size_t k = 0; k < n; ++k) {
    Array chosen = all[0][k];
    const Shape& shape = chosen.shape();
    for (std::size_t b = 1; b < branches.size(); ++b) {
      const Array here = index.dtype() == boolean ? index : lax::eq(index, static_cast<int>(b));
      chosen = lax::select(lax::broadcast_in_dim(here, shape, {0}), all[b][k], chosen);
    }
    result.push_back({chosen, 0});
  }
  return result;
}

std::vector<Example> examples() {
  const Type pair{f32, {2}};
  const Program sine = make_program("sine", {pair, pair}, [](const Arrays& in) -> Arrays {
    return {lax::sin(lax::mul(in[0], in[1])), in[0]};
  });
  const Program product = make_program("product", {pair, pair}, [](const Arrays& in) -> Arrays {
    return {lax::mul(lax::exp(in[1]), in[0]), in[1]};
  });
  const Program zero = make_program("zero", {pair, pair}, [](const Arrays& in) -> Arrays {
    return {zeros_like(in[0]), in[1]};
  });
  return {{.inputs = {{boolean, {}}, pair, pair}, .params = Cond{{sine, product}}},
          {.inputs = {{s32, {}}, pair, pair}, .params = Cond{{sine, product, zero}}, .low = -1, .high = 3},
          {.inputs = {{s32, {}}, pair, pair}, .params = Cond{{product}}, .note = "one branch"}};
}

Trimmed drop_unused(const Params& params, const Mask& used) {
  const auto& branches = params.as<Cond>().branches;
  Mask operands = filled(static_cast<std::size_t>(branches[0]->input_count), false);
  for (const Program& b : branches) operands = operands | needed_inputs(b, used);
  std::vector<Program> left;
  for (const Program& b : branches) left.push_back(restricted(b, operands, used));
  return {Cond{std::move(left)}, joined(Mask{true}, operands), used};
}
}  // namespace

extern const Primitive cond = {.name = "cond",
                               .params = Cond{},
                               .type = type,
                               .evaluate = evaluate,
                               .jvp_whole = jvp_whole,
                               .transpose = transpose_rule,
                               .batch = batch,
                               .partial_eval = partial_eval,
                               .drop_unused = drop_unused,
                               .program_examples = examples};
}  // namespace ops

Arrays lax::cond(Operand index, const std::vector<Program>& branches, const Arrays& operands) {
  const Frame frame(index.where());
  return ops::bind_cond(index.array(), branches, operands);
}
}  // namespace baton
