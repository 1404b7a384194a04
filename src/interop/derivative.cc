// derivative: the command line's derivatives, from those of transforms/.
#include "interop/derivative.h"

#include "ops/loops.h"
#include "transforms/derive.h"

namespace baton {

using ops::joined;
using ops::part;

std::vector<bool> inexact_mask(const Types& types) {
  Mask mask;
  for (const Type& t : types) mask.push_back(is_inexact(t.dtype));
  return mask;
}

Program jvp_program(const Program& p) {
  return transformer().jvp(p, inexact_mask(p.inputs()), inexact_mask(p.outputs())).program;
}

Program vjp_program(const Program& p) {
  const Types inputs = p.inputs(), outputs = p.outputs();
  const Mask wrt = inexact_mask(inputs);
  const LinearProgram linear = linearize(p, wrt);
  const Program back = transpose_linear(linear, wrt);
  const std::size_t n = inputs.size(), m = outputs.size();
  return make_program(
      "vjp", joined(inputs, ops::where_set(outputs, inexact_mask(outputs))), [&](const Arrays& in) {
        const Arrays known = splice(linear.known, part(in, 0, n));
        const Arrays residuals = part(known, m, known.size()), cotangents = part(in, n, in.size());
        return joined(part(known, 0, m), splice(back, joined(residuals, cotangents)));
      });
}

}  // namespace baton
