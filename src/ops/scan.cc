// scan: a loop of known length over the leading axis of arrays, with a carry.
// inputs: consts, init, xs; body: (consts, carry, x) -> (carry, y); results: the last carry, then the ys
// stacked.
#include "ops/scan.h"

namespace baton {
namespace ops {
namespace {

Arrays bind_scan(const Program& body, std::int64_t length, bool reverse, const Arrays& consts,
                 const Arrays& init, const Arrays& xs) {
  return bind(scan, joined(consts, init, xs),
              Scan{body, length, reverse, static_cast<std::int64_t>(consts.size()),
                   static_cast<std::int64_t>(init.size())},
              {});
}

Type stacked(Type t, std::int64_t length) {
  t.shape.insert(t.shape.begin(), length);
  return t;
}
Type element(Type t) {
  t.shape.erase(t.shape.begin());
  return t;
}

Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<Scan>();
  require_counts("scan", {p.consts, p.carry}, in.size());
  if (p.length < 0 || p.consts + p.carry > p.body->input_count ||
      static_cast<std::size_t>(p.carry) > p.body->outputs.size())
    type_error("scan", "the body must take the consts and the carry and return the carry first.");
  const ScanLayout at(p);
  require_count("scan", in, at.consts + at.carry + at.xs);
  const Types given(in.begin(), in.end());
  Types slices;
  for (const Type& x : at.xs_of(given)) {
    if (x.rank() == 0 || x.shape[0] != p.length)
      type_error("scan", "the leading axis of every array that is scanned must have extent " +
                             std::to_string(p.length) + ", found " + show(x) + ".");
    slices.push_back(element(x));
  }
  const Types body_in = p.body.inputs(), body_out = p.body.outputs();
  require_types("scan", "const", at.consts_of(body_in), at.consts_of(given));
  require_types("scan", "carry", at.carry_of(body_in), at.carry_of(given));
  require_types("scan", "slice", at.xs_of(body_in), slices);
  require_types("scan", "carry of the result of the body", at.carry_of(body_in), at.carry_out(body_out));
  Types out = at.carry_out(body_out);
  for (const Type& y : at.ys_out(body_out)) out.push_back(stacked(y, p.length));
  return out;
}

void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  const auto& p = params.as<Scan>();
  const ScanLayout at(p);
  const Types body_in = p.body.inputs(), body_out = p.body.outputs();
  // Two sets of carries: a step reads one and writes the other.
  std::vector<std::vector<char>> carry[2];
  for (auto& set : carry)
    for (const Type& t : at.carry_of(body_in)) set.emplace_back(t.bytes() + 1);
  for (std::size_t i = 0; i < at.carry; ++i)
    copy_all({in[at.consts + i].type, carry[0][i].data()}, in[at.consts + i].data);
  std::vector<View> from(body_in.size()), to(body_out.size());
  for (std::size_t i = 0; i < at.consts; ++i) from[i] = in[i];
  int now = 0;
  for (std::int64_t step = 0; step < p.length; ++step, now = 1 - now) {
    const std::int64_t i = p.reverse ? p.length - 1 - step : step;
    for (std::size_t k = 0; k < at.carry; ++k) {
      from[at.consts + k] = {&body_in[at.consts + k], carry[now][k].data()};
      to[k] = {&body_out[k], carry[1 - now][k].data()};
    }
    for (std::size_t k = at.consts + at.carry; k < body_in.size(); ++k)
      from[k] = {&body_in[k],
                 static_cast<char*>(in[k].data) + i * static_cast<std::int64_t>(body_in[k].bytes())};
    for (std::size_t k = at.carry; k < body_out.size(); ++k)
      to[k] = {&body_out[k],
               static_cast<char*>(out[k].data) + i * static_cast<std::int64_t>(body_out[k].bytes())};
    evaluator.run(p.body, from, to);
  }
  for (std::size_t k = 0; k < at.carry; ++k) copy_all(out[k], carry[now][k].data());
}

std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer& t) {
  const auto& p = params.as<Scan>();
  const ScanLayout at(p);
  const Mask in = tangent_mask(tangents);
  const Mask consts = at.consts_of(in), xs = at.xs_of(in);
  JvpProgram d;
  const Mask carry = settled(at.carry_of(in), [&](const Mask& moves) {
    d = t.jvp(p.body, joined(consts, moves, xs), joined(moves, filled(at.ys, false)));
    return at.carry_out(d.out);
  });
  const Mask ys = at.ys_out(d.out);
  // The derivative takes primals, then tangents; a scan takes consts, carry, xs, each with its tangents.
  const Types types = p.body.inputs();
  const std::vector<Types> groups = {at.consts_of(types), where_set(at.consts_of(types), consts),
                                     at.carry_of(types),  where_set(at.carry_of(types), carry),
                                     at.xs_of(types),     where_set(at.xs_of(types), xs)};
  Types inputs;
  for (const Types& g : groups) append(inputs, g);
  const Program body = make_program("scan", inputs, [&](const Arrays& all) {
    std::vector<Arrays> g;
    Parts parts(all);
    for (const Types& group : groups) g.push_back(parts.take(group.size()));
    const Arrays out = splice(d.program, joined(g[0], g[2], g[4], g[1], g[3], g[5]));
    const std::size_t n = p.body->outputs.size(), carry_tangents = count_of(carry);
    return joined(part(out, 0, at.carry), part(out, n, n + carry_tangents), part(out, at.carry, n),
                  part(out, n + carry_tangents, out.size()));
  });
  Arrays init_tangents;
  for (std::size_t i = 0; i < at.carry; ++i) {
    if (!carry[i]) continue;
    const Array& tangent = tangents[at.consts + i];
    init_tangents.push_back(tangent.empty() ? zeros_like(primals[at.consts + i]) : tangent);
  }
  const Arrays out = bind_scan(body, p.length, p.reverse,
                               joined(at.consts_of(primals), where_set(at.consts_of(tangents), consts)),
                               joined(at.carry_of(primals), init_tangents),
                               joined(at.xs_of(primals), where_set(at.xs_of(tangents), xs)));
  Parts parts(out);
  const Arrays carried = parts.take(at.carry), carried_tangents = parts.take(count_of(carry)),
               stack = parts.take(at.ys), stack_tangents = parts.take(count_of(ys));
  return {joined(carried, stack), joined(placed(carried_tangents, carry), placed(stack_tangents, ys))};
}

PartialEquation partial_eval(const Arrays& known, std::span<const Type> in, std::span<const Type> out_types,
                             const Params& params, Transformer& t, const SavePolicy& policy) {
  const auto& p = params.as<Scan>();
  const ScanLayout at(p);
  const Mask unknown = unknown_mask(known);
  const Mask consts_u = at.consts_of(unknown), xs_u = at.xs_of(unknown);
  PartialProgram cut;
  const Mask carry_u = settled(at.carry_of(unknown), [&](const Mask& carry) {
    cut = t.partial(p.body, joined(consts_u, carry, xs_u), joined(carry, filled(at.ys, false)), {});
    return at.carry_out(cut.out);
  });
  const Mask body_u = joined(consts_u, carry_u, xs_u), ys_u = at.ys_out(cut.out);
  const Types types = p.body.inputs();

  // Residuals: one that is a const stays one; one that is a slice is taken from the scanned array itself; the
  // others become ys of the known loop.
  const auto sources = residual_sources(cut);
  const std::size_t known_consts = count_of(complement(consts_u)),
                    known_carry = count_of(complement(carry_u));
  const std::vector<int> inputs = places(body_u.size());
  const std::vector<int> known_inputs = where_clear(inputs, body_u);  // those of the known half
  enum class From { constant, slice, computed };
  std::vector<From> from;
  for (const ResidualSource& s : sources) {
    const auto i = static_cast<std::size_t>(s.input);
    if (s.input < 0 || (i >= known_consts && i < known_consts + known_carry))
      from.push_back(From::computed);
    else
      from.push_back(i < known_consts ? From::constant : From::slice);
  }
  const std::size_t known_outs = cut.known->outputs.size() - sources.size();
  const bool again = policy.save != Save::everything;  // the unknown half computes everything again
  const Program known_body = make_program("scan", cut.known.inputs(), [&](const Arrays& all) {
    const Arrays out = splice(cut.known, all);
    Arrays kept = part(out, 0, known_outs);
    for (std::size_t r = 0; r < sources.size(); ++r)
      if (from[r] == From::computed && !again) kept.push_back(out[known_outs + r]);
    return kept;
  });
  const Arrays ran = bind_scan(known_body, p.length, p.reverse, where_clear(at.consts_of(known), consts_u),
                               where_clear(at.carry_of(known), carry_u), where_clear(at.xs_of(known), xs_u));
  PartialEquation result = known_half(ran, cut.out);
  auto& u = result.unknown;
  if (again) {
    u = unknown_as_a_whole(scan, params, in.size(), out_types);
    return result;
  }

  // The unknown loop: consts: unknown ones, const residuals; carry: unknown ones; xs: unknown ones, other
  // residuals.
  Types const_res, x_res;
  std::vector<int> const_inputs, x_inputs;
  int stacked_residual = 0;
  for (std::size_t r = 0; r < sources.size(); ++r) {
    if (from[r] == From::computed) {
      x_res.push_back(cut.residuals[r]);
      x_inputs.push_back(-1 - stacked_residual++);
    } else {
      const int input = known_inputs[static_cast<std::size_t>(sources[r].input)];
      (from[r] == From::constant ? const_res : x_res).push_back(cut.residuals[r]);
      (from[r] == From::constant ? const_inputs : x_inputs).push_back(input);
    }
  }
  const Types consts = where_set(at.consts_of(types), consts_u),
              carry = where_set(at.carry_of(types), carry_u), xs = where_set(at.xs_of(types), xs_u);
  const Program body =
      make_program("scan", joined(consts, const_res, carry, xs, x_res), [&](const Arrays& all) {
        Parts parts(all);
        const Arrays c = parts.take(consts.size()), cr = parts.take(const_res.size()),
                     ca = parts.take(carry.size()), x = parts.take(xs.size()), xr = parts.take(x_res.size());
        Arrays inner = joined(c, ca, x);
        std::size_t ci = 0, xi = 0;
        for (std::size_t r = 0; r < sources.size(); ++r)
          inner.push_back(from[r] == From::constant ? cr[ci++] : xr[xi++]);
        return splice(cut.unknown, inner);
      });
  u.primitive = &scan;
  u.inputs = joined(where_set(at.consts_of(inputs), consts_u), const_inputs,
                    where_set(at.carry_of(inputs), carry_u), where_set(at.xs_of(inputs), xs_u), x_inputs);
  u.params = Scan{body, p.length, p.reverse, static_cast<std::int64_t>(consts.size() + const_res.size()),
                  static_cast<std::int64_t>(carry.size())};
  set_outputs(u, out_types, cut.out);
  return result;
}

Arrays transpose_rule(const Arrays& cts, std::span<const LinearOperand> x, const Params& params,
                      Transformer& t) {
  const auto& p = params.as<Scan>();
  const ScanLayout at(p);
  Mask linear;
  for (const LinearOperand& operand : x) linear.push_back(operand.linear());
  const Mask consts_l = at.consts_of(linear), xs_l = at.xs_of(linear);
  const Mask carry_l =
      filled(at.carry, true);  // an init with a value is the start of a linear carry all the same
  Mask ct_in = tangent_mask(cts);
  for (std::size_t k = 0; k < at.carry; ++k) ct_in[k] = true;
  const Mask body_l = joined(consts_l, carry_l, xs_l);
  const TransposeProgram back = t.transpose(p.body, body_l, ct_in, body_l);
  const Types types = p.body.inputs(), outs = p.body.outputs();
  const Types c_res = where_clear(at.consts_of(types), consts_l),
              c_lin = where_set(at.consts_of(types), consts_l), carry = at.carry_of(types),
              x_res = where_clear(at.xs_of(types), xs_l);
  const Types ct_ys = where_set(at.ys_out(outs), at.ys_out(ct_in));
  // Backwards: consts: residual consts; carry: sums for linear consts, cotangents of the carry; xs: those of
  // the ys, residual slices; ys: cotangents of linear slices.
  const Program body =
      make_program("scan", joined(c_res, c_lin, carry, ct_ys, x_res), [&](const Arrays& all) {
        Parts parts(all);
        const Arrays cr = parts.take(c_res.size()), sums = parts.take(c_lin.size()),
                     ct_carry = parts.take(carry.size()), ct_y = parts.take(ct_ys.size()),
                     xr = parts.take(x_res.size());
        const Arrays in_cts = splice(back.program, joined(cr, xr, ct_carry, ct_y));
        Arrays result;
        for (std::size_t i = 0; i < sums.size(); ++i) result.push_back(add_any(sums[i], in_cts[i]));
        append(result, part(in_cts, sums.size(), in_cts.size()));
        return result;
      });
  Arrays consts, init, xs;
  for (std::size_t i = 0; i < at.consts; ++i) {
    if (consts_l[i])
      init.push_back(zeros_of(x[i].type));
    else
      consts.push_back(x[i].value);
  }
  for (std::size_t k = 0; k < at.carry; ++k) init.push_back(cts[k].empty() ? zeros_of(outs[k]) : cts[k]);
  for (std::size_t k = at.carry; k < cts.size(); ++k)
    if (!cts[k].empty()) xs.push_back(cts[k]);
  for (std::size_t i = at.consts + at.carry; i < x.size(); ++i)
    if (!x[i].linear()) xs.push_back(x[i].value);
  const Arrays out = bind_scan(body, p.length, !p.reverse, consts, init, xs);
  Arrays result = placed(out, body_l);  // of every carry
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!x[i].linear()) result[i] = Array();
  return result;
}

std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer& t) {
  const auto& p = params.as<Scan>();
  const ScanLayout at(p);
  const Mask all = batched_mask(in);
  const Mask consts = at.consts_of(all), xs = at.xs_of(all);
  BatchProgram b;
  const Mask carry = settled(at.carry_of(all), [&](const Mask& batched) {
    b = t.batch(p.body, axis, joined(consts, batched, xs), joined(batched, filled(at.ys, false)));
    return at.carry_out(b.out);
  });
  Arrays c, init, x;
  for (std::size_t i = 0; i < at.consts; ++i) c.push_back(batch_to_front(in[i]));
  for (std::size_t i = 0; i < at.carry; ++i)
    init.push_back(carry[i] ? with_batch(in[at.consts + i], axis) : in[at.consts + i].value);
  for (std::size_t i = at.consts + at.carry; i < in.size(); ++i)  // the scanned axis first, then the batch
    x.push_back(in[i].axis < 0 ? in[i].value : move_axis(in[i].value, in[i].axis, 1));
  const Arrays out = bind_scan(b.program, p.length, p.reverse, c, init, x);
  std::vector<Batched> result;
  for (std::size_t k = 0; k < out.size(); ++k)
    result.push_back({out[k], !b.out[k] ? -1 : k < at.carry ? 0 : 1});
  return result;
}

std::vector<Example> examples() {
  const Type scalar{f32, {}}, pair{f32, {2}};
  const Program body =
      make_program("body", {scalar, scalar, scalar}, [](const Arrays& in) -> Arrays {  // w, c, x
        const Array next = lax::mul(in[1], in[0]), shift = lax::sin(in[2]);
        return {lax::add(next, shift), lax::mul(in[1], in[2])};
      });
  const Program counted = make_program("body", {{s32, {}}, pair, pair}, [](const Arrays& in) -> Arrays {
    const Array product = lax::mul(in[1], in[2]);
    return {lax::add(in[0], 1), product, lax::sin(product)};
  });
  return {{.inputs = {scalar, scalar, {f32, {4}}}, .params = Scan{body, 4, false, 1, 1}},
          {.inputs = {scalar, scalar, {f32, {3}}}, .params = Scan{body, 3, true, 1, 1}, .note = "reverse"},
          {.inputs = {scalar, scalar, {f32, {0}}}, .params = Scan{body, 0, false, 1, 1}, .note = "no steps"},
          {.inputs = {{s32, {}}, pair, {f32, {3, 2}}}, .params = Scan{counted, 3, false, 0, 2}}};
}

/// A carry is needed if its result is, or if the body reads it for something that is.
Trimmed drop_unused(const Params& params, const Mask& used) {
  const auto& p = params.as<Scan>();
  const ScanLayout at(p);
  const Mask ys = at.ys_out(used);
  const Mask carries = settled(at.carry_out(used), [&](const Mask& needed) {
    return at.carry_of(needed_inputs(p.body, joined(needed, ys)));
  });
  const Mask results = joined(carries, ys), needed = needed_inputs(p.body, results);
  const Mask operands = joined(at.consts_of(needed), carries, at.xs_of(needed));
  const auto consts = static_cast<std::int64_t>(count_of(at.consts_of(operands)));
  const auto carry = static_cast<std::int64_t>(count_of(carries));
  return {Scan{restricted(p.body, operands, results), p.length, p.reverse, consts, carry}, operands, results};
}
}  // namespace

extern const Primitive scan = {.name = "scan",
                               .params = Scan{},
                               .type = type,
                               .evaluate = evaluate,
                               .jvp_whole = jvp_whole,
                               .transpose = transpose_rule,
                               .batch = batch,
                               .partial_eval = partial_eval,
                               .drop_unused = drop_unused,
                               .program_examples = examples};
}  // namespace ops

Arrays lax::scan(const Program& body, const Arrays& consts, const Arrays& init, const Arrays& xs,
                 const ScanOptions& o, Where where) {
  const Frame frame(where);
  std::optional<std::int64_t> length = o.length;
  if (!length) {
    if (xs.empty() || xs[0].rank() == 0)
      type_error("scan", "a length is required where no array is scanned.\n  Give {.length = n}.");
    length = xs[0].shape()[0];
  }
  if (*length < 0)
    type_error("scan", "the length must not be negative, found " + std::to_string(*length) + ".");
  return ops::bind_scan(body, *length, o.reverse, consts, init, xs);
}
}  // namespace baton
