// custom_linear_solve: x with matvec(x) = b, found by a function of the user's, differentiated by the
// implicit function theorem: the derivative solves the same system, the adjoint the transposed one. inputs:
// consts of matvec, of solve, of transpose_solve, then b; results: x, with the types of b.
#include "ops/loops.h"
#include "ops/structure.h"

namespace baton {
namespace ops {
extern const Primitive custom_linear_solve;
namespace {

struct LinearSolve {
  Program matvec;           // (consts, x) -> b
  Program solve;            // (consts, b) -> x
  Program transpose_solve;  // (consts, b) -> x of the transposed system
  std::int64_t matvec_consts = 0, solve_consts = 0, transpose_consts = 0;
  BATON_FIELDS(matvec, solve, transpose_solve, matvec_consts, solve_consts, transpose_consts)
};

struct Layout {
  std::size_t m, s, t;
  explicit Layout(const LinearSolve& p)
      : m(static_cast<std::size_t>(p.matvec_consts)),
        s(static_cast<std::size_t>(p.solve_consts)),
        t(static_cast<std::size_t>(p.transpose_consts)) {}
  template <class T>
  std::vector<T> matvec_of(const std::vector<T>& in) const {
    return part(in, 0, m);
  }
  template <class T>
  std::vector<T> solve_of(const std::vector<T>& in) const {
    return part(in, m, m + s);
  }
  template <class T>
  std::vector<T> transpose_of(const std::vector<T>& in) const {
    return part(in, m + s, m + s + t);
  }
  template <class T>
  std::vector<T> b_of(const std::vector<T>& in) const {
    return part(in, m + s + t, in.size());
  }
};

Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<LinearSolve>();
  const Layout at(p);
  const Types given(in.begin(), in.end());
  require_counts("custom_linear_solve", {p.matvec_consts, p.solve_consts, p.transpose_consts}, given.size());
  const Types b = at.b_of(given);
  require_types("custom_linear_solve", "operand of matvec", p.matvec.inputs(),
                joined(at.matvec_of(given), b));
  require_types("custom_linear_solve", "result of matvec", b, p.matvec.outputs());
  require_types("custom_linear_solve", "operand of solve", p.solve.inputs(), joined(at.solve_of(given), b));
  require_types("custom_linear_solve", "result of solve", b, p.solve.outputs());
  require_types("custom_linear_solve", "operand of transpose_solve", p.transpose_solve.inputs(),
                joined(at.transpose_of(given), b));
  require_types("custom_linear_solve", "result of transpose_solve", b, p.transpose_solve.outputs());
  return b;
}

void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  const auto& p = params.as<LinearSolve>();
  const std::vector<View> all(in.begin(), in.end());
  const Layout at(p);
  evaluator.run(p.solve, joined(at.solve_of(all), at.b_of(all)), out);
}

/// A x = b moves as A dx = db - dA x.
std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer& t) {
  const auto& p = params.as<LinearSolve>();
  const Layout at(p);
  const Arrays x = bind(custom_linear_solve, primals, params, {});
  Arrays rhs = at.b_of(tangents);
  const Mask moved = tangent_mask(at.matvec_of(tangents));
  if (count_of(moved)) {
    const JvpProgram d = t.jvp(p.matvec, joined(moved, filled(x.size(), false)), filled(x.size(), false));
    const Arrays all =
        splice(d.program, joined(at.matvec_of(primals), x, where_set(at.matvec_of(tangents), moved)));
    std::size_t next = x.size();
    for (std::size_t k = 0; k < x.size(); ++k)
      if (d.out[k]) rhs[k] = add_any(rhs[k], lax::neg(all[next++]));
  }
  if (!count_of(tangent_mask(rhs))) return {x, Arrays(x.size())};
  Arrays in = part(primals, 0, at.m + at.s + at.t);
  for (std::size_t k = 0; k < x.size(); ++k) in.push_back(rhs[k].empty() ? zeros_like(x[k]) : rhs[k]);
  return {x, bind(custom_linear_solve, in, params, {})};
}

Arrays transpose_rule(const Arrays& cts, std::span<const LinearOperand> x, const Params& params,
                      Transformer& t) {
  const auto& p = params.as<LinearSolve>();
  const Layout at(p);
  const std::size_t n = cts.size(), consts = at.m + at.s + at.t;
  Arrays values;
  for (std::size_t i = 0; i < consts; ++i) {
    if (x[i].linear()) type_error("custom_linear_solve", "the solution is linear in b alone.");
    values.push_back(x[i].value);
  }
  const Mask linear = joined(filled(at.m, false), filled(n, true));
  const auto transposed = [&] {
    try {
      return t.transpose(p.matvec, linear, filled(n, true), linear).program;
    } catch (const NotLinear& e) {
      type_error("custom_linear_solve",
                 "matvec must be linear in its argument; " + e.operation() + " needs the argument's value.");
    }
  };
  const Program adjoint = transposed();
  Arrays in = joined(at.matvec_of(values), at.transpose_of(values), at.solve_of(values));
  for (std::size_t k = 0; k < n; ++k) in.push_back(cts[k].empty() ? zeros_of(x[consts + k].type) : cts[k]);
  const Arrays ct_b = bind(
      custom_linear_solve, in,
      LinearSolve{adjoint, p.transpose_solve, p.solve, p.matvec_consts, p.transpose_consts, p.solve_consts},
      {});
  Arrays result(x.size());
  for (std::size_t k = 0; k < n; ++k)
    if (x[consts + k].linear()) result[consts + k] = ct_b[k];
  return result;
}

std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer& t) {
  const auto& p = params.as<LinearSolve>();
  const Layout at(p);
  const Mask mask = batched_mask(in);
  const std::size_t n = in.size() - at.m - at.s - at.t;
  const Mask all = filled(n, true);
  const Program matvec = t.batch(p.matvec, axis, joined(at.matvec_of(mask), all), all).program,
                solve = t.batch(p.solve, axis, joined(at.solve_of(mask), all), all).program,
                back = t.batch(p.transpose_solve, axis, joined(at.transpose_of(mask), all), all).program;
  Arrays operands;
  for (std::size_t i = 0; i < in.size(); ++i)
    operands.push_back(i < in.size() - n ? batch_to_front(in[i]) : with_batch(in[i], axis));
  std::vector<Batched> result;
  for (const Array& a :
       bind(custom_linear_solve, operands,
            LinearSolve{matvec, solve, back, p.matvec_consts, p.solve_consts, p.transpose_consts}, {}))
    result.push_back({a, 0});
  return result;
}

std::vector<Example> examples() {
  const Type pair{f32, {2}};
  const Program matvec = make_program("matvec", {pair, pair},
                                      [](const Arrays& in) -> Arrays { return {lax::mul(in[0], in[1])}; });
  const Program solve = make_program("solve", {pair, pair},
                                     [](const Arrays& in) -> Arrays { return {lax::div(in[1], in[0])}; });
  return {{.inputs = {pair, pair, pair, pair},
           .params = LinearSolve{matvec, solve, solve, 1, 1, 1},
           .low = 0.5,
           .high = 2,
           .order = 0,
           .note = "diagonal; the consts of the three Programs are one value, so differences over one of "
                   "them mean nothing"}};
}
Meaning meaning(const Params& params, std::size_t operands) {
  const auto& p = params.as<LinearSolve>();
  const Layout at(p);
  const std::vector<std::size_t> all = all_of(operands);
  return {p.solve, joined(at.solve_of(all), at.b_of(all))};
}
}  // namespace

extern const Primitive custom_linear_solve = {.name = "custom_linear_solve",
                                              .params = LinearSolve{},
                                              .type = type,
                                              .evaluate = evaluate,
                                              .jvp_whole = jvp_whole,
                                              .transpose = transpose_rule,
                                              .batch = batch,
                                              .meaning = meaning,
                                              .program_examples = examples};
}  // namespace ops

Arrays lax::custom_linear_solve(const Program& matvec, const Arrays& matvec_consts, const Program& solve,
                                const Arrays& solve_consts, const Program& transpose_solve,
                                const Arrays& transpose_consts, const Arrays& b, Where where) {
  using ops::joined;
  return bind(
      ops::custom_linear_solve, joined(matvec_consts, solve_consts, transpose_consts, b),
      ops::LinearSolve{matvec, solve, transpose_solve, static_cast<std::int64_t>(matvec_consts.size()),
                       static_cast<std::int64_t>(solve_consts.size()),
                       static_cast<std::int64_t>(transpose_consts.size())},
      where);
}
}  // namespace baton
