// while: repeats a body as long as a condition on the carry holds. Forward mode only: its length is not known
// before. inputs: consts of the condition, consts of the body, carry.
#include "ops/while.h"

namespace baton {
namespace ops {
namespace {

Arrays bind_while(const Program& cond, const Arrays& cond_consts, const Program& body,
                  const Arrays& body_consts, const Arrays& init) {
  return bind(while_, joined(cond_consts, body_consts, init),
              While{cond, body, static_cast<std::int64_t>(cond_consts.size()),
                    static_cast<std::int64_t>(body_consts.size())},
              {});
}

Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<While>();
  const WhileLayout at(p);
  require_counts("while", {p.cond_consts, p.body_consts}, in.size());
  const Types given(in.begin(), in.end()), carry = at.carry_of(given);
  require_types("while", "operand of the condition", p.cond.inputs(), joined(at.cond_of(given), carry));
  require_types("while", "operand of the body", p.body.inputs(), joined(at.body_of(given), carry));
  require_types("while", "result of the condition", {{boolean, {}}}, p.cond.outputs());
  require_types("while", "result of the body", carry, p.body.outputs());
  return carry;
}

void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  const auto& p = params.as<While>();
  const WhileLayout at(p);
  const std::size_t n = out.size();
  std::vector<std::vector<char>> carry[2];
  for (auto& set : carry)
    for (const View& v : out) set.emplace_back(v.type->bytes() + 1);
  for (std::size_t k = 0; k < n; ++k)
    copy_all({out[k].type, carry[0][k].data()}, in[at.cond + at.body + k].data);
  std::vector<View> cond_in(at.cond + n), body_in(at.body + n), body_out(n);
  std::copy(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(at.cond), cond_in.begin());
  std::copy(in.begin() + static_cast<std::ptrdiff_t>(at.cond),
            in.begin() + static_cast<std::ptrdiff_t>(at.cond + at.body), body_in.begin());
  const Type bool_type{boolean, {}};
  int now = 0;
  while (true) {
    for (std::size_t k = 0; k < n; ++k)
      cond_in[at.cond + k] = body_in[at.body + k] = {out[k].type, carry[now][k].data()};
    bool go = false;
    const View go_view{&bool_type, &go};
    evaluator.run(p.cond, cond_in, {&go_view, 1});
    if (!go) break;
    for (std::size_t k = 0; k < n; ++k) body_out[k] = {out[k].type, carry[1 - now][k].data()};
    evaluator.run(p.body, body_in, body_out);
    now = 1 - now;
  }
  for (std::size_t k = 0; k < n; ++k) copy_all(out[k], carry[now][k].data());
}

/// The condition with further carries that it does not look at.
Program widened(const Program& cond, const Types& more) {
  return make_program("cond", joined(cond.inputs(), more), [&](const Arrays& in) {
    return splice(cond, part(in, 0, static_cast<std::size_t>(cond->input_count)));
  });
}

std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer& t) {
  const auto& p = params.as<While>();
  const WhileLayout at(p);
  const Mask in = tangent_mask(tangents), consts = at.body_of(in);
  JvpProgram d;
  const Mask carry = settled(at.carry_of(in), [&](const Mask& moves) {
    d = t.jvp(p.body, joined(consts, moves), moves);
    return d.out;
  });
  const Types types = p.body.inputs();
  const Types bc = part(types, 0, at.body), ca = part(types, at.body, types.size());
  const Types bc_t = where_set(bc, consts), ca_t = where_set(ca, carry);
  const Program body = make_program("body", joined(bc, bc_t, ca, ca_t), [&](const Arrays& all) {
    Parts parts(all);
    const Arrays b = parts.take(bc.size()), b_t = parts.take(bc_t.size()), c = parts.take(ca.size()),
                 c_t = parts.take(ca_t.size());
    return splice(d.program, joined(b, c, b_t, c_t));
  });
  Arrays init = at.carry_of(primals);
  for (std::size_t k = 0; k < ca.size(); ++k) {
    if (!carry[k]) continue;
    const Array& tangent = tangents[at.cond + at.body + k];
    init.push_back(tangent.empty() ? zeros_of(ca[k]) : tangent);
  }
  const Arrays out = bind_while(widened(p.cond, ca_t), at.cond_of(primals), body,
                                joined(at.body_of(primals), where_set(at.body_of(tangents), consts)), init);
  return {part(out, 0, ca.size()), placed(part(out, ca.size(), out.size()), carry)};
}

PartialEquation partial_eval(const Arrays& known, std::span<const Type> in, std::span<const Type> out_types,
                             const Params& params, Transformer& t, const SavePolicy&) {
  const auto& p = params.as<While>();
  const WhileLayout at(p);
  const Mask unknown = unknown_mask(known), consts = at.body_of(unknown), cond_consts = at.cond_of(unknown);
  PartialProgram cut;
  const Mask carry = settled(at.carry_of(unknown), [&](const Mask& open) {
    cut = t.partial(p.body, joined(consts, open), open, {});
    return cut.out;
  });
  PartialEquation result{
      Arrays(out_types.size()), {}, unknown_as_a_whole(while_, params, in.size(), out_types)};
  // The known carries can run ahead alone if the condition reads nothing else. The unknown half repeats the
  // whole loop.
  const PartialProgram cond_cut = t.partial(p.cond, joined(cond_consts, carry), {false}, {});
  if (!cond_cut.out[0] && count_of(carry) < carry.size()) {
    auto drop_residuals = [&](const PartialProgram& half) {
      return make_program("known", half.known.inputs(), [&](const Arrays& all) {
        const Arrays out = splice(half.known, all);
        return part(out, 0, out.size() - half.residuals.size());
      });
    };
    const Arrays ran =
        bind_while(drop_residuals(cond_cut), where_clear(at.cond_of(known), cond_consts), drop_residuals(cut),
                   where_clear(at.body_of(known), consts), where_clear(at.carry_of(known), carry));
    result.known = placed(ran, complement(carry));
  }
  return result;
}

std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer& t) {
  const auto& p = params.as<While>();
  const WhileLayout at(p);
  const Mask all = batched_mask(in), cond_consts = at.cond_of(all), consts = at.body_of(all);
  Mask carry = at.carry_of(all);
  BatchProgram body, cond;
  while (true) {
    cond = t.batch(p.cond, axis, joined(cond_consts, carry), {false});
    if (cond.out[0]) carry = filled(carry.size(), true);  // lanes end at different times
    body = t.batch(p.body, axis, joined(consts, carry), carry);
    const Mask grown = carry | body.out;
    if (grown == carry) break;
    carry = grown;
  }
  if (cond.out[0]) cond = t.batch(p.cond, axis, joined(cond_consts, carry), {true});
  Arrays cc, bc, init;
  for (std::size_t i = 0; i < at.cond; ++i) cc.push_back(batch_to_front(in[i]));
  for (std::size_t i = at.cond; i < at.cond + at.body; ++i) bc.push_back(batch_to_front(in[i]));
  for (std::size_t k = 0; k < carry.size(); ++k) {
    const Batched& b = in[at.cond + at.body + k];
    init.push_back(carry[k] ? with_batch(b, axis) : b.value);
  }
  std::vector<Batched> result;
  if (!cond.out[0]) {
    const Arrays out = bind_while(cond.program, cc, body.program, bc, init);
    for (std::size_t k = 0; k < out.size(); ++k) result.push_back({out[k], carry[k] ? 0 : -1});
    return result;
  }
  // Runs until every lane has ended; a lane that has ended keeps its carry.
  const Types cc_types = types_of(cc), bc_types = types_of(bc), ca_types = types_of(init);
  const Program any = make_program("cond", joined(cc_types, ca_types), [&](const Arrays& args) -> Arrays {
    return {lax::reduce_or(splice(cond.program, args)[0], {0})};
  });
  const Program step = make_program("body", joined(cc_types, bc_types, ca_types), [&](const Arrays& args) {
    const Arrays c = part(args, 0, cc_types.size()),
                 b = part(args, cc_types.size(), cc_types.size() + bc_types.size()),
                 ca = part(args, cc_types.size() + bc_types.size(), args.size());
    const Array go = splice(cond.program, joined(c, ca))[0];
    Arrays next = splice(body.program, joined(b, ca));
    for (std::size_t k = 0; k < next.size(); ++k)
      next[k] = lax::select(lax::broadcast_in_dim(go, next[k].shape(), {0}), next[k], ca[k]);
    return next;
  });
  for (const Array& a : bind_while(any, cc, step, joined(cc, bc), init)) result.push_back({a, 0});
  return result;
}

std::vector<Example> examples() {
  const Type scalar{f32, {}}, count{s32, {}};
  const Program below =
      make_program("cond", {count, scalar}, [](const Arrays& in) -> Arrays { return {lax::lt(in[0], 3)}; });
  const Program step = make_program("body", {scalar, count, scalar}, [](const Arrays& in) -> Arrays {
    return {lax::add(in[1], 1), lax::sin(lax::mul(in[2], in[0]))};
  });
  const Program small = make_program("cond", {scalar, scalar}, [](const Arrays& in) -> Arrays {
    return {lax::lt(lax::mul(in[1], in[1]), in[0])};
  });
  const Program twice =
      make_program("body", {scalar}, [](const Arrays& in) -> Arrays { return {lax::mul(in[0], 2)}; });
  return {{.inputs = {scalar, count, scalar}, .params = While{below, step, 0, 1}, .reverse = false},
          {.inputs = {scalar, scalar},
           .params = While{small, twice, 1, 0},
           .low = 0.5,
           .high = 1,
           .note = "the condition reads a const and the carry",
           .reverse = false}};
}

/// A carry is needed if its result is, or if the condition or the body reads it for something that is.
Trimmed drop_unused(const Params& params, const Mask& used) {
  const auto& p = params.as<While>();
  const WhileLayout at(p);
  const Mask cond = needed_inputs(p.cond, {true});
  const Mask of_cond = part(cond, at.cond, cond.size());
  const Mask results = settled(used | of_cond, [&](const Mask& needed) {
    const Mask body = needed_inputs(p.body, needed);
    return part(body, at.body, body.size());
  });
  const Mask cond_consts = part(cond, 0, at.cond),
             body_consts = part(needed_inputs(p.body, results), 0, at.body);
  return {While{restricted(p.cond, joined(cond_consts, results), {true}),
                restricted(p.body, joined(body_consts, results), results),
                static_cast<std::int64_t>(count_of(cond_consts)),
                static_cast<std::int64_t>(count_of(body_consts))},
          joined(cond_consts, body_consts, results), results};
}
}  // namespace

extern const Primitive while_ = {
    .name = "while",
    .params = While{},
    .no_transpose_advice =
        "Give while_loop a bound with {.max_steps = n}, or use scan or fori_loop; in a program "
        "of a file, a loop of fixed length.",
    .type = type,
    .evaluate = evaluate,
    .jvp_whole = jvp_whole,
    .batch = batch,
    .partial_eval = partial_eval,
    .drop_unused = drop_unused,
    .program_examples = examples};
}  // namespace ops

Arrays lax::while_loop(const Program& cond, const Arrays& cond_consts, const Program& body,
                       const Arrays& body_consts, const Arrays& init, Where where) {
  const Frame frame(where);
  return ops::bind_while(cond, cond_consts, body, body_consts, init);
}
}  // namespace baton
