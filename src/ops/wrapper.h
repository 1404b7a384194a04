#pragma once
// wrapper: the rules of primitives that hold one Program and mean it: transforms go inside and keep the
// wrapping, whatever else it says.
#include "ops/loops.h"

namespace baton::ops {

/// A primitive around a Program; `with` gives its Params around another.
struct Wrapping {
  const Primitive& primitive;
  const Program& body;
  FunctionRef<Params(const Program&)> with;

  Arrays bind_around(const Program& other, const Arrays& inputs) const {
    return bind(primitive, inputs, with(other), {});
  }
};

std::pair<Arrays, Arrays> wrapped_jvp(const Wrapping&, const Arrays& primals, const Arrays& tangents,
                                      Transformer&);
Arrays wrapped_transpose(const Wrapping&, const Arrays& cts, std::span<const LinearOperand>, Transformer&,
                         FunctionRef<Arrays(const Arrays&)> held);
std::vector<Batched> wrapped_batch(const Wrapping&, const BatchAxis&, std::span<const Batched> in,
                                   Transformer&);
PartialEquation wrapped_partial(const Wrapping&, const Arrays& known, std::span<const Type> out_types,
                                Transformer&, const SavePolicy&);

/// The rules of the primitive `self`, whose Params P hold the Program `body`. What else they say is kept.
template <const Primitive& self, class P>
struct Wrapper {
  static auto with(P p) {
    return [p](const Program& body) -> Params {
      P other = p;
      other.body = body;
      return other;
    };
  }

  static Types type(std::span<const Type> in, const Params& params) {
    const Program& body = params.as<P>().body;
    require_types(self.name, "operand", body.inputs(), Types(in.begin(), in.end()));
    return body.outputs();
  }
  static void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
                       Evaluator& evaluator) {
    evaluator.run(params.as<P>().body, in, out);
  }
  static Meaning meaning(const Params& params, std::size_t operands) {
    return {params.as<P>().body, all_of(operands)};
  }
  static std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents,
                                             const Params& params, Transformer& t) {
    const auto& p = params.as<P>();
    return wrapped_jvp({self, p.body, with(p)}, primals, tangents, t);
  }
  /// The operands of the adjoint, values that are not linear before cotangents, pass through `held` first.
  static Arrays transpose(const Arrays& cts, std::span<const LinearOperand> x, const Params& params,
                          Transformer& t, FunctionRef<Arrays(const Arrays&)> held) {
    const auto& p = params.as<P>();
    return wrapped_transpose({self, p.body, with(p)}, cts, x, t, held);
  }
  static std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                                    Transformer& t) {
    const auto& p = params.as<P>();
    return wrapped_batch({self, p.body, with(p)}, axis, in, t);
  }
  static PartialEquation partial_eval(const Arrays& known, std::span<const Type>,
                                      std::span<const Type> out_types, const Params& params, Transformer& t,
                                      const SavePolicy& policy) {
    const auto& p = params.as<P>();
    return wrapped_partial({self, p.body, with(p)}, known, out_types, t, policy);
  }
};

}  // namespace baton::ops
