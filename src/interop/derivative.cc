// derivative: jvp, partial evaluation and transpose, put together.
#include "interop/derivative.h"

#include "trace/trace.h"
#include "transforms/transforms.h"

namespace baton {

std::vector<bool> inexact_mask(const Types& types) {
  Mask mask;
  for (const Type& t : types) mask.push_back(is_inexact(t.dtype));
  return mask;
}

namespace {

Types chosen(const Types& types, const Mask& mask) {
  Types list;
  for (std::size_t i = 0; i < types.size(); ++i)
    if (mask[i]) list.push_back(types[i]);
  return list;
}

}  // namespace

Program jvp_program(const Program& p) {
  return transformer().jvp(p, inexact_mask(p.inputs()), inexact_mask(p.outputs())).program;
}

Program vjp_program(const Program& p) {
  const Types inputs = p.inputs(), outputs = p.outputs();
  const Mask in = inexact_mask(inputs), out = inexact_mask(outputs);
  const Types tangents = chosen(inputs, in), cotangents = chosen(outputs, out);
  const JvpProgram j = transformer().jvp(p, in, out);
  // Everything but the tangents is known; what the tangents go through is linear in them.
  Mask unknown(inputs.size(), false);
  unknown.resize(inputs.size() + tangents.size(), true);
  Mask all_tangents(outputs.size(), false);
  all_tangents.resize(outputs.size() + cotangents.size(), true);
  const PartialProgram k = transformer().partial(j.program, unknown, all_tangents, {});
  Mask linear(tangents.size(), true);
  linear.resize(tangents.size() + k.residuals.size(), false);
  const Mask given(cotangents.size(), true);
  const TransposeProgram t = transformer().transpose(k.unknown, linear, given, linear);
  Types types = inputs;
  types.insert(types.end(), cotangents.begin(), cotangents.end());
  return make_program("vjp", types, [&](const Arrays& a) {
    const auto n = static_cast<std::ptrdiff_t>(inputs.size());
    Arrays results = splice(k.known, {a.begin(), a.begin() + n});
    const auto m = static_cast<std::ptrdiff_t>(outputs.size());
    Arrays backward(results.begin() + m, results.end());  // residuals
    backward.insert(backward.end(), a.begin() + n, a.end());
    results.resize(outputs.size());
    for (Array& gradient : splice(t.program, backward)) results.push_back(std::move(gradient));
    return results;
  });
}

}  // namespace baton
