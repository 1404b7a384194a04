// partial: cuts a Program in two, along what is known already.
// The known half is traced first; inside it the unknown half is traced, and whatever known value it reads
// becomes a captured input there: those captures are the residuals. A policy may have a value computed again
// instead.
#include <algorithm>
#include <set>

#include "ops/rules.h"
#include "transforms/transforms.h"

namespace baton {
namespace {

std::size_t at(Var v) { return static_cast<std::size_t>(v); }

bool saved(const Equation& e, const SavePolicy& policy) {
  if (policy.save == Save::everything || policy.save == Save::nothing) return policy.save == Save::everything;
  return e.primitive->saved && e.primitive->saved(e.params, policy);
}

/// An equation of the unknown half, to be recorded when the known half is complete.
struct Later {
  const Primitive* primitive;
  Params params;
  struct Input {
    Var var = -1;    // of the whole Program
    Array residual;  // or a value of the known half
    int residual_index = -1;
  };
  std::vector<Input> inputs;
  std::vector<Var> results;  // variables of the whole Program
  int number;
  const Equation* cut = nullptr;  // its partial_eval is done again in the unknown half; no residual is kept
};

class Cut {
 public:
  Cut(const ProgramData& program, const Mask& unknown, const SavePolicy& policy)
      : p_(program),
        unknown_(unknown),
        policy_(policy),
        known_(p_.types.size()),
        maker_(p_.types.size()),
        values_(p_.types.size()) {}

  /// Records, in the trace of the known half, every equation that needs known values alone.
  void run_known(const Arrays& inputs) {
    Trace& trace = *Trace::current();
    std::size_t next = 0;
    for (std::size_t i = 0; i < unknown_.size(); ++i)
      if (!unknown_[i]) known_[i] = inputs[next++];
    for (std::size_t i = 0; i < p_.literals.size(); ++i)
      known_[at(p_.input_count) + i] = trace.literal(p_.literals[i]);
    for (const Equation& e : p_.equations) {
      trace.set_origin(e.number);
      const Arrays in = known_inputs(e);
      if (std::none_of(in.begin(), in.end(), [](const Array& a) { return a.empty(); }))
        run_known(e, in);
      else if (e.primitive->partial_eval)
        cut(e, in);
      else
        postpone(e);
    }
  }

  /// Records, in the trace of the unknown half, the equations that were left for it.
  void run_unknown(const Arrays& inputs) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < unknown_.size(); ++i)
      if (unknown_[i]) values_[i] = inputs[next++];
    for (const Later& later : later_) {
      const Arrays residuals = later.cut ? cut_again(*later.cut) : Arrays();
      Arrays in;
      for (const Later::Input& input : later.inputs)
        in.push_back(input.var >= 0 ? value(input.var)
                     : later.cut    ? residuals[static_cast<std::size_t>(input.residual_index)]
                                    : input.residual);
      Trace::current()->set_origin(later.number);
      const Arrays outs = bind(*later.primitive, in, later.params, {});
      for (std::size_t k = 0; k < outs.size(); ++k) values_[at(later.results[k])] = outs[k];
    }
  }

  bool is_known(Var v) const { return !known_[at(v)].empty(); }
  const Array& known(Var v) const { return known_[at(v)]; }

  /// The value of a variable in the unknown half. A known one is read from the known half, which makes it a
  /// residual, or computed again if the policy does not keep it.
  Array value(Var v) {
    compute_again(v);
    return values_[at(v)].empty() ? known_[at(v)] : values_[at(v)];
  }

 private:
  Arrays known_inputs(const Equation& e) const {
    Arrays in;
    for (Var v : e.inputs) in.push_back(known_[at(v)]);
    return in;
  }
  Types types_of(const std::vector<Var>& vars) const {
    Types types;
    for (Var v : vars) types.push_back(p_.type(v));
    return types;
  }

  void run_known(const Equation& e, const Arrays& in) {
    const Arrays outs = bind(*e.primitive, in, e.params, {});
    // Of literals alone, and cheaper to make again than to keep.
    const bool constant =
        e.primitive->cost == Cost::free &&
        std::all_of(e.inputs.begin(), e.inputs.end(), [&](Var v) { return p_.is_literal(v); });
    const bool kept = effects_of(e) != Effects::none || (!constant && saved(e, policy_));
    for (std::size_t k = 0; k < outs.size(); ++k) {
      known_[at(e.outputs[k])] = outs[k];
      if (!kept) maker_[at(e.outputs[k])] = &e;
    }
  }

  void postpone(const Equation& e) {
    Later later{e.primitive, e.params, {}, e.outputs, e.number};
    for (Var v : e.inputs) later.inputs.push_back({v, {}});
    later_.push_back(std::move(later));
  }

  void cut(const Equation& e, const Arrays& in) {
    const PartialEquation halves = e.primitive->partial_eval(in, types_of(e.inputs), types_of(e.outputs),
                                                             e.params, transformer(), policy_);
    for (std::size_t k = 0; k < halves.known.size(); ++k) known_[at(e.outputs[k])] = halves.known[k];
    const PartialEquation::Unknown& u = halves.unknown;
    if (!u.primitive) return;
    Later later{u.primitive, u.params, {}, {}, e.number};
    for (int k : u.which) later.results.push_back(e.outputs[static_cast<std::size_t>(k)]);
    for (int i : u.inputs) {
      if (i >= 0)
        later.inputs.push_back({e.inputs[static_cast<std::size_t>(i)], {}});
      else
        later.inputs.push_back({-1, halves.residuals[static_cast<std::size_t>(-1 - i)], -1 - i});
    }
    // What a loop, or another checkpoint, would save is computed again like the rest.
    if (policy_.save == Save::nothing && effects_of(e) == Effects::none) later.cut = &e;
    later_.push_back(std::move(later));
  }

  /// In the unknown half: the residuals of the equation's partial_eval, and its known results.
  Arrays cut_again(const Equation& e) {
    Arrays in;
    for (Var v : e.inputs) in.push_back(is_known(v) ? value(v) : Array());
    Trace::current()->set_origin(e.number);
    const PartialEquation halves = e.primitive->partial_eval(in, types_of(e.inputs), types_of(e.outputs),
                                                             e.params, transformer(), policy_);
    for (std::size_t k = 0; k < halves.known.size(); ++k)
      if (!halves.known[k].empty()) values_[at(e.outputs[k])] = halves.known[k];
    return halves.residuals;
  }

  /// In the unknown half: whatever this value needs that was not kept, in the order of the Program.
  void compute_again(Var v) {
    std::vector<const Equation*> needed;
    std::vector<Var> open{v};
    while (!open.empty()) {
      const Equation* e = maker_[at(open.back())];
      const bool made = !values_[at(open.back())].empty();
      open.pop_back();
      if (!e || made || !visited_.insert(e).second) continue;
      needed.push_back(e);
      open.insert(open.end(), e->inputs.begin(), e->inputs.end());
    }
    std::sort(needed.begin(), needed.end());  // they stand in one vector
    for (const Equation* e : needed) {
      Arrays in;
      for (Var input : e->inputs)
        in.push_back(values_[at(input)].empty() ? known_[at(input)] : values_[at(input)]);
      Trace::current()->set_origin(e->number);
      const Arrays outs = bind(*e->primitive, in, e->params, {});
      for (std::size_t k = 0; k < outs.size(); ++k) values_[at(e->outputs[k])] = outs[k];
    }
  }

  const ProgramData& p_;
  const Mask& unknown_;
  const SavePolicy& policy_;
  Arrays known_;                        // values of the known half
  std::vector<const Equation*> maker_;  // of known values that are not kept
  std::vector<Later> later_;
  Arrays values_;                      // of the unknown half
  std::set<const Equation*> visited_;  // computed again already
};

}  // namespace

PartialProgram partial(const Program& program, const Mask& unknown, const Mask& instantiate,
                       const SavePolicy& policy) {
  const ProgramData& p = *program;
  PartialProgram result;
  result.out.resize(p.outputs.size());
  const Types inputs = program.inputs();
  Types known_inputs, unknown_inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    (unknown[i] ? unknown_inputs : known_inputs).push_back(inputs[i]);

  Cut cut(p, unknown, policy);
  result.known = make_program("known", known_inputs, [&](const Arrays& arguments) {
    cut.run_known(arguments);
    const Closed half = trace_body("unknown", {}, unknown_inputs, [&](const Arrays& inner) {
      cut.run_unknown(inner);
      Arrays outs;
      for (std::size_t k = 0; k < p.outputs.size(); ++k) {
        result.out[k] = !cut.is_known(p.outputs[k]) || instantiate[k];
        if (result.out[k]) outs.push_back(cut.value(p.outputs[k]));
      }
      return outs;
    });
    result.unknown = half.program;
    result.residuals = types_of(half.captures);
    Arrays results;
    for (std::size_t k = 0; k < p.outputs.size(); ++k)
      if (!result.out[k]) results.push_back(cut.known(p.outputs[k]));
    results.insert(results.end(), half.captures.begin(), half.captures.end());
    return results;
  });
  return result;
}

}  // namespace baton
