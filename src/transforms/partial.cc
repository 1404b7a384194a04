// partial: cuts a Program in two, along what is known already.
// The known half is traced first; inside it the unknown half is traced, and whatever known value it reads
// becomes a captured input there: those captures are the residuals. A policy may have a value computed again
// instead.
#include <functional>
#include <map>

#include "base/text.h"
#include "ops/rules.h"
#include "transforms/transforms.h"

namespace baton {
namespace {

/// An equation of the unknown half, to be recorded when the known half is complete.
struct Unknown {
  const Primitive* primitive;
  Params params;
  struct Input {
    Var var = -1;    // of the whole Program
    Array residual;  // or a value of the known half
    int index = -1;  // which residual of its partial_eval
  };
  std::vector<Input> inputs;
  Types outputs;
  std::vector<Var> results;
  int number;
  const Equation* cut = nullptr;  // nothing is kept of it: its partial_eval is done again where it is needed
};

bool saved(const Equation& e, const SavePolicy& policy) {
  if (policy.save == Save::everything || policy.save == Save::nothing) return policy.save == Save::everything;
  return e.primitive->saved && e.primitive->saved(e.params, policy);
}

}  // namespace

PartialProgram partial(const Program& program, const Mask& unknown, const Mask& instantiate,
                       const SavePolicy& policy) {
  const ProgramData& p = *program;
  PartialProgram result;
  result.out.resize(p.outputs.size());
  const Types all_inputs = program.inputs();
  Types known_inputs, unknown_inputs;
  for (std::size_t i = 0; i < all_inputs.size(); ++i)
    (unknown[i] ? unknown_inputs : known_inputs).push_back(all_inputs[i]);

  result.known = make_program("known", known_inputs, [&](const Arrays& arguments) {
    Trace& trace = *Trace::current();
    Arrays known(p.types.size());
    std::vector<const Equation*> maker(p.types.size(),
                                       nullptr);  // of known values that may be computed again
    std::size_t next = 0;
    for (std::size_t i = 0; i < all_inputs.size(); ++i)
      if (!unknown[i]) known[i] = arguments[next++];
    for (std::size_t i = 0; i < p.literals.size(); ++i)
      known[static_cast<std::size_t>(p.input_count) + i] = trace.literal(p.literals[i]);

    std::vector<Unknown> later;
    for (const Equation& e : p.equations) {
      trace.set_origin(e.number);
      Arrays in;
      bool all = true;
      for (Var v : e.inputs) {
        in.push_back(known[static_cast<std::size_t>(v)]);
        all = all && !in.back().empty();
      }
      if (all) {
        const Arrays outs = bind(*e.primitive, in, e.params, {});
        bool constant =
            e.primitive->cost == Cost::free;  // of literals alone: cheaper to make again than to keep
        for (Var v : e.inputs) constant = constant && p.is_literal(v);
        for (std::size_t k = 0; k < outs.size(); ++k) {
          const auto v = static_cast<std::size_t>(e.outputs[k]);
          known[v] = outs[k];
          const bool effects = e.primitive->effects && e.primitive->effects(e.params) != Effects::none;
          if ((constant || !saved(e, policy)) && !effects) maker[v] = &e;
        }
        continue;
      }
      Types in_types, out_types;
      for (Var v : e.inputs) in_types.push_back(p.type(v));
      for (Var v : e.outputs) out_types.push_back(p.type(v));
      Unknown u{e.primitive, e.params, {}, out_types, e.outputs, e.number};
      if (e.primitive->partial_eval) {
        PartialEquation cut =
            e.primitive->partial_eval(in, in_types, out_types, e.params, transformer(), policy);
        for (std::size_t k = 0; k < e.outputs.size(); ++k)
          if (!cut.known.empty()) known[static_cast<std::size_t>(e.outputs[k])] = cut.known[k];
        u.primitive = cut.unknown.primitive;
        u.params = cut.unknown.params;
        u.outputs = cut.unknown.outputs;
        u.results.clear();
        for (int k : cut.unknown.which) u.results.push_back(e.outputs[static_cast<std::size_t>(k)]);
        for (int i : cut.unknown.inputs) {
          if (i >= 0)
            u.inputs.push_back({e.inputs[static_cast<std::size_t>(i)], {}});
          else
            u.inputs.push_back({-1, cut.residuals[static_cast<std::size_t>(-1 - i)], -1 - i});
        }
        if (!u.primitive) continue;  // everything turned out known
        // What a loop, or another checkpoint, would save is computed again like the rest.
        const bool effects = e.primitive->effects && e.primitive->effects(e.params) != Effects::none;
        if (policy.save == Save::nothing && !effects) u.cut = &e;
      } else {
        for (Var v : e.inputs) u.inputs.push_back({v, {}});
      }
      later.push_back(std::move(u));
    }

    // The unknown half. Known arrays that it reads are captured: they are the residuals.
    const Closed half = trace_body("unknown", {}, unknown_inputs, [&](const Arrays& inner) {
      Trace& inner_trace = *Trace::current();
      Arrays values(p.types.size());
      std::size_t at = 0;
      for (std::size_t i = 0; i < all_inputs.size(); ++i)
        if (unknown[i]) values[i] = inner[at++];
      auto again = [&](auto& self, Var v) -> Array {  // a known value, kept or computed again
        const auto i = static_cast<std::size_t>(v);
        if (!values[i].empty()) return values[i];
        const Equation* e = maker[i];
        if (!e) return known[i];
        Arrays in;
        for (Var input : e->inputs) in.push_back(self(self, input));
        inner_trace.set_origin(e->number);
        const Arrays outs = bind(*e->primitive, in, e->params, {});
        for (std::size_t k = 0; k < outs.size(); ++k) {
          const auto o = static_cast<std::size_t>(e->outputs[k]);
          if (maker[o]) values[o] = outs[k];
        }
        return values[i];
      };
      /// The residuals of an equation's partial_eval, and its known results, computed again.
      const auto cut_again = [&](const Equation& e) {
        Arrays in;
        Types in_types, out_types;
        for (Var v : e.inputs) {
          in.push_back(known[static_cast<std::size_t>(v)].empty() ? Array() : again(again, v));
          in_types.push_back(p.type(v));
        }
        for (Var v : e.outputs) out_types.push_back(p.type(v));
        inner_trace.set_origin(e.number);
        const PartialEquation cut =
            e.primitive->partial_eval(in, in_types, out_types, e.params, transformer(), policy);
        for (std::size_t k = 0; k < cut.known.size(); ++k)
          if (!cut.known[k].empty()) values[static_cast<std::size_t>(e.outputs[k])] = cut.known[k];
        return cut.residuals;
      };
      for (const Unknown& u : later) {
        const Arrays residuals = u.cut ? cut_again(*u.cut) : Arrays();
        Arrays in;
        for (const Unknown::Input& input : u.inputs)
          in.push_back(input.var >= 0 ? again(again, input.var)
                       : u.cut        ? residuals[static_cast<std::size_t>(input.index)]
                                      : input.residual);
        inner_trace.set_origin(u.number);
        const Arrays outs = bind(*u.primitive, in, u.params, {});
        for (std::size_t k = 0; k < outs.size(); ++k)
          values[static_cast<std::size_t>(u.results[k])] = outs[k];
      }
      Arrays outs;
      for (std::size_t k = 0; k < p.outputs.size(); ++k) {
        const auto v = static_cast<std::size_t>(p.outputs[k]);
        result.out[k] = known[v].empty() || instantiate[k];
        if (result.out[k]) outs.push_back(again(again, p.outputs[k]));
      }
      return outs;
    });
    result.unknown = half.program;
    result.residuals = types_of(half.captures);
    Arrays results;
    for (std::size_t k = 0; k < p.outputs.size(); ++k)
      if (!result.out[k]) results.push_back(known[static_cast<std::size_t>(p.outputs[k])]);
    results.insert(results.end(), half.captures.begin(), half.captures.end());
    return results;
  });
  return result;
}

}  // namespace baton
